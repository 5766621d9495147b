import type { CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidToken, sessionEnded } from '../access/access-errors.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { PasswordHasher } from '../auth/password-hasher.ts'
import {
  endOtherSessions,
  findSessionMethod,
  isSessionActive,
  type SessionKey,
} from '../customers/account-sessions.ts'
import { findCustomer } from '../customers/customers.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import { requireFreeChoice } from '../oidc/required-provider.ts'

/** Time for which a sign-in without a password replaces the current one as a proof of identity. */
const FRESH_MS = 10 * 60_000

/** Dependencies of setting passwords. */
export interface SetPasswordPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly passwords: PasswordHasher
  /** Limits guesses of the current password. */
  readonly attempts: AttemptLimiter
  /** The OpenID Connect providers. */
  readonly providers: readonly OidcProvider[]
}

/** A change of the password, with the caller's proof of identity. */
export interface PasswordChange extends SessionKey {
  readonly signedInMs: number
  readonly password: string
  /** Empty to rely on a recent sign-in without a password. */
  readonly currentPassword: string
}

/**
 * Sets a password and ends all other sessions, so that the old password and stolen tokens become useless. Throws
 * `failed_precondition` without the current password or a recent sign-in by link or identity provider, and without a recent proof of a
 * second factor, `invalid_argument` for a
 * wrong current password, and `resource_exhausted`.
 */
export async function setPassword(ports: SetPasswordPorts, change: PasswordChange): Promise<void> {
  const { catalog, clock, passwords } = ports
  await requireOwner(ports, change)
  const passwordHash = await passwords.hash(change.password, applicantOf(change))
  await inTransaction(catalog, async (transaction) => {
    // The session may have ended while the password was hashed.
    if (!(await isSessionActive({ catalog: transaction, clock }, change))) throw sessionEnded()
    await transaction
      .updateTable('customers')
      .set({ password_hash: passwordHash })
      .where('id', '=', change.customerId)
      .execute()
    await endOtherSessions(transaction, change)
  })
}

async function requireOwner(ports: SetPasswordPorts, change: PasswordChange): Promise<void> {
  const { catalog, clock } = ports
  const customer = await findCustomer(catalog, change.customerId)
  // The account was deleted after the token was issued.
  if (!customer) throw invalidToken()
  requireFreeChoice(ports.providers, customer)
  await requireRecentProof(ports, change)
  if (await isPasswordRight(ports, { ...change, ...customer })) return
  const ageMs = clock.nowMs() - change.signedInMs
  if (ageMs > FRESH_MS || !(await beganWithoutPassword(catalog, change))) throw reauthenticationRequired()
}

/** A password that the caller entered, and the one of the account. */
export interface EnteredPassword {
  readonly customerId: CustomerId
  /** Empty for none. */
  readonly currentPassword: string
  readonly passwordHash: string | undefined
}

/**
 * Whether the caller entered the password of the account; `false` for none, and where the account has none. Throws
 * `invalid_argument` for a wrong one, and `resource_exhausted`.
 */
export async function isPasswordRight(
  { passwords, attempts }: Pick<SetPasswordPorts, 'passwords' | 'attempts'>,
  { customerId, currentPassword, passwordHash }: EnteredPassword,
): Promise<boolean> {
  if (currentPassword === '' || passwordHash === undefined) return false
  await attempts.take(customerId)
  if (!(await passwords.verify(passwordHash, currentPassword, applicantOf({ customerId }))))
    throw wrongPassword()
  await attempts.clear(customerId)
  return true
}

/** Such a sign-in proves who the caller is, so that they can replace a forgotten password. */
async function beganWithoutPassword(catalog: Catalog, session: SessionKey): Promise<boolean> {
  const method = await findSessionMethod(catalog, session)
  return method === 'link' || method === 'google' || method === 'oidc'
}

/** Signed-in callers come before sign-ins. */
function applicantOf({ customerId }: Pick<SessionKey, 'customerId'>) {
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
    message: 'enter the current password, or sign in by email link and set the password within 10 minutes',
  })
}
