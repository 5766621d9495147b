import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerOf } from '../../access/caller.ts'
import {
  type PersonalTokenSchema,
  type TokensService,
  TokenScope as WireScope,
} from '../../contract/gen/millrace/account/v1/tokens_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { TokenScope } from '../../contract/token-scope.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listTokens, type PersonalToken, revokeToken } from '../../store/catalog/personal-tokens.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import { invalidField } from '../invalid-field.ts'
import { createToken } from './create-token.ts'

/** Dependencies of the service. */
export interface TokensPorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** `millrace.account.v1.TokensService`: the personal access tokens of the caller's own account. */
export function createTokensService({ catalog, clock }: TokensPorts): ServiceImpl<typeof TokensService> {
  return {
    list: async (_, context) => ({
      tokens: (await listTokens(catalog, customerOf(context).customerId)).map(toMessage),
    }),
    create: async (request, context) => {
      const session = customerOf(context)
      const { customerId } = session
      // A token outlives the session, and needs no second factor.
      await requireRecentProof({ catalog, clock }, session)
      const scope = parseScope(request.scope)
      const { token, text } = await createToken({ catalog, clock }, { ...request, customerId, scope })
      // The token is shown only once: no cache may store it.
      context.responseHeader.set('cache-control', 'no-store')
      return { token: toMessage(token), text }
    },
    revoke: async ({ id }, context) => {
      const { customerId } = customerOf(context)
      if (!(await revokeToken(catalog, { customerId, id }))) throw tokenNotFound()
      return {}
    },
  }
}

const TO_WIRE = {
  read: WireScope.READ,
  write: WireScope.WRITE,
  admin: WireScope.ADMIN,
} as const satisfies Record<TokenScope, WireScope>

function parseScope(scope: WireScope): TokenScope {
  if (scope === WireScope.READ) return 'read'
  if (scope === WireScope.WRITE) return 'write'
  if (scope === WireScope.ADMIN) return 'admin'
  throw invalidField('scope', 'must be a scope')
}

function toMessage(token: PersonalToken): MessageInitShape<typeof PersonalTokenSchema> {
  const { id, displayName, scope, projectIds, masked, createdMs, expiresMs, lastUsedMs } = token
  return {
    id,
    displayName,
    scope: TO_WIRE[scope],
    projectIds: projectIds.map(String),
    masked,
    createTime: timestampFromMs(createdMs),
    expireTime: timestampFromMs(expiresMs),
    ...(lastUsedMs === undefined ? {} : { lastUsedTime: timestampFromMs(lastUsedMs) }),
  }
}

function tokenNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'TOKEN_NOT_FOUND',
    message: 'the account has no such token',
  })
}
