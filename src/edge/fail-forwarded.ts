import type { ServiceError } from '../contract/service-error.ts'
import { type Answer, errorAnswer } from '../rpc/answer.ts'
import { encodeConnectEndStream } from '../rpc/connect-error-wire.ts'
import { type ContentType, parseContentType } from '../rpc/content-type.ts'
import { type AllowedOrigins, corsHeaders } from '../rpc/cors.ts'
import { encodeJsonRpcError, MCP_PATH } from '../rpc/json-rpc-error.ts'
import { openUnaryCall } from '../rpc/open-unary-call.ts'
import { REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import { bodyBytesMaxOf } from '../rpc/request-message.ts'

/** Facts about a forwarded request that its error answer needs, in its own protocol. */
export interface ForwardedCall {
  readonly path: string
  readonly contentType: string
  readonly origin: string
  readonly requestId: string
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins | undefined
  /** False where the transport cannot send HTTP trailers. */
  readonly hasTrailers: boolean
}

/** The answer of the edge itself in the protocol of a forwarded call; a plain JSON error when it has none. */
export function failForwarded(call: ForwardedCall, error: ServiceError, domain: string): Answer {
  const context = { requestId: call.requestId, domain }
  if (call.path === MCP_PATH)
    return { ...errorAnswer(error, context), body: encodeJsonRpcError(error, call.requestId) }
  const type = parseContentType(call.contentType)
  if (type?.stream) return failConnectStream(type, call, encodeConnectEndStream(error, context))
  const opened = openUnaryCall(
    {
      method: 'POST',
      path: call.path,
      hasTrailers: call.hasTrailers,
      header: (name) => headerOf(call, name),
    },
    { domain, allowedOrigins: call.allowedOrigins },
  )
  if (opened.kind === 'call') return opened.fail(error)
  const answer = errorAnswer(error, context)
  return { ...answer, headers: [...answer.headers, ...corsHeaders(call, call.allowedOrigins)] }
}

/** Bytes of the longest body that a forwarded call may have. */
export function forwardedBytesMax(contentType: string, messageBytesMax: number): number {
  const type = parseContentType(contentType)
  return type === undefined ? messageBytesMax : bodyBytesMaxOf(type, messageBytesMax)
}

/** A Connect stream carries its error in the last envelope; its status is always 200. */
function failConnectStream(type: ContentType, call: ForwardedCall, body: Buffer): Answer {
  const headers = [
    ['content-type', type.name],
    [REQUEST_ID_HEADER, call.requestId],
    ...corsHeaders(call, call.allowedOrigins),
  ] as const
  return { status: 200, headers, body }
}

function headerOf(call: ForwardedCall, name: string): string | undefined {
  if (name === 'content-type') return call.contentType
  if (name === 'origin') return call.origin
  return name === REQUEST_ID_HEADER ? call.requestId : undefined
}
