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

/** A handler of the library for one method, as `createConnectRouter().handlers` has them. */
export interface ConnectHandler extends UniversalHandlerFn {
  readonly method: DescMethod
  readonly requestPath: string
}

/** What all wrapped handlers share. */
export interface AdapterOptions {
  /** `SERVICE_ERROR_DOMAIN`. */
  readonly domain: string
  /** Of a request message, before and after decompression, where strangers may not send less; the library's `readMaxBytes` must not be less. */
  readonly bytesMax: number
  /** A client that would wait longer waits this long; the library's `maxTimeoutMs` must be as much or more. */
  readonly timeoutMsMax: number
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins | undefined
  /** Told of every `internal` error that no handler raised, to log it: the caller sees a generic message. */
  readonly onUnexpected?: (cause: ConnectError, requestId: string) => void
}

/**
 * The handler with this service's rules around it: request ids, CORS, grpc-web-text, codings with weights, malformed input as
 * `invalid_argument`, and ErrorInfo and RequestInfo in every error, whoever raised it. The request id is in the header
 * `x-request-id` of the request that the library sees. Give the router {@link CONNECT_COMPRESSIONS} as its codings.
 */
export function adaptHandler(handler: ConnectHandler, options: AdapterOptions): UniversalHandlerFn {
  return async (request) => {
    const requestId = chooseRequestId(request.header.get(REQUEST_ID_HEADER) ?? undefined)
    const context = { requestId, domain: options.domain }
    const response = await answerRequest(handler, request, context, options)
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
  context: ErrorContext,
  options: AdapterOptions,
): Promise<UniversalServerResponse> {
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
  assert(type !== undefined, 'a type that is unknown was refused')
  const opened = adaptRequest(request, {
    ...options,
    bytesMax: messageBytesMaxOf(handler.requestPath, options.bytesMax),
    method: handler.method,
    type,
    context,
  })
  const response = await handler(opened)
  const header = response.header ?? new Headers()
  return await adaptResponse(
    { ...response, header },
    { type, context, onError, onUnexpected: options.onUnexpected },
  )
}

/** Connect has one form for unary methods and another for streams; the others have one for both. */
function isFormOf(type: ContentType, method: DescMethod): boolean {
  return type.protocol !== 'connect' || type.stream === (method.methodKind !== 'unary')
}

/** A request that the library does not get to see. */
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
