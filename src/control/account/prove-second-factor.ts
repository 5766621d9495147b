import type { customerOf } from '../../access/caller.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidToken } from '../access/access-errors.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { SessionKey } from '../customers/account-sessions.ts'
import { type Customer, findCustomer } from '../customers/customers.ts'
import { notSetUp, stillRequired } from '../factors/factor-errors.ts'
import type { PasskeyPorts } from '../factors/passkey-factor.ts'
import { tellOwner } from '../factors/removal-mail.ts'
import { noteProof, removeSecondFactor, requireRecentProof, useProof } from '../factors/second-factor.ts'
import { prepareWebAuthn } from '../factors/webauthn.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { listRequiringOrganisations } from '../organisations/second-factor-rule.ts'
import { isPasswordRight, type SetPasswordPorts } from './set-password.ts'

/** Time for which a sign-in proves who the caller of an account without a second factor is. */
const FRESH_MS = 10 * 60_000

/** Dependencies of second factors. */
export interface SecondFactorsPorts
  extends Pick<SetPasswordPorts, 'catalog' | 'clock' | 'passwords' | 'attempts'>,
    Pick<PasskeyPorts, 'relyingParty'> {
  readonly sealer: Sealer
  /** Limits guesses of proofs by signed-in callers. */
  readonly codes: AttemptLimiter
  /** Mails owners of accounts that lose a factor. */
  readonly sendMail: SendMail
}

/** The signed-in caller of a method. */
export type Caller = ReturnType<typeof customerOf>

/** A proof in a call: one of both is empty. */
export interface SentProof {
  readonly code: string
  readonly passkey: string
}

/**
 * The caller's account. Throws unless the caller proves who they are: a stolen token must not give the account the factor of the
 * thief.
 */
export async function requireOwner(
  ports: SecondFactorsPorts,
  caller: Caller & { readonly currentPassword: string },
): Promise<Customer> {
  const { catalog, clock } = ports
  const customer = await findCustomer(catalog, caller.customerId)
  // The account was deleted after the token was issued.
  if (!customer) throw invalidToken()
  if (await hasSecondFactor(catalog, caller.customerId)) {
    await requireRecentProof({ catalog, clock }, caller)
    return customer
  }
  const isRight = await isPasswordRight(ports, { ...caller, ...customer })
  if (!isRight && clock.nowMs() - caller.signedInMs > FRESH_MS) throw signInAgain()
  return customer
}

/** Uses up a proof, and does `work` in the same transaction. Attempts count before they are checked. */
export async function prove<T>(
  ports: SecondFactorsPorts,
  { customerId, sessionId }: SessionKey,
  { code, passkey, work }: SentProof & { readonly work: (catalog: Catalog) => Promise<T> },
): Promise<T> {
  if (!(await hasSecondFactor(ports.catalog, customerId))) throw notSetUp()
  await ports.codes.take(customerId)
  if (passkey !== '') await prepareWebAuthn()
  const result = await inTransaction(ports.catalog, async (catalog) => {
    await useProof({ ...ports, catalog }, { customerId, code, passkey, use: 'proof', within: sessionId })
    await noteProof({ ...ports, catalog }, { customerId, sessionId })
    return await work(catalog)
  })
  await ports.codes.clear(customerId)
  return result
}

/** Removes the second factor of the caller, within a transaction. Throws `permission_denied` if an organisation requires it. */
export async function removeOwnFactor(
  { catalog, sendMail }: Pick<SecondFactorsPorts, 'catalog' | 'sendMail'>,
  { customerId }: Pick<SessionKey, 'customerId'>,
): Promise<void> {
  const requiring = await listRequiringOrganisations(catalog, customerId)
  if (requiring.length > 0) throw stillRequired(requiring)
  await removeSecondFactor(catalog, customerId)
  await tellOwner(sendMail, catalog, { customerId, by: 'owner' })
}

function signInAgain(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'REAUTHENTICATION_REQUIRED',
    message:
      'enter the password of the account, or sign in again and set up the second factor within 10 minutes',
  })
}
