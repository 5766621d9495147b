import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerOf, projectAccessOf } from '../../access/caller.ts'
import type { ApiKeysService } from '../../contract/gen/millrace/keys/v1/api_keys_service_pb.js'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import { invalidField } from '../invalid-field.ts'
import { toApiKey } from './api-key-message.ts'
import { parseFuture, parseKeyLimits } from './parse-key-limits.ts'
import { limitProjectKey, rotateProjectKey } from './project-keys.ts'

/** Dependencies of the service. */
export interface ApiKeysPorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** `millrace.keys.v1.ApiKeysService`: the limits and the rotation of keys. */
export function createApiKeysService({ catalog, clock }: ApiKeysPorts): ServiceImpl<typeof ApiKeysService> {
  return {
    update: async (request, context) => {
      const limits = parseKeyLimits(clock, request)
      await requireRecentProof({ catalog, clock }, customerOf(context))
      return {
        apiKey: toApiKey(await limitProjectKey(catalog, { ...keyOf(context, request.id), ...limits })),
      }
    },
    rotate: async ({ id, oldExpireTime, expireTime }, context) => {
      if (!oldExpireTime) throw invalidField('oldExpireTime', 'is required')
      const rotation = {
        ...keyOf(context, id),
        oldExpiresMs: parseFuture(clock, oldExpireTime, 'oldExpireTime'),
        expiresMs: expireTime && parseFuture(clock, expireTime, 'expireTime'),
      }
      await requireRecentProof({ catalog, clock }, customerOf(context))
      const { created, replaced } = await rotateProjectKey(catalog, clock, rotation)
      // The key is shown only once: no cache may store it.
      context.responseHeader.set('cache-control', 'no-store')
      return { apiKey: toApiKey(created.row), key: created.text, oldApiKey: toApiKey(replaced) }
    },
  }
}

function keyOf(context: HandlerContext, id: string) {
  return { projectId: projectAccessOf(context).projectId, id }
}
