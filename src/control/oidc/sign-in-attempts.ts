import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { SessionKey } from '../customers/account-sessions.ts'
import { invalidAttempt } from './oidc-errors.ts'
import type { SignInSecrets } from './provider-client.ts'

/** Time to sign in at the provider. */
const LIFETIME_MS = 10 * 60_000

const PURPOSE = 'sign-in attempt'

/** A sign-in with a provider that has started. */
export interface SignInAttempt extends SignInSecrets {
  readonly providerId: string
  readonly expiresMs: number
  /** The session of the account that connects the identity; absent for a sign-in. */
  readonly connect: SessionKey | undefined
}

/** A response to an attempt. */
export interface AttemptResponse {
  readonly attempt: string
  /** The provider at whose address the response arrived. */
  readonly providerId: string
  readonly state: string
}

/** Starts an attempt. */
export function createAttempt(
  clock: Clock,
  { providerId, redirectUri, connect }: Pick<SignInAttempt, 'providerId' | 'redirectUri' | 'connect'>,
): SignInAttempt {
  return {
    providerId,
    redirectUri,
    connect,
    state: randomState(),
    nonce: randomNonce(),
    codeVerifier: randomPKCECodeVerifier(),
    expiresMs: clock.nowMs() + LIFETIME_MS,
  }
}

/**
 * Encrypts attempts for the browser that started them. Every process can read them, so that any may complete a sign-in; the
 * service stores nothing before a sign-in has succeeded, so that started ones cannot fill anything.
 */
export class SignInAttempts {
  readonly #sealer: Sealer
  readonly #clock: Clock

  constructor(sealer: Sealer, clock: Clock) {
    this.#sealer = sealer
    this.#clock = clock
  }

  /** Encrypts an attempt. */
  seal(attempt: SignInAttempt): string {
    const { connect, ...rest } = attempt
    const text = JSON.stringify({
      ...rest,
      ...(connect && { connect: [connect.customerId, connect.sessionId] }),
    })
    return this.#sealer.seal({ purpose: PURPOSE, text })
  }

  /** Reads the attempt of a response. Throws `unauthenticated` for one that is forged, expired, or of another provider or state. */
  open({ attempt, providerId, state }: AttemptResponse): SignInAttempt {
    const opened = this.#read(attempt)
    const isOwn = opened.providerId === providerId && opened.state === state
    if (!isOwn || opened.expiresMs <= this.#clock.nowMs()) throw invalidAttempt()
    return opened
  }

  #read(sealed: string): SignInAttempt {
    try {
      const { connect, ...rest } = JSON.parse(this.#sealer.unseal({ purpose: PURPOSE, sealed }))
      const [customerId, sessionId] = (connect ?? []) as [CustomerId?, string?]
      const session =
        customerId !== undefined && sessionId !== undefined ? { customerId, sessionId } : undefined
      return { ...rest, connect: session }
    } catch {
      // Only what this service sealed can be opened.
      throw invalidAttempt()
    }
  }
}
