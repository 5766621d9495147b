import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SignUpPolicy } from '../../settings/sign-up-policy.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AccessTokens } from '../access/access-token.ts'
import type { RelyingParty } from '../factors/relying-party.ts'
import { type Allowance, AttemptLimiter, type AttemptLimiterOptions } from './attempt-limiter.ts'
import type { FairShare } from './fair-share.ts'
import type { GoogleSignIn } from './google-sign-in.ts'
import type { KnownNetworks } from './known-networks.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { ProviderPorts } from './provider-ports.ts'

/** Dependencies of signing in. */
export interface AuthPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly tokens: AccessTokens
  readonly passwords: PasswordHasher
  readonly limits: SignInLimits
  readonly networks: KnownNetworks
  /** The policy for new accounts. */
  readonly signUp: SignUpPolicy
  /** Derives refresh tokens; the same for all processes on the catalog. */
  readonly key: Uint8Array
  /** Absent when sign-in with Google is not configured. */
  readonly google?: GoogleSignIn | undefined
  /** The OpenID Connect providers. */
  readonly oidc: ProviderPorts
  /** Absent where the public URL allows no passkeys. */
  readonly relyingParty?: RelyingParty | undefined
  /** Bounds the time spent on requests for links. */
  readonly linkShare: FairShare
  /** Queues the mail of a link, which is sent if the address may sign in. */
  readonly queueSignInLink: (email: string) => Promise<void>
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
}

/**
 * Limits on sign-in attempts per account and per network. Attempts on an account from one of its known networks have their
 * own limit, so that other people cannot lock out its owner.
 */
export interface SignInLimits {
  readonly passwordsOfAccount: AttemptLimiter
  readonly passwordsOfNetwork: AttemptLimiter
  readonly passwordsOfOrigin: AttemptLimiter
  readonly linksOfAddress: AttemptLimiter
  readonly linksOfNetwork: AttemptLimiter
  readonly linksOfOrigin: AttemptLimiter
  readonly providersOfNetwork: AttemptLimiter
  /** Unknown personal access tokens. */
  readonly tokensOfNetwork: AttemptLimiter
  /** Registrations of assistants. */
  readonly registrationsOfNetwork: AttemptLimiter
  /** Requests of assistants for consent. */
  readonly requestsOfNetwork: AttemptLimiter
  /** Current passwords, entered to set a new one. */
  readonly currentPasswords: AttemptLimiter
  /** Proofs of second factors, in sign-ins from networks that are new for the account. */
  readonly codesOfAccount: AttemptLimiter
  /** The same from a known network. */
  readonly codesOfOrigin: AttemptLimiter
  /** Proofs of second factors by a signed-in caller. */
  readonly codesOfSession: AttemptLimiter
}

/**
 * Allows about 215 attempts a day, of which each matches one of three accepted codes of a million: a thief of the first factor
 * guesses a code with a chance of 1 in 1500 a day.
 */
const CODE_DELAY = { freeCount: 5, firstMs: 30_000, maxMs: 60 * 60_000 } as const

const DELAY = { firstMs: 1000, maxMs: 15 * 60_000 } as const

/** Dependencies of the limits. */
export type SignInLimitPorts = Pick<AttemptLimiterOptions, 'catalog' | 'clock' | 'key'>

/** Allows for typing errors and for offices that share an address; limits unrequested mails. */
export function createSignInLimits(ports: SignInLimitPorts): SignInLimits {
  const limit = (subject: string, allowance: Allowance): AttemptLimiter =>
    new AttemptLimiter({ ...ports, subject, allowance })
  return {
    passwordsOfAccount: limit('password of an account', { freeCount: 10, ...DELAY }),
    passwordsOfNetwork: limit('passwords from a network', { freeCount: 50, ...DELAY }),
    passwordsOfOrigin: limit('passwords of an account from a network of its', { freeCount: 10, ...DELAY }),
    linksOfAddress: limit('links to an address', { freeCount: 5, ...DELAY, firstMs: 30_000 }),
    linksOfNetwork: limit('links from a network', { freeCount: 50, ...DELAY }),
    linksOfOrigin: limit('links to an address from a network of its', {
      freeCount: 5,
      ...DELAY,
      firstMs: 30_000,
    }),
    providersOfNetwork: limit('sign-ins with a provider from a network', { freeCount: 50, ...DELAY }),
    tokensOfNetwork: limit('personal access tokens from a network', { freeCount: 50, ...DELAY }),
    registrationsOfNetwork: limit('registrations of assistants from a network', { freeCount: 20, ...DELAY }),
    requestsOfNetwork: limit('requests of assistants from a network', { freeCount: 50, ...DELAY }),
    currentPasswords: limit('current password of an account', { freeCount: 10, ...DELAY }),
    codesOfAccount: limit('second factor of an account', CODE_DELAY),
    codesOfOrigin: limit('second factor of an account from a network of its', CODE_DELAY),
    codesOfSession: limit('second factor of a signed-in account', CODE_DELAY),
  }
}
