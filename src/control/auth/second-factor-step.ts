import { randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { findCustomer } from '../customers/customers.ts'
import {
  beginSession,
  type RefreshSession,
  type SessionStart,
  type SignInMethod,
} from '../customers/refresh-sessions.ts'
import { findSecondFactor, useCode } from '../factors/second-factor.ts'
import { useResponse } from '../oidc/used-responses.ts'
import type { AuthPorts } from './auth-ports.ts'
import { nameOrigin } from './known-networks.ts'

/** Time to enter the code. */
const LIFETIME_MS = 10 * 60_000

const PURPOSE = 'second factor due'

/** A first factor is right, and the account has a second one: there is no session yet. */
export interface SecondFactorDue {
  readonly customerId: CustomerId
  /** Encrypted; for the caller who signed in. */
  readonly secondFactor: string
}

/** The session of a sign-in, or the next step. */
export type SignInResult = (RefreshSession | SecondFactorDue) & {
  /** Whether the account has lost a password that its inviter could have set. */
  readonly isPasswordRemoved?: boolean
}

interface DueSignIn {
  readonly id: string
  readonly customerId: string
  readonly method: SignInMethod
  readonly identity: SessionStart['identity']
  readonly isPasswordRemoved: boolean
  /** The password of the account: a sign-in does not outlive a change of it. */
  readonly password: string
  readonly expiresMs: number
}

/** Whether a sign-in waits for its second factor. */
export function isDue(result: SignInResult): result is SecondFactorDue & SignInResult {
  return 'secondFactor' in result
}

/**
 * Starts the session of an account that proved its first factor, within a transaction, unless it has a second one to prove.
 * Like a sign-in with a provider, the step is stored with its caller, so that started ones cannot fill anything.
 */
export async function beginOrDefer(
  ports: AuthPorts,
  start: SessionStart & { readonly isPasswordRemoved?: boolean },
): Promise<SignInResult> {
  const { isPasswordRemoved = false, customerId, method, identity } = start
  if (!(await findSecondFactor(ports.catalog, customerId)))
    return { ...(await beginSession(ports, start)), isPasswordRemoved }
  const due: DueSignIn = {
    id: randomUUID(),
    customerId,
    method,
    identity,
    isPasswordRemoved,
    password: await stampOf(ports, customerId),
    expiresMs: ports.clock.nowMs() + LIFETIME_MS,
  }
  const secondFactor = ports.oidc.sealer.seal({ purpose: PURPOSE, text: JSON.stringify(due) })
  return { customerId, secondFactor, isPasswordRemoved }
}

/** The answer of a caller to a {@link SecondFactorDue}. */
export interface SecondFactorAnswer {
  readonly attempt: string
  readonly code: string
  readonly network: string
}

/**
 * Starts the session of a sign-in whose second factor is proved. Throws `invalid_argument` for a wrong code, `unauthenticated` for
 * an attempt that has expired or was completed, and `resource_exhausted`.
 */
export async function completeSecondFactor(
  ports: AuthPorts,
  { attempt, code, network }: SecondFactorAnswer,
): Promise<SignInResult> {
  const due = readDue(ports.oidc.sealer, attempt)
  if (due.expiresMs <= ports.clock.nowMs()) throw invalidStep()
  const customerId = asCustomerId(due.customerId)
  const customer = await findCustomer(ports.catalog, customerId)
  if (!customer) throw invalidStep()
  const origin = { email: customer.email, network }
  const succeed = await countCode(ports, customerId, origin)
  const session = await inTransaction(
    ports.catalog,
    async (catalog) => await complete({ ...ports, catalog }, { ...due, customerId, code }),
  )
  await succeed()
  await ports.networks.remember(origin)
  return { ...session, isPasswordRemoved: due.isPasswordRemoved }
}

async function complete(
  ports: AuthPorts,
  due: DueSignIn & { readonly customerId: CustomerId; readonly code: string },
): Promise<RefreshSession> {
  const { catalog, clock, oidc } = ports
  const { sealer } = oidc
  const { customerId, method, identity, code } = due
  if ((await stampOf(ports, customerId)) !== due.password) throw invalidStep()
  if (identity && !(await isConnected(ports, identity.id))) throw invalidStep()
  await useCode({ catalog, clock, sealer }, { customerId, code })
  const isFirst = await useResponse(
    { catalog, clock, sealer },
    { issuer: 'millrace', kind: 'second factor', value: due.id },
  )
  if (!isFirst) throw invalidStep()
  return await beginSession(ports, {
    customerId,
    method,
    factorMs: clock.nowMs(),
    ...(identity && { identity }),
  })
}

/** Counts a code before it is checked: those from networks of the account by themselves, so that others cannot keep its owner out. */
async function countCode(
  { limits, networks }: AuthPorts,
  customerId: CustomerId,
  origin: { readonly email: string; readonly network: string },
): Promise<() => Promise<void>> {
  const isKnown = (await networks.standingOf(origin)) === 'account'
  const [limiter, name] = isKnown
    ? [limits.codesOfOrigin, nameOrigin(origin)]
    : [limits.codesOfAccount, customerId]
  await limiter.take(name)
  return async () => await limiter.clear(name)
}

/** A digest that changes with the password. */
async function stampOf({ catalog, oidc }: AuthPorts, customerId: CustomerId): Promise<string> {
  const customer = await findCustomer(catalog, customerId)
  return oidc.sealer.digest({ purpose: 'password of a sign-in', text: customer?.passwordHash ?? '' })
}

async function isConnected({ catalog }: AuthPorts, identityId: string): Promise<boolean> {
  const row = await catalog
    .selectFrom('identities')
    .select('id')
    .where('id', '=', identityId)
    .executeTakeFirst()
  return row !== undefined
}

function readDue(sealer: Sealer, sealed: string): DueSignIn {
  try {
    return JSON.parse(sealer.unseal({ purpose: PURPOSE, sealed }))
  } catch {
    // Only what this service sealed can be opened.
    throw invalidStep()
  }
}

function invalidStep(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'SIGN_IN_ATTEMPT_INVALID',
    message: 'this sign-in has expired or was completed before; start again',
  })
}
