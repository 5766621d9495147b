import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { invalidCode, notSetUp, proofRequired } from './factor-errors.ts'
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

/** Time for which a proof of the second factor lets a session do what requires one. */
export const PROOF_MS = 10 * 60_000

/** Dependencies of second factors. */
export interface FactorPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
}

/** The second factor of an account. */
export interface SecondFactor {
  readonly createdMs: number
  readonly lastMs: number
}

/** A session and its account. */
interface SessionOf {
  readonly customerId: CustomerId
  readonly sessionId: string
}

/** The second factor of an account; `undefined` without one. */
export async function findSecondFactor(
  catalog: Catalog,
  customerId: CustomerId,
): Promise<SecondFactor | undefined> {
  const row = await catalog
    .selectFrom('totp_factors')
    .select(['created_ms', 'last_ms'])
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row && { createdMs: row.created_ms, lastMs: row.last_ms }
}

/**
 * Stores the secret of an authenticator app that showed its first code, within a transaction. It replaces the one before.
 * Returns new recovery codes. Throws `invalid_argument` for a wrong code.
 */
export async function storeTotp(
  { catalog, clock, sealer }: FactorPorts,
  {
    customerId,
    secret,
    code,
  }: { readonly customerId: CustomerId; readonly secret: string; readonly code: string },
): Promise<string[]> {
  const nowMs = clock.nowMs()
  const step = isTotpCode(code) ? findStep(secret, code, nowMs) : undefined
  if (step === undefined) throw invalidCode()
  const factor = {
    sealed_secret: sealer.seal({ purpose: purposeOf(customerId), text: secret }),
    // The code of the set-up signs in to nothing.
    last_step: step,
    created_ms: nowMs,
    last_ms: nowMs,
  }
  await catalog
    .insertInto('totp_factors')
    .values({ customer_id: customerId, ...factor })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet(factor))
    .execute()
  return await replaceRecoveryCodes({ catalog, sealer }, customerId)
}

/**
 * Uses up a code of the second factor of an account, within a transaction; every code counts once, in whichever process. Throws
 * `invalid_argument` for a wrong or used code, and `failed_precondition` without a second factor.
 */
export async function useCode(
  ports: FactorPorts,
  { customerId, code: text }: { readonly customerId: CustomerId; readonly code: string },
): Promise<void> {
  const { catalog, clock } = ports
  const nowMs = clock.nowMs()
  const row = await catalog
    .selectFrom('totp_factors')
    .select('sealed_secret')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw notSetUp()
  // Apps show codes in groups.
  const code = text.replaceAll(/\s/g, '')
  const isRight = isTotpCode(code)
    ? await useStep(ports, { customerId, code, sealed: row.sealed_secret })
    : await useRecoveryCode(ports, { customerId, code })
  if (!isRight) throw invalidCode()
  await catalog
    .updateTable('totp_factors')
    .set({ last_ms: nowMs })
    .where('customer_id', '=', customerId)
    .execute()
}

/** The condition is part of the statement, so that of concurrent attempts with one code only the first succeeds. */
async function useStep(
  { catalog, clock, sealer }: FactorPorts,
  {
    customerId,
    code,
    sealed,
  }: { readonly customerId: CustomerId; readonly code: string; readonly sealed: string },
): Promise<boolean> {
  const secret = sealer.unseal({ purpose: purposeOf(customerId), sealed })
  const step = findStep(secret, code, clock.nowMs())
  if (step === undefined) return false
  const { numUpdatedRows } = await catalog
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('customer_id', '=', customerId)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes the second factor of an account with its recovery codes, within a transaction; `false` if there is none. */
export async function removeSecondFactor(catalog: Catalog, customerId: CustomerId): Promise<boolean> {
  const { numDeletedRows } = await catalog
    .deleteFrom('totp_factors')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  await catalog.deleteFrom('recovery_codes').where('customer_id', '=', customerId).execute()
  await catalog
    .updateTable('refresh_sessions')
    .set({ factor_ms: 0 })
    .where('customer_id', '=', customerId)
    .execute()
  return numDeletedRows > 0n
}

/** Records that a session has proved the second factor now. */
export async function noteProof(
  { catalog, clock }: Pick<FactorPorts, 'catalog' | 'clock'>,
  { customerId, sessionId }: SessionOf,
): Promise<void> {
  await catalog
    .updateTable('refresh_sessions')
    .set({ factor_ms: clock.nowMs() })
    .where('id', '=', sessionId)
    .where('customer_id', '=', customerId)
    .execute()
}

/** When a session last proved the second factor; 0 if it never did. */
export async function findProof(catalog: Catalog, { customerId, sessionId }: SessionOf): Promise<number> {
  const row = await catalog
    .selectFrom('refresh_sessions')
    .select('factor_ms')
    .where('id', '=', sessionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.factor_ms ?? 0
}

/** Throws `failed_precondition` if the account has a second factor that the session has not proved within the last 10 minutes. */
export async function requireRecentProof(
  { catalog, clock }: Pick<FactorPorts, 'catalog' | 'clock'>,
  session: SessionOf,
): Promise<void> {
  if (!(await findSecondFactor(catalog, session.customerId))) return
  if (clock.nowMs() - (await findProof(catalog, session)) > PROOF_MS) throw proofRequired()
}

function purposeOf(customerId: CustomerId): string {
  return `totp/${customerId}`
}
