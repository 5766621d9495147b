import { randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { findCustomer } from '../customers/customers.ts'
import {
  beginSession,
  type RefreshSession,
  type SessionStart,
  type SignInMethod,
} from '../customers/refresh-sessions.ts'
import { startProof } from '../factors/passkey-factor.ts'
import { useProof } from '../factors/second-factor.ts'
import { findTotp } from '../factors/totp-factor.ts'
import { prepareWebAuthn } from '../factors/webauthn.ts'
import { useResponse } from '../used-responses.ts'
import type { AuthPorts } from './auth-ports.ts'
import { nameOrigin } from './known-networks.ts'

/** Time to prove the second factor. */
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
  if (!(await hasSecondFactor(ports.catalog, customerId)))
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

/** How a sign-in can go on. */
export interface SecondFactorWays {
  readonly hasTotp: boolean
  /** JSON; empty if the account has no passkey for this host. */
  readonly passkeyOptions: string
}

/** The ways of a sign-in whose second factor is due. Throws `unauthenticated` for an attempt that has expired. */
export async function startSecondFactor(ports: AuthPorts, attempt: string): Promise<SecondFactorWays> {
  const { catalog, clock, oidc, relyingParty } = ports
  const { id: within, customerId } = openDue(ports, attempt)
  const passkeyPorts = { catalog, clock, sealer: oidc.sealer, relyingParty }
  return {
    hasTotp: (await findTotp(catalog, customerId)) !== undefined,
    passkeyOptions: await startProof(passkeyPorts, { customerId, use: 'sign-in', within }),
  }
}

/** The answer of a caller to a {@link SecondFactorDue}. */
export interface SecondFactorAnswer {
  readonly attempt: string
  /** Empty with a passkey. */
  readonly code: string
  /** JSON of the response of a passkey; empty with a code. */
  readonly passkey: string
  readonly network: string
}

/**
 * Starts the session of a sign-in whose second factor is proved. Throws `invalid_argument` for a wrong proof, `unauthenticated` for
 * an attempt that has expired or was completed, and `resource_exhausted`.
 */
export async function completeSecondFactor(
  ports: AuthPorts,
  { attempt, code, passkey, network }: SecondFactorAnswer,
): Promise<SignInResult> {
  const due = openDue(ports, attempt)
  const { customerId } = due
  const customer = await findCustomer(ports.catalog, customerId)
  if (!customer) throw invalidStep()
  const origin = { email: customer.email, network }
  const succeed = await countProof(ports, customerId, origin)
  if (passkey !== '') await prepareWebAuthn()
  const session = await inTransaction(
    ports.catalog,
    async (catalog) => await complete({ ...ports, catalog }, { ...due, code, passkey }),
  )
  await succeed()
  await ports.networks.remember(origin)
  return { ...session, isPasswordRemoved: due.isPasswordRemoved }
}

async function complete(
  ports: AuthPorts,
  due: OpenedDue & Pick<SecondFactorAnswer, 'code' | 'passkey'>,
): Promise<RefreshSession> {
  const { catalog, clock, oidc, relyingParty } = ports
  const { sealer } = oidc
  const { id: within, customerId, method, identity, code, passkey } = due
  if ((await stampOf(ports, customerId)) !== due.password) throw invalidStep()
  if (identity && !(await isConnected(ports, identity.id))) throw invalidStep()
  const proof = { customerId, code, passkey, use: 'sign-in', within } as const
  await useProof({ catalog, clock, sealer, relyingParty }, proof)
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

/** Counts a proof before it is checked: those from networks of the account by themselves, so that others cannot keep its owner out. */
async function countProof(
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

type OpenedDue = DueSignIn & { readonly customerId: CustomerId }

/** Throws `unauthenticated` for a step that has expired, and for one of another service. */
function openDue({ oidc, clock }: AuthPorts, attempt: string): OpenedDue {
  const due = readDue(oidc.sealer, attempt)
  if (due.expiresMs <= clock.nowMs()) throw invalidStep()
  return { ...due, customerId: asCustomerId(due.customerId) }
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
