import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import type { SecondFactorsService } from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { sessionEnded } from '../access/access-errors.ts'
import { endOtherSessions, isSessionActive, type SessionKey } from '../customers/account-sessions.ts'
import { listPasskeys } from '../factors/passkeys.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { findProof, noteProof, requireRecentProof } from '../factors/second-factor.ts'
import { generateSecret, secretUri } from '../factors/totp.ts'
import { findTotp, storeTotp } from '../factors/totp-factor.ts'
import { listRequiringOrganisations } from '../organisations/second-factor-rule.ts'
import { createPasskeyMethods, toMessage } from './passkey-methods.ts'
import {
  type Caller,
  prove,
  removeOwnFactor,
  requireOwner,
  type SecondFactorsPorts,
} from './prove-second-factor.ts'

/** Time to install an app and to scan the code. */
const SET_UP_MS = 15 * 60_000

const PURPOSE = 'totp set-up'

/** `millrace.account.v1.SecondFactorsService`: the second factor of the caller's own account. */
export function createSecondFactorsService(
  ports: SecondFactorsPorts,
): ServiceImpl<typeof SecondFactorsService> {
  return {
    ...createPasskeyMethods(ports),
    get: async (_, context) => await readState(ports, customerOf(context)),
    startTotp: async ({ currentPassword }, context) => {
      const caller = hideAnswer(context)
      const { email } = await requireOwner(ports, { ...caller, currentPassword })
      const secret = generateSecret()
      return { secret, uri: secretUri(secret, email), attempt: sealSetUp(ports, caller, secret) }
    },
    confirmTotp: async ({ attempt, code }, context) => {
      const caller = hideAnswer(context)
      const secret = openSetUp(ports, caller, attempt)
      return { recoveryCodes: await confirm(ports, caller, { secret, code: code.replaceAll(/\s/g, '') }) }
    },
    prove: async (proof, context) => {
      await prove(ports, customerOf(context), { ...proof, work: async () => undefined })
      return {}
    },
    replaceRecoveryCodes: async (proof, context) => {
      const caller = hideAnswer(context)
      const work = async (catalog: Catalog): Promise<string[]> =>
        await replaceRecoveryCodes({ ...ports, catalog }, caller.customerId)
      return { recoveryCodes: await prove(ports, caller, { ...proof, work }) }
    },
    remove: async (proof, context) => {
      const caller = customerOf(context)
      const work = async (catalog: Catalog): Promise<void> =>
        await removeOwnFactor({ ...ports, catalog }, caller)
      await prove(ports, caller, { ...proof, work })
      return {}
    },
  }
}

/** The answer has a secret, which caches must not store. */
function hideAnswer(context: HandlerContext): Caller {
  context.responseHeader.set('cache-control', 'no-store')
  return customerOf(context)
}

async function readState({ catalog, relyingParty }: SecondFactorsPorts, { customerId, sessionId }: Caller) {
  const totp = await findTotp(catalog, customerId)
  const passkeys = await listPasskeys(catalog, customerId)
  const proofMs = await findProof(catalog, { customerId, sessionId })
  return {
    ...(totp && {
      hasTotp: true,
      createTime: timestampFromMs(totp.createdMs),
      lastUsedTime: timestampFromMs(totp.lastMs),
    }),
    recoveryCodesLeft: await countRecoveryCodes(catalog, customerId),
    requiredBy: await listRequiringOrganisations(catalog, customerId),
    ...(proofMs > 0 && { proofTime: timestampFromMs(proofMs) }),
    passkeys: passkeys.map(toMessage),
    passkeyOrigin: relyingParty?.origin ?? '',
  }
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
