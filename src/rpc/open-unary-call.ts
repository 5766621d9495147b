import type { ServiceError } from '../contract/service-error.ts'
import { ok, type Result } from '../kernel/result.ts'
import { type Answer, errorAnswer, type HeaderField } from './answer.ts'
import { type Coding, parseCoding } from './coding.ts'
import { type ContentType, parseContentType } from './content-type.ts'
import { type AllowedOrigins, corsHeaders } from './cors.ts'
import {
  methodNotAllowed,
  methodNotFound,
  needsTrailers,
  unsupportedMediaType,
  unsupportedVersion,
} from './protocol-errors.ts'
import { protocolHeaders } from './protocol-headers.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { parseTimeout } from './timeout.ts'
import { UnaryCall } from './unary-call.ts'

/** The head of a request, independent of the transport. */
export interface CallHead {
  /** In upper case, or in lower case from some transports. */
  readonly method: string
  /** Determines the CORS headers of the answer; without a path it has none. */
  readonly path?: string
  /** False where the transport cannot send HTTP trailers: gRPC is refused then. */
  readonly hasTrailers?: boolean
  /** True for a beacon, which cannot set a content type: then `text/plain` is read as JSON. */
  readonly isBeacon?: boolean
  /** The value of a header by its name in lower case; empty or `undefined` when it is absent. */
  header(name: string): string | undefined
}

/** Settings of all calls. */
export interface CallSettings {
  /** `SERVICE_ERROR_DOMAIN`. */
  readonly domain: string
  /** `SERVICE_CORS_ORIGINS`, for all services but ingestion. */
  readonly allowedOrigins?: AllowedOrigins | undefined
}

/** A request that is refused by its headers alone. */
export interface RefusedCall {
  readonly kind: 'refused'
  readonly requestId: string
  /** The reason, for logs and metrics; `answer` has the same error on the wire. */
  readonly error: ServiceError
  readonly answer: Answer
}

const NO_HEADERS: readonly HeaderField[] = []
const ALLOW_POST: readonly HeaderField[] = [['allow', 'POST']]
const NO_TIMEOUT = ok(undefined)

const BEACON_TYPE = parseContentType('application/json')

/** Reads the headers of a call of a unary method: returns the open call, or its refusal. */
export function openUnaryCall(head: CallHead, settings: CallSettings): UnaryCall | RefusedCall {
  if (head.method !== 'POST' && head.method !== 'post') {
    return refuse(head, settings, { error: methodNotAllowed(), status: 405, headers: ALLOW_POST })
  }
  const type = findType(head)
  if (type === undefined || type.stream) {
    const error = unsupportedMediaType(head.header('content-type') ?? '')
    return refuse(head, settings, { error, status: 415, headers: NO_HEADERS })
  }
  return openTypedCall(head, settings, type)
}

/** Refuses a call of an unknown method: 404 on the Connect wire, `unimplemented` in every protocol. */
export function refuseUnknownMethod(head: CallHead, settings: CallSettings): RefusedCall {
  const error = methodNotFound(head.path ?? '')
  const type = findType(head)
  if (type === undefined || type.protocol === 'connect') {
    return refuse(head, settings, { error, status: 404, headers: NO_HEADERS })
  }
  const call = createCall(head, settings, type, { coding: 'identity', timeoutMs: undefined })
  return { kind: 'refused', requestId: call.requestId, error, answer: call.fail(error) }
}

function openTypedCall(head: CallHead, settings: CallSettings, type: ContentType): UnaryCall | RefusedCall {
  const names = protocolHeaders(type)
  const coding = parseCoding(head.header(names.coding) ?? '')
  const timeout = readTimeout(type, head.header(names.timeout) ?? '')
  const call = createCall(head, settings, type, {
    coding: coding.ok ? coding.value : 'identity',
    timeoutMs: timeout.ok ? timeout.value : undefined,
  })
  const error = checkTransport(head, type) ?? errorOf(coding) ?? errorOf(timeout)
  if (error === undefined) return call
  return { kind: 'refused', requestId: call.requestId, error, answer: call.fail(error) }
}

function createCall(
  head: CallHead,
  settings: CallSettings,
  type: ContentType,
  { coding, timeoutMs }: { readonly coding: Coding; readonly timeoutMs: number | undefined },
): UnaryCall {
  return new UnaryCall({
    requestId: chooseRequestId(head.header(REQUEST_ID_HEADER)),
    domain: settings.domain,
    type,
    messageCoding: coding,
    accept: head.header(protocolHeaders(type).accept) ?? '',
    timeoutMs,
    cors: readCors(head, settings),
  })
}

function findType(head: CallHead): ContentType | undefined {
  const text = head.header('content-type') ?? ''
  const type = parseContentType(text)
  if (type !== undefined || head.isBeacon !== true) return type
  return /^text\/plain\s*(;|$)/i.test(text) ? BEACON_TYPE : undefined
}

function readTimeout(type: ContentType, text: string): Result<number | undefined, ServiceError> {
  return text === '' ? NO_TIMEOUT : parseTimeout(type.protocol, text)
}

function checkTransport(head: CallHead, type: ContentType): ServiceError | undefined {
  if (type.protocol === 'grpc') return head.hasTrailers === false ? needsTrailers() : undefined
  if (type.protocol === 'grpc-web') return undefined
  const version = head.header('connect-protocol-version') ?? ''
  return version === '' || version === '1' ? undefined : unsupportedVersion()
}

function errorOf(result: Result<unknown, ServiceError>): ServiceError | undefined {
  return result.ok ? undefined : result.error
}

function readCors(head: CallHead, { allowedOrigins }: CallSettings): readonly HeaderField[] {
  if (head.path === undefined) return NO_HEADERS
  return corsHeaders({ path: head.path, origin: head.header('origin') ?? '' }, allowedOrigins)
}

/** A refusal in JSON, for requests whose protocol is unknown. */
function refuse(
  head: CallHead,
  settings: CallSettings,
  {
    error,
    status,
    headers,
  }: { readonly error: ServiceError; readonly status: number; readonly headers: readonly HeaderField[] },
): RefusedCall {
  const requestId = chooseRequestId(head.header(REQUEST_ID_HEADER))
  const answer = errorAnswer(error, { requestId, domain: settings.domain }, status)
  const all = [...answer.headers, ...headers, ...readCors(head, settings)]
  return { kind: 'refused', requestId, error, answer: { ...answer, headers: all } }
}
