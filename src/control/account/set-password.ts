import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidToken, sessionEnded } from '../access/access-errors.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import { endOtherSessions, isSessionLive, type SessionKey } from '../customers/account-sessions.ts'
import { findCustomer } from '../customers/customers.ts'

/** For so long a sign-in shows who somebody is as well as their password does. */
const FRESH_MS = 10 * 60_000

/** What passwords are set with. */
export interface SetPasswordPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly passwords: PasswordHasher
  /** Counts current passwords that are shown. */
  readonly attempts: AttemptLimiter
}

/** Who sets which password, and how they show to be the owner of the account. */
export interface PasswordChange extends SessionKey {
  readonly signedInMs: number
  readonly password: string
  /** Empty when it is not shown. */
  readonly currentPassword: string
}

/**
 * Sets a password, and ends every session but the one that sets it: who has the old password or an old token has nothing
 * any more. Throws `failed_precondition` when neither the current password nor a fresh sign-in shows who calls,
 * `invalid_argument` for a wrong current password, and `resource_exhausted`.
 */
export async function setPassword(ports: SetPasswordPorts, change: PasswordChange): Promise<void> {
  const { catalog, clock, passwords } = ports
  await requireOwner(ports, change)
  const passwordHash = await passwords.hash(change.password, applicantOf(change))
  await inTransaction(catalog, async (transaction) => {
    // It may have ended while the password was hashed.
    if (!(await isSessionLive({ catalog: transaction, clock }, change))) throw sessionEnded()
    await transaction
      .updateTable('customers')
      .set({ password_hash: passwordHash })
      .where('id', '=', change.customerId)
      .execute()
    await endOtherSessions(transaction, change)
  })
}

async function requireOwner(ports: SetPasswordPorts, change: PasswordChange): Promise<void> {
  const { catalog, clock, passwords, attempts } = ports
  const customer = await findCustomer(catalog, change.customerId)
  // The account went after the token was issued.
  if (!customer) throw invalidToken()
  const { passwordHash } = customer
  if (change.currentPassword !== '' && passwordHash !== undefined) {
    await attempts.take(change.customerId)
    const isRight = await passwords.verify(passwordHash, change.currentPassword, applicantOf(change))
    if (!isRight) throw wrongPassword()
    await attempts.clear(change.customerId)
    return
  }
  const ageMs = clock.nowMs() - change.signedInMs
  if (ageMs > FRESH_MS) throw reauthenticationRequired()
}

/** Who is signed in comes before those who want to be. */
function applicantOf({ customerId }: SessionKey) {
  return { standing: 'account', source: customerId } as const
}

function wrongPassword(): ServiceError {
  const description = 'is not the password of this account'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: `currentPassword: ${description}`,
    violations: [{ field: 'currentPassword', description }],
  })
}

function reauthenticationRequired(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'REAUTHENTICATION_REQUIRED',
    message: 'the current password is required; or sign in again, and set the password within 10 minutes',
  })
}
