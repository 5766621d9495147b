import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { ErrorReason, ServiceError } from '../../contract/service-error.ts'
import { negotiateCoding } from '../../rpc/coding.ts'
import { COMPRESS_BYTES_MIN } from '../../rpc/compression.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { CONNECT_COMPRESSIONS } from '../../rpc/connect-adapter/compression.ts'
import { HTTP_STATUS } from '../../rpc/connect-error-wire.ts'
import { encodeJsonRpcError } from '../../rpc/json-rpc-error.ts'

/** Reasons with a more specific HTTP status than their code, as in RPCs. */
const STATUS_BY_REASON: Partial<Record<ErrorReason, number>> = {
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
}

/** A request that is rejected as a whole. */
export interface Refusal {
  readonly error: ServiceError
  readonly requestId: string
  /** Headers of the request. */
  readonly sent: Headers
  /** Where a client learns how to get a token; absent when it cannot. */
  readonly resourceMetadataUrl?: string | undefined
}

/** The response: the status of an RPC with this error, and a JSON-RPC error without an id. */
export function refuse({ error, requestId, sent, resourceMetadataUrl }: Refusal): UniversalServerResponse {
  const status = STATUS_BY_REASON[error.reason] ?? HTTP_STATUS[error.code]
  const header = new Headers({ 'content-type': 'application/json' })
  if (status === 405) header.set('allow', 'POST')
  if (status === 401) header.set('www-authenticate', challenge(sent, resourceMetadataUrl))
  if (error.retryAfterSeconds !== undefined) header.set('retry-after', String(error.retryAfterSeconds))
  return { status, header, body: streamBytes(Buffer.from(encodeJsonRpcError(error, requestId))) }
}

/**
 * The challenge of RFC 6750 section 3, with the address of RFC 9728 section 5.1; `error` is set when the request had a credential. Every
 * tool reads, so clients ask for no more.
 */
function challenge(sent: Headers, resourceMetadataUrl: string | undefined): string {
  const wasSent = ['authorization', 'x-api-key'].some((name) => (sent.get(name) ?? '') !== '')
  const parts = [
    'realm="millrace"',
    ...(wasSent ? ['error="invalid_token"'] : []),
    ...(resourceMetadataUrl === undefined
      ? []
      : [`resource_metadata="${resourceMetadataUrl}"`, 'scope="read"']),
  ]
  return `Bearer ${parts.join(', ')}`
}

/** Converts a complete response, compressed as `accept` prefers: results contain each value twice and compress well. */
export async function writeAnswer(response: Response, accept: string): Promise<UniversalServerResponse> {
  const { status } = response
  const header = new Headers(response.headers)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const coding = bytes.length < COMPRESS_BYTES_MIN ? 'identity' : negotiateCoding(accept)
  const compression = CONNECT_COMPRESSIONS.find(({ name }) => name === coding)
  if (!compression) return { status, header, body: streamBytes(bytes) }
  header.set('content-encoding', coding)
  header.set('vary', 'accept-encoding')
  return { status, header, body: streamBytes(await compression.compress(bytes)) }
}
