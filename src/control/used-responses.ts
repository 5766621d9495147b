import type { Clock } from '../kernel/clock.ts'
import type { Sealer } from '../kernel/sealer.ts'
import type { Catalog } from '../store/catalog/catalog.ts'

/** Longer than any attempt or logout token is accepted. */
const LIFETIME_MS = 3_600_000

/** Dependencies of marking responses. */
export interface UsedResponsePorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
}

/** Something that may be proved once, such as the nonce of a sign-in with a provider. */
export interface ProvedOnce {
  readonly issuer: string
  readonly kind: 'nonce' | 'logout token' | 'second factor' | 'passkey challenge'
  readonly value: string
}

/**
 * Marks a valid response as used, for all processes; `false` if it was used before. Only responses that passed every check
 * are marked, so that callers without a provider's signature cannot fill the table.
 */
export async function useResponse(
  { catalog, clock, sealer }: UsedResponsePorts,
  { issuer, kind, value }: ProvedOnce,
): Promise<boolean> {
  const nowMs = clock.nowMs()
  const digest = sealer.digest({ purpose: `used ${kind}`, text: `${issuer}\n${value}` })
  await catalog.deleteFrom('used_responses').where('expires_ms', '<=', nowMs).execute()
  const { numInsertedOrUpdatedRows } = await catalog
    .insertInto('used_responses')
    .values({ digest, expires_ms: nowMs + LIFETIME_MS })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
