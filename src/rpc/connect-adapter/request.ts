import type { DescMethod, JsonValue } from '@bufbuild/protobuf'
import type { UniversalServerRequest } from '@connectrpc/connect/protocol'
import { ServiceError } from '../../contract/service-error.ts'
import { largeWork } from '../../kernel/large-work.ts'
import { err, ok, type Result } from '../../kernel/result.ts'
import { checkProtoJson } from '../check-proto-json.ts'
import { type Coding, negotiateCoding, parseCoding } from '../coding.ts'
import { decompress } from '../compression.ts'
import type { ErrorContext } from '../connect-error-wire.ts'
import type { ContentType } from '../content-type.ts'
import { encodeEnvelope } from '../envelope.ts'
import { refuseExcess } from '../message-bounds.ts'
import { invalidRequest, requestCutOff, unsupportedVersion } from '../protocol-errors.ts'
import { protocolHeaders } from '../protocol-headers.ts'
import { REQUEST_ID_HEADER } from '../request-id.ts'
import { bodyBytesMaxOf, isEnveloped, readRequestMessage } from '../request-message.ts'
import { parseTimeout } from '../timeout.ts'
import { collectBytes } from './byte-stream.ts'
import { toConnectError } from './errors.ts'

/** The rules by which {@link adaptRequest} changes a request. */
export interface RequestOptions {
  readonly method: DescMethod
  readonly type: ContentType
  readonly context: ErrorContext
  /** Of a message, before and after decompression. */
  readonly bytesMax: number
  /** Longer timeouts of clients are cut to this. */
  readonly timeoutMsMax: number
}

/**
 * Prepares a request for connect-es: sets its id, a content type that connect-es supports and the coding of the answer, and
 * replaces the body with one checked, uncompressed message. The body is read and checked when connect-es first reads it,
 * after the gate; its errors are thrown there.
 */
export function adaptRequest(
  request: UniversalServerRequest,
  options: RequestOptions,
): UniversalServerRequest {
  const names = protocolHeaders(options.type)
  const header = new Headers(request.header)
  header.set(REQUEST_ID_HEADER, options.context.requestId)
  header.set('content-type', connectContentType(options.type))
  header.set(names.accept, negotiateCoding(header.get(names.accept) ?? ''))
  boundTimeout(header, names.timeout, options)
  const coding = parseCoding(header.get(names.coding) ?? '')
  if (!coding.ok || !takesOneMessage(options.method) || !isByteStream(request.body))
    return { ...request, header }
  header.delete(names.coding)
  header.delete('content-length')
  const version = header.get('connect-protocol-version') ?? '1'
  const call: CallFacts = { coding: coding.value, version, caller: readCredential(header) }
  return { ...request, header, body: openBody(request.body, call, options) }
}

/** Facts from the headers of a call. */
interface CallFacts {
  readonly coding: Coding
  /** Of the Connect protocol. */
  readonly version: string
  readonly caller: string
}

function readCredential(header: Headers): string {
  return header.get('x-api-key') ?? header.get('authorization') ?? ''
}

/** connect-es sees gRPC-Web text as binary; a type without a suffix is protobuf. */
function connectContentType({ protocol, codec, stream }: ContentType): string {
  if (protocol === 'connect') return stream ? `application/connect+${codec}` : `application/${codec}`
  return `application/${protocol}+${codec}`
}

/** connect-es refuses an invalid timeout, so it stays as it is. */
function boundTimeout(header: Headers, name: string, { type, timeoutMsMax }: RequestOptions): void {
  const timeout = parseTimeout(type.protocol, header.get(name) ?? '')
  if (!timeout.ok || timeout.value <= timeoutMsMax) return
  header.set(name, type.protocol === 'connect' ? String(timeoutMsMax) : `${Math.ceil(timeoutMsMax / 1000)}S`)
}

async function* openBody(
  chunks: AsyncIterable<Uint8Array>,
  { coding, version, caller }: CallFacts,
  options: RequestOptions,
): AsyncGenerator<Uint8Array> {
  const { method, type, bytesMax } = options
  if (type.protocol === 'connect' && version !== '1') check(err(unsupportedVersion()), options)
  const body = check(await readBody(chunks, bodyBytesMaxOf(type, bytesMax)), options)
  const sent = check(readRequestMessage(body, { type, coding, bytesMax }), options)
  // A compressed message may become a large one.
  const largest = sent.coding === 'identity' ? sent.bytes.length : bytesMax
  await largeWork.waitForTurn(caller, largest)
  const message = check(decompress(sent.bytes, sent.coding, { bytesMax }), options)
  const excess = refuseExcess(type.codec, method, message)
  if (excess !== undefined) check(err(excess), options)
  if (type.codec === 'json') check(checkJson(method, message), options)
  yield isEnveloped(type) ? encodeEnvelope(0, message) : message
}

/** The stream of a body throws errors of the connection: the client left, which is no defect of the service. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Result<Buffer, ServiceError>> {
  try {
    return await collectBytes(chunks, bytesMax)
  } catch (cause) {
    return err(requestCutOff(cause))
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Checks JSON by the rules of this interface that connect-es does not check. */
function checkJson(method: DescMethod, message: Uint8Array): Result<undefined, ServiceError> {
  let json: JsonValue
  try {
    json = JSON.parse(UTF8.decode(message))
  } catch (thrown) {
    return err(invalidRequest('the request is not valid JSON in UTF-8', thrown))
  }
  const violation = checkProtoJson(method.input, json)
  if (violation === undefined) return ok(undefined)
  return err(
    new ServiceError({
      code: 'invalid_argument',
      reason: 'INVALID_REQUEST',
      message: `${violation.field || 'the request'}: ${violation.description}`,
      violations: [violation],
    }),
  )
}

/** The value; throws the error as a ConnectError. */
function check<T>(result: Result<T, ServiceError>, { context }: RequestOptions): T {
  if (!result.ok) throw toConnectError(result.error, context)
  return result.value
}

function takesOneMessage(method: DescMethod): boolean {
  return method.methodKind === 'unary' || method.methodKind === 'server_streaming'
}

function isByteStream(body: UniversalServerRequest['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
