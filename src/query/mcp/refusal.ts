import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { ErrorReason, ServiceError } from '../../contract/service-error.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { HTTP_STATUS } from '../../rpc/connect-error-wire.ts'
import { encodeJsonRpcError } from '../../rpc/json-rpc-error.ts'

/** Where HTTP has a better word than the code of an error, as for RPCs. */
const STATUS_BY_REASON: Partial<Record<ErrorReason, number>> = {
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
}

/** A request that is refused as a whole. */
export interface Refusal {
  readonly error: ServiceError
  readonly requestId: string
  /** Of the request. */
  readonly sent: Headers
}

/** The answer to it: the status that an RPC has, and an error of JSON-RPC without an id. */
export function refuse({ error, requestId, sent }: Refusal): UniversalServerResponse {
  const status = STATUS_BY_REASON[error.reason] ?? HTTP_STATUS[error.code]
  const header = new Headers({ 'content-type': 'application/json' })
  if (status === 405) header.set('allow', 'POST')
  if (status === 401) header.set('www-authenticate', challenge(sent))
  if (error.retryAfterSeconds !== undefined) header.set('retry-after', String(error.retryAfterSeconds))
  return { status, header, body: streamBytes(Buffer.from(encodeJsonRpcError(error, requestId))) }
}

/** RFC 6750 section 3: what a client that was not let in should send, and whether what it sent was wrong. */
function challenge(sent: Headers): string {
  const wasSent = ['authorization', 'x-api-key'].some((name) => (sent.get(name) ?? '') !== '')
  return `Bearer realm="millrace"${wasSent ? ', error="invalid_token"' : ''}`
}
