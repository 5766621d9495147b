import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import type { SecondFactorsService } from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidToken, sessionEnded } from '../access/access-errors.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import { endOtherSessions, isSessionActive, type SessionKey } from '../customers/account-sessions.ts'
import { findCustomer } from '../customers/customers.ts'
import { notSetUp, stillRequired } from '../factors/factor-errors.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import {
  findProof,
  findSecondFactor,
  noteProof,
  removeSecondFactor,
  requireRecentProof,
  storeTotp,
  useCode,
} from '../factors/second-factor.ts'
import { generateSecret, secretUri } from '../factors/totp.ts'
import { listRequiringOrganisations } from '../organisations/second-factor-rule.ts'
import { isPasswordRight, type SetPasswordPorts } from './set-password.ts'

/** Time for which a sign-in proves who the caller of an account without a second factor is. */
const FRESH_MS = 10 * 60_000

/** Time to install an app and to scan the code. */
const SET_UP_MS = 15 * 60_000

const PURPOSE = 'totp set-up'

/** Dependencies of second factors. */
export interface SecondFactorsPorts
  extends Pick<SetPasswordPorts, 'catalog' | 'clock' | 'passwords' | 'attempts'> {
  readonly sealer: Sealer
  /** Limits guesses of codes by signed-in callers. */
  readonly codes: AttemptLimiter
}

type Caller = ReturnType<typeof customerOf>

/** `millrace.account.v1.SecondFactorsService`: the second factor of the caller's own account. */
export function createSecondFactorsService(
  ports: SecondFactorsPorts,
): ServiceImpl<typeof SecondFactorsService> {
  return {
    get: async (_, context) => await readState(ports.catalog, customerOf(context)),
    startTotp: async ({ currentPassword }, context) => {
      const caller = hideAnswer(context)
      const email = await requireOwner(ports, { ...caller, currentPassword })
      const secret = generateSecret()
      return { secret, uri: secretUri(secret, email), attempt: sealSetUp(ports, caller, secret) }
    },
    confirmTotp: async ({ attempt, code }, context) => {
      const caller = hideAnswer(context)
      const secret = openSetUp(ports, caller, attempt)
      return { recoveryCodes: await confirm(ports, caller, { secret, code: code.replaceAll(/\s/g, '') }) }
    },
    prove: async ({ code }, context) => {
      await prove(ports, { ...customerOf(context), code })
      return {}
    },
    replaceRecoveryCodes: async ({ code }, context) => {
      const { customerId, sessionId } = hideAnswer(context)
      const recoveryCodes = await prove(
        ports,
        { customerId, sessionId, code },
        async (catalog) => await replaceRecoveryCodes({ ...ports, catalog }, customerId),
      )
      return { recoveryCodes }
    },
    remove: async ({ code }, context) => {
      const { customerId, sessionId } = customerOf(context)
      await prove(ports, { customerId, sessionId, code }, async (catalog) => {
        const requiring = await listRequiringOrganisations(catalog, customerId)
        if (requiring.length > 0) throw stillRequired(requiring)
        await removeSecondFactor(catalog, customerId)
      })
      return {}
    },
  }
}

/** The answer has a secret, which caches must not store. */
function hideAnswer(context: HandlerContext): Caller {
  context.responseHeader.set('cache-control', 'no-store')
  return customerOf(context)
}

async function readState(catalog: Catalog, { customerId, sessionId }: Caller) {
  const requiredBy = await listRequiringOrganisations(catalog, customerId)
  const factor = await findSecondFactor(catalog, customerId)
  if (!factor) return { requiredBy }
  const proofMs = await findProof(catalog, { customerId, sessionId })
  return {
    hasTotp: true,
    createTime: timestampFromMs(factor.createdMs),
    lastUsedTime: timestampFromMs(factor.lastMs),
    recoveryCodesLeft: await countRecoveryCodes(catalog, customerId),
    requiredBy,
    ...(proofMs > 0 && { proofTime: timestampFromMs(proofMs) }),
  }
}

/** Throws unless the caller proves who they are: a stolen token must not give the account the factor of the thief. Returns the address. */
async function requireOwner(
  ports: SecondFactorsPorts,
  caller: Caller & { readonly currentPassword: string },
): Promise<string> {
  const { catalog, clock } = ports
  const customer = await findCustomer(catalog, caller.customerId)
  // The account was deleted after the token was issued.
  if (!customer) throw invalidToken()
  if (await findSecondFactor(catalog, caller.customerId)) {
    await requireRecentProof({ catalog, clock }, caller)
    return customer.email
  }
  const isRight = await isPasswordRight(ports, { ...caller, ...customer })
  if (!isRight && clock.nowMs() - caller.signedInMs > FRESH_MS) throw signInAgain()
  return customer.email
}

async function confirm(
  ports: SecondFactorsPorts,
  caller: Caller,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<string[]> {
  const { clock, sealer } = ports
  const { customerId } = caller
  return await inTransaction(ports.catalog, async (catalog) => {
    if (!(await isSessionActive({ catalog, clock }, caller))) throw sessionEnded()
    // Another session may have set one up in the meantime.
    await requireRecentProof({ catalog, clock }, caller)
    const recoveryCodes = await storeTotp({ catalog, clock, sealer }, { customerId, secret, code })
    await noteProof({ catalog, clock }, caller)
    await endOtherSessions(catalog, caller)
    return recoveryCodes
  })
}

async function doNothing(): Promise<void> {}

function prove(ports: SecondFactorsPorts, proof: SessionKey & { readonly code: string }): Promise<void>
function prove<T>(
  ports: SecondFactorsPorts,
  proof: SessionKey & { readonly code: string },
  work: (catalog: Catalog) => Promise<T>,
): Promise<T>
/** Uses up a code, and does `work` in the same transaction. Attempts count before they are checked. */
async function prove(
  ports: SecondFactorsPorts,
  proof: SessionKey & { readonly code: string },
  work: (catalog: Catalog) => Promise<unknown> = doNothing,
): Promise<unknown> {
  const { customerId } = proof
  if (!(await findSecondFactor(ports.catalog, customerId))) throw notSetUp()
  await ports.codes.take(customerId)
  const result = await inTransaction(ports.catalog, async (catalog) => {
    await useCode({ ...ports, catalog }, proof)
    await noteProof({ ...ports, catalog }, proof)
    return await work(catalog)
  })
  await ports.codes.clear(customerId)
  return result
}

function sealSetUp({ sealer, clock }: SecondFactorsPorts, caller: Caller, secret: string): string {
  const text = JSON.stringify({ secret, expiresMs: clock.nowMs() + SET_UP_MS })
  return sealer.seal({ purpose: purposeOf(caller), text })
}

/** The secret of a set-up that the caller started since signing in. Throws `invalid_argument` for another one. */
function openSetUp({ sealer, clock }: SecondFactorsPorts, caller: Caller, sealed: string): string {
  const { secret, expiresMs } = readSetUp(sealer, { purpose: purposeOf(caller), sealed })
  if (expiresMs <= clock.nowMs()) throw setUpExpired()
  return secret
}

function readSetUp(
  sealer: Sealer,
  sealed: { readonly purpose: string; readonly sealed: string },
): { readonly secret: string; readonly expiresMs: number } {
  try {
    return JSON.parse(sealer.unseal(sealed))
  } catch {
    // Only what this service sealed for the session can be opened.
    throw setUpExpired()
  }
}

function purposeOf({ customerId, sessionId }: SessionKey): string {
  return `${PURPOSE}/${customerId}/${sessionId}`
}

function setUpExpired(): ServiceError {
  const description = 'belongs to another sign-in, or has expired; start the set-up again'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: `attempt: ${description}`,
    violations: [{ field: 'attempt', description }],
  })
}

function signInAgain(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'REAUTHENTICATION_REQUIRED',
    message:
      'enter the password of the account, or sign in again and set up the second factor within 10 minutes',
  })
}
