import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import type {
  PasskeySchema,
  SecondFactorsService,
} from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { hasSecondFactor } from '../../store/catalog/has-second-factor.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { sessionEnded } from '../access/access-errors.ts'
import { endOtherSessions, isSessionActive } from '../customers/account-sessions.ts'
import {
  type CheckedRegistration,
  checkRegistration,
  startProof,
  startRegistration,
  useRegistration,
} from '../factors/passkey-factor.ts'
import { deletePasskey, insertPasskey, type Passkey, renamePasskey } from '../factors/passkeys.ts'
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { tellOwner } from '../factors/removal-mail.ts'
import { noteProof, requireRecentProof } from '../factors/second-factor.ts'
import {
  type Caller,
  prove,
  removeOwnFactor,
  requireOwner,
  type SecondFactorsPorts,
} from './prove-second-factor.ts'

type Methods = Pick<
  ServiceImpl<typeof SecondFactorsService>,
  'startPasskey' | 'confirmPasskey' | 'renamePasskey' | 'removePasskey' | 'startProof'
>

/** The methods of `SecondFactorsService` about passkeys. */
export function createPasskeyMethods(ports: SecondFactorsPorts): Methods {
  return {
    startPasskey: async ({ currentPassword }, context) => {
      const caller = customerOf(context)
      const account = await requireOwner(ports, { ...caller, currentPassword })
      return { options: await startRegistration(ports, account, caller.sessionId) }
    },
    confirmPasskey: async ({ passkey, displayName }, context) => {
      // The answer may have recovery codes, which caches must not store.
      context.responseHeader.set('cache-control', 'no-store')
      const caller = customerOf(context)
      const { customerId, sessionId: within } = caller
      const checked = await checkRegistration(ports, { customerId, within, passkey })
      const { stored, recoveryCodes } = await confirm(ports, caller, { checked, displayName })
      return { passkey: toMessage(stored), recoveryCodes }
    },
    renamePasskey: async ({ id, displayName }, context) => {
      const { customerId } = customerOf(context)
      return { passkey: toMessage(await renamePasskey(ports.catalog, { customerId, id, displayName })) }
    },
    removePasskey: async ({ id, code, passkey }, context) => {
      const caller = customerOf(context)
      const work = async (catalog: Catalog): Promise<void> => await remove({ ...ports, catalog }, caller, id)
      await prove(ports, caller, { code, passkey, work })
      return {}
    },
    startProof: async (_, context) => {
      const { customerId, sessionId: within } = customerOf(context)
      return { options: await startProof(ports, { customerId, use: 'proof', within }) }
    },
  }
}

async function confirm(
  ports: SecondFactorsPorts,
  caller: Caller,
  { checked, displayName }: { readonly checked: CheckedRegistration; readonly displayName: string },
): Promise<{ readonly stored: Passkey; readonly recoveryCodes: string[] }> {
  const { clock, sealer } = ports
  const { customerId } = caller
  return await inTransaction(ports.catalog, async (catalog) => {
    if (!(await isSessionActive({ catalog, clock }, caller))) throw sessionEnded()
    // Another session may have set up a factor in the meantime.
    await requireRecentProof({ catalog, clock }, caller)
    await useRegistration({ catalog, clock, sealer }, checked)
    const isFirst = !(await hasSecondFactor(catalog, customerId))
    const stored = await insertPasskey(catalog, clock, { ...checked.found, customerId, displayName })
    if (!isFirst) return { stored, recoveryCodes: [] }
    await noteProof({ catalog, clock }, caller)
    await endOtherSessions(catalog, caller)
    return { stored, recoveryCodes: await replaceRecoveryCodes({ catalog, sealer }, customerId) }
  })
}

/** The last factor of an account takes its recovery codes with it. */
async function remove(ports: SecondFactorsPorts, { customerId }: Caller, id: string): Promise<void> {
  const { catalog, sendMail } = ports
  const { displayName: passkey } = await deletePasskey(catalog, { customerId, id })
  if (await hasSecondFactor(catalog, customerId))
    await tellOwner(sendMail, catalog, { customerId, by: 'owner', passkey })
  else await removeOwnFactor(ports, { customerId })
}

/** A passkey as the interface has it. */
export function toMessage(passkey: Passkey): MessageInitShape<typeof PasskeySchema> {
  const { id, displayName, rpId: host, createdMs, lastUsedMs } = passkey
  return {
    id,
    displayName,
    host,
    createTime: timestampFromMs(createdMs),
    ...(lastUsedMs > 0 && { lastUsedTime: timestampFromMs(lastUsedMs) }),
  }
}
