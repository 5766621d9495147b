import { createContextKey, type HandlerContext } from '@connectrpc/connect'
import { assert } from '../kernel/assert.ts'
import type { ApiKeyGrant } from '../store/catalog/api-keys.ts'

/** Id of the request, from the edge. */
export const requestIdKey = createContextKey('', { description: 'request id' })

/** What the credential of the request grants; set before any handler of a `shared.*` service runs. */
export const grantKey = createContextKey<ApiKeyGrant | undefined>(undefined, { description: 'grant' })

/** The grant of an authenticated call. */
export function grantOf(context: HandlerContext): ApiKeyGrant {
  const grant = context.values.get(grantKey)
  assert(grant, 'a handler ran without authentication')
  return grant
}
