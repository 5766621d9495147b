import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import type {
  AssistantSchema,
  AssistantsService,
} from '../../contract/gen/millrace/account/v1/assistants_service_pb.js'
import { TokenScope } from '../../contract/gen/millrace/account/v1/tokens_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { type AssistantGrant, endGrant, listGrants } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import { invalidField } from '../invalid-field.ts'
import { connectAssistant } from './connect-assistant.ts'
import { findRequest } from './consent-request.ts'
import { sealTicket } from './consent-ticket.ts'
import { ENDPOINTS } from './oauth-paths.ts'

/** Dependencies of the service. */
export interface AssistantsPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  readonly publicUrl: string
}

/** `millrace.account.v1.AssistantsService`: the consents of the caller's own account. */
export function createAssistantsService(ports: AssistantsPorts): ServiceImpl<typeof AssistantsService> {
  const { catalog, clock } = ports
  return {
    list: async (_, context) => {
      const grants = await listGrants(catalog, clock, customerOf(context).customerId)
      return { assistants: grants.map(toMessage) }
    },
    getRequest: async ({ requestId }) => {
      const { clientName: displayName, redirectHost, scope } = await findRequest(ports, requestId)
      return { displayName, redirectHost, scope: TO_WIRE[scope] }
    },
    connect: async ({ requestId, projectId, scope }, context) => {
      const session = customerOf(context)
      const { customerId } = session
      // A connection outlives the session, and needs no second factor.
      await requireRecentProof(ports, session)
      const wanted = parseScope(scope)
      const grant = await connectAssistant(ports, { requestId, customerId, projectId, scope: wanted })
      const ticket = sealTicket(ports, requestId, { kind: 'connected', grantId: grant.id, customerId })
      context.responseHeader.set('cache-control', 'no-store')
      return { continueUrl: continueUrlOf(ports, requestId, ticket) }
    },
    refuse: async ({ requestId }, context) => {
      await findRequest(ports, requestId)
      context.responseHeader.set('cache-control', 'no-store')
      return {
        continueUrl: continueUrlOf(ports, requestId, sealTicket(ports, requestId, { kind: 'refused' })),
      }
    },
    disconnect: async ({ id }, context) => {
      const { customerId } = customerOf(context)
      if (!(await endGrant(catalog, { customerId, id }))) throw assistantNotFound()
      return {}
    },
  }
}

function continueUrlOf({ publicUrl }: AssistantsPorts, requestId: string, ticket: string): string {
  const url = new URL(`${ENDPOINTS.authorization}/${encodeURIComponent(requestId)}`, publicUrl)
  url.searchParams.set('answer', ticket)
  return url.href
}

const TO_WIRE = { read: TokenScope.READ, write: TokenScope.WRITE } as const satisfies Record<
  AssistantGrant['scope'],
  TokenScope
>

function parseScope(scope: TokenScope): AssistantGrant['scope'] {
  if (scope === TokenScope.READ) return 'read'
  if (scope === TokenScope.WRITE) return 'write'
  throw invalidField('scope', 'must be read or write')
}

function toMessage(grant: AssistantGrant): MessageInitShape<typeof AssistantSchema> {
  const { id, clientName, redirectHost, scope, projectId, createdMs, expiresMs, lastUsedMs } = grant
  return {
    id,
    displayName: clientName,
    redirectHost,
    scope: TO_WIRE[scope],
    projectId: String(projectId),
    createTime: timestampFromMs(createdMs),
    expireTime: timestampFromMs(expiresMs),
    ...(lastUsedMs === undefined ? {} : { lastUsedTime: timestampFromMs(lastUsedMs) }),
  }
}

function assistantNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'ASSISTANT_NOT_FOUND',
    message: 'the account has no such connected assistant',
  })
}
