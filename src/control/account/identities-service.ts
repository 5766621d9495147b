import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, customerOf } from '../../access/caller.ts'
import {
  type IdentitiesService,
  type Identity as IdentityMessage,
  IdentitySchema,
} from '../../contract/gen/millrace/account/v1/identities_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ProviderPorts } from '../auth/provider-ports.ts'
import { startProviderSignIn } from '../auth/provider-sign-in.ts'
import { deleteIdentity, type Identity, listIdentities } from '../oidc/identities.ts'

/** A token that was stolen must not connect the identity of the thief: the sign-in must be this recent. */
const FRESH_MS = 10 * 60_000

/** Dependencies of identities. */
export interface IdentitiesPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly oidc: ProviderPorts
}

/** `millrace.account.v1.IdentitiesService`: the users of providers who sign in to the caller's own account. */
export function createIdentitiesService(ports: IdentitiesPorts): ServiceImpl<typeof IdentitiesService> {
  const { catalog, clock, oidc } = ports
  const providerIds = new Map(oidc.providers.map(({ issuer, id }) => [issuer, id]))
  return {
    list: async (_, context) => {
      const found = await listIdentities(catalog, customerIdOf(context))
      return { identities: found.map((identity) => toMessage(identity, providerIds)) }
    },
    connect: async ({ providerId }, context) => {
      const { customerId, sessionId, signedInMs } = customerOf(context)
      oidc.clientOf(providerId)
      if (clock.nowMs() - signedInMs > FRESH_MS) throw signInAgain()
      context.responseHeader.set('cache-control', 'no-store')
      return await startProviderSignIn(ports, {
        providerId,
        loginHint: '',
        connect: { customerId, sessionId },
      })
    },
    disconnect: async ({ id }, context) => {
      await deleteIdentity(catalog, { id, customerId: customerIdOf(context) })
      return {}
    },
  }
}

function toMessage(
  { id, issuer, email, createdMs, lastMs }: Identity,
  providerIds: ReadonlyMap<string, string>,
): IdentityMessage {
  return create(IdentitySchema, {
    id,
    providerId: providerIds.get(issuer) ?? '',
    issuerUrl: issuer,
    email,
    createTime: timestampFromMs(createdMs),
    lastUsedTime: timestampFromMs(lastMs),
  })
}

function signInAgain(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'REAUTHENTICATION_REQUIRED',
    message: 'sign in again and connect the provider within 10 minutes',
  })
}
