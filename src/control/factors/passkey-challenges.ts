import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { useResponse } from '../used-responses.ts'

/** Time for a browser to respond to a challenge. */
export const CHALLENGE_MS = 5 * 60_000

/** What the response to a challenge is for: one for anything else does not count. */
export interface ChallengePurpose {
  readonly customerId: CustomerId
  readonly use: 'registration' | 'proof' | 'sign-in'
  /** The session of the account, or the sign-in that waits for its second factor. */
  readonly within: string
}

/** Dependencies of challenges. */
export interface ChallengePorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
}

/**
 * A new challenge, in base64url. It is sealed with its purpose and its end, so that any process recognises it in a response, and
 * started ones cannot fill anything.
 */
export function createChallenge(
  { clock, sealer }: Pick<ChallengePorts, 'clock' | 'sealer'>,
  purpose: ChallengePurpose,
): string {
  const text = String(clock.nowMs() + CHALLENGE_MS)
  const sealed = sealer.seal({ purpose: nameOf(purpose), text })
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** Whether a challenge is one of this service for the purpose, and has not expired. */
export function isChallengeOpen(
  { clock, sealer }: Pick<ChallengePorts, 'clock' | 'sealer'>,
  purpose: ChallengePurpose,
  challenge: string,
): boolean {
  try {
    return Number(sealer.unseal({ purpose: nameOf(purpose), sealed: challenge })) > clock.nowMs()
  } catch {
    // Only what this service sealed for the purpose can be opened.
    return false
  }
}

/** Marks the challenge of a valid response as used, for all processes; `false` if it was used before. */
export async function useChallenge(ports: ChallengePorts, challenge: string): Promise<boolean> {
  // Texts that differ only in unused bits are the same challenge.
  const value = Buffer.from(challenge, 'base64url').toString('base64url')
  return await useResponse(ports, { issuer: 'millrace', kind: 'passkey challenge', value })
}

function nameOf({ customerId, use, within }: ChallengePurpose): string {
  return `passkey ${use}/${customerId}/${within}`
}
