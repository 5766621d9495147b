import type { DescMethod } from '@bufbuild/protobuf'
import type { ConnectError } from '@connectrpc/connect'
import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import type { ServiceError } from '../../contract/service-error.ts'
import { assert } from '../../kernel/assert.ts'
import { type Answer, errorAnswer, type HeaderField } from '../answer.ts'
import { outcomeKey } from '../call-context.ts'
import type { ErrorContext } from '../connect-error-wire.ts'
import { type ContentType, parseContentType } from '../content-type.ts'
import { type AllowedOrigins, corsHeaders } from '../cors.ts'
import { messageBytesMaxOf } from '../message-bounds.ts'
import { methodNotAllowed, unsupportedMediaType } from '../protocol-errors.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../request-id.ts'
import { streamBytes } from './byte-stream.ts'
import { adaptRequest } from './request.ts'
import { adaptResponse } from './response.ts'

/** A connect-es handler of one method, from `createConnectRouter().handlers`. */
export interface ConnectHandler extends UniversalHandlerFn {
  readonly method: DescMethod
  readonly requestPath: string
}

/** Options of all adapted handlers. */
export interface AdapterOptions {
  /** `SERVICE_ERROR_DOMAIN`. */
  readonly domain: string
  /** Of a request message, before and after decompression; `readMaxBytes` of connect-es must be as much or more. */
  readonly bytesMax: number
  /** Longer timeouts of clients are cut to this; `maxTimeoutMs` of connect-es must be as much or more. */
  readonly timeoutMsMax: number
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins | undefined
  /** Logs an `internal` error that no handler raised: the caller sees a generic message. */
  readonly onUnexpected?: (cause: ConnectError, requestId: string) => void
}

/**
 * Adds this service's rules to a handler: request ids, CORS, grpc-web-text, codings with weights, malformed input as
 * `invalid_argument`, and ErrorInfo and RequestInfo in every error, wherever it was raised. The inner request has its id
 * in the header `x-request-id`. The router needs {@link CONNECT_COMPRESSIONS} as its codings.
 */
export function adaptHandler(handler: ConnectHandler, options: AdapterOptions): UniversalHandlerFn {
  return async (request) => {
    const requestId = chooseRequestId(request.header.get(REQUEST_ID_HEADER) ?? undefined)
    const context = { requestId, domain: options.domain }
    const response = await answerRequest(handler, request, { ...options, context })
    const header = new Headers(response.header)
    header.set(REQUEST_ID_HEADER, requestId)
    const cors = corsHeaders(
      { path: handler.requestPath, origin: request.header.get('origin') ?? '' },
      options.allowedOrigins,
    )
    for (const [name, value] of cors) header.set(name, value)
    return { ...response, header }
  }
}

async function answerRequest(
  handler: ConnectHandler,
  request: UniversalServerRequest,
  options: AdapterOptions & { readonly context: ErrorContext },
): Promise<UniversalServerResponse> {
  const { context } = options
  const type = parseContentType(request.header.get('content-type') ?? '')
  const outcome = request.contextValues?.get(outcomeKey)
  const onError = ({ code }: ServiceError): void => {
    if (outcome) outcome.code = code
  }
  const refusal = refuseForm(handler, request, type)
  if (refusal) {
    onError(refusal.error)
    const answer = errorAnswer(refusal.error, context, refusal.status)
    return toResponse({ ...answer, headers: [...answer.headers, ...refusal.headers] })
  }
  assert(type !== undefined, 'unknown content types are refused above')
  const opened = adaptRequest(request, {
    ...options,
    bytesMax: messageBytesMaxOf(handler.requestPath, options.bytesMax),
    method: handler.method,
    type,
  })
  const response = await handler(opened)
  const header = response.header ?? new Headers()
  return await adaptResponse(
    { ...response, header },
    { type, context, onError, onUnexpected: options.onUnexpected },
  )
}

/** Connect has one content type for unary methods and another for streams; the other protocols have one for both. */
function isFormOf(type: ContentType, method: DescMethod): boolean {
  return type.protocol !== 'connect' || type.stream === (method.methodKind !== 'unary')
}

/** A refusal before connect-es sees the request. */
interface RefusedForm {
  readonly error: ServiceError
  readonly status: number
  readonly headers: readonly HeaderField[]
}

function refuseForm(
  handler: ConnectHandler,
  request: UniversalServerRequest,
  type: ContentType | undefined,
): RefusedForm | undefined {
  if (request.method !== 'POST') {
    return { error: methodNotAllowed(), status: 405, headers: [['allow', 'POST']] }
  }
  if (type !== undefined && isFormOf(type, handler.method)) return undefined
  const contentType = request.header.get('content-type') ?? ''
  return { error: unsupportedMediaType(contentType), status: 415, headers: [] }
}

function toResponse(answer: Answer): UniversalServerResponse {
  const header = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]))
  return { status: answer.status, header, body: streamBytes(Buffer.from(answer.body)) }
}
