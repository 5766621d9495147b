import type { CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { invalidCode } from './factor-errors.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

/** Dependencies of second factors. */
export interface FactorPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
}

/** The authenticator app of an account. */
export interface TotpFactor {
  readonly createdMs: number
  readonly lastMs: number
}

/** The authenticator app of an account; `undefined` without one. */
export async function findTotp(catalog: Catalog, customerId: CustomerId): Promise<TotpFactor | undefined> {
  const row = await catalog
    .selectFrom('totp_factors')
    .select(['created_ms', 'last_ms'])
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row && { createdMs: row.created_ms, lastMs: row.last_ms }
}

/**
 * Stores the secret of an authenticator app that showed its first code, within a transaction. It replaces the one before. Returns new
 * recovery codes; none if the account has other factors only, whose codes stay. Throws `invalid_argument` for a wrong code.
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
  const isAddition = (await hasSecondFactor(catalog, customerId)) && !(await findTotp(catalog, customerId))
  const factor = {
    sealed_secret: sealer.seal({ purpose: totpPurpose(customerId), text: secret }),
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
  return isAddition ? [] : await replaceRecoveryCodes({ catalog, sealer }, customerId)
}

/**
 * Uses up a code of the authenticator app, within a transaction; `false` for a wrong or used one, and without an app. The condition is
 * part of the statement, so that of concurrent attempts with one code only the first succeeds.
 */
export async function useTotpCode(
  { catalog, clock, sealer }: FactorPorts,
  { customerId, code }: { readonly customerId: CustomerId; readonly code: string },
): Promise<boolean> {
  const row = await catalog
    .selectFrom('totp_factors')
    .select('sealed_secret')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) return false
  const secret = sealer.unseal({ purpose: totpPurpose(customerId), sealed: row.sealed_secret })
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

/** Records that a code was accepted now, of the app or a recovery code in its place. */
export async function noteCode(
  { catalog, clock }: Pick<FactorPorts, 'catalog' | 'clock'>,
  customerId: CustomerId,
): Promise<void> {
  await catalog
    .updateTable('totp_factors')
    .set({ last_ms: clock.nowMs() })
    .where('customer_id', '=', customerId)
    .execute()
}

/** What the sealed text of the row is sealed for. */
export function totpPurpose(customerId: string): string {
  return `totp/${customerId}`
}
