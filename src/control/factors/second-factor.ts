import type { CustomerId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { invalidCode, notSetUp, proofRequired } from './factor-errors.ts'
import { type PasskeyPorts, type PasskeyUse, usePasskey } from './passkey-factor.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { isTotpCode } from './totp.ts'
import { type FactorPorts, noteCode, useTotpCode } from './totp-factor.ts'

/** Time for which a proof of the second factor lets a session do what requires one. */
export const PROOF_MS = 10 * 60_000

/** A proof of the second factor of an account: a code, or the response of a passkey. */
export interface Proof {
  readonly customerId: CustomerId
  /** Empty with a passkey. */
  readonly code: string
  /** JSON; empty with a code. */
  readonly passkey: string
  /** What the challenge of the passkey was for, and in which session or sign-in. */
  readonly use: PasskeyUse
  readonly within: string
}

/** A session and its account. */
interface SessionOf {
  readonly customerId: CustomerId
  readonly sessionId: string
}

/**
 * Uses up a proof of the second factor of an account, within a transaction; each counts once, in whichever process. Throws
 * `invalid_argument` for a wrong or used one, and `failed_precondition` without a second factor.
 */
export async function useProof(ports: FactorPorts & PasskeyPorts, proof: Proof): Promise<void> {
  if (!(await hasSecondFactor(ports.catalog, proof.customerId))) throw notSetUp()
  if (proof.passkey === '') await useCode(ports, proof)
  else await usePasskey(ports, proof)
}

async function useCode(
  ports: FactorPorts,
  { customerId, code: text }: Pick<Proof, 'customerId' | 'code'>,
): Promise<void> {
  // Apps show codes in groups.
  const code = text.replaceAll(/\s/g, '')
  const isRight = isTotpCode(code)
    ? await useTotpCode(ports, { customerId, code })
    : await useRecoveryCode(ports, { customerId, code })
  if (!isRight) throw invalidCode()
  await noteCode(ports, customerId)
}

/** Removes the second factor of an account with its recovery codes, within a transaction; `false` if there is none. */
export async function removeSecondFactor(catalog: Catalog, customerId: CustomerId): Promise<boolean> {
  const isThere = await hasSecondFactor(catalog, customerId)
  for (const table of ['totp_factors', 'passkeys', 'recovery_codes'] as const)
    await catalog.deleteFrom(table).where('customer_id', '=', customerId).execute()
  await catalog
    .updateTable('refresh_sessions')
    .set({ factor_ms: 0 })
    .where('customer_id', '=', customerId)
    .execute()
  return isThere
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
  if (!(await hasSecondFactor(catalog, session.customerId))) return
  if (clock.nowMs() - (await findProof(catalog, session)) > PROOF_MS) throw proofRequired()
}
