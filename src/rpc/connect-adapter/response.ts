import { Code, ConnectError } from '@connectrpc/connect'
import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import { endStreamFromJson, errorFromJsonBytes } from '@connectrpc/connect/protocol-connect'
import { findTrailerError } from '@connectrpc/connect/protocol-grpc'
import { trailerParse } from '@connectrpc/connect/protocol-grpc-web'
import type { ServiceError } from '../../contract/service-error.ts'
import { encodeBase64Body } from '../base64-body.ts'
import { parseCoding } from '../coding.ts'
import { decompress } from '../compression.ts'
import {
  type ErrorContext,
  encodeConnectEndStream,
  encodeConnectError,
  HTTP_STATUS,
} from '../connect-error-wire.ts'
import type { ContentType } from '../content-type.ts'
import { COMPRESSED_FLAG, END_STREAM_FLAG, ENVELOPE_HEADER_BYTES, TRAILER_FLAG } from '../envelope.ts'
import { encodeTrailerFrame, grpcErrorTrailers } from '../grpc-trailers.ts'
import { protocolHeaders } from '../protocol-headers.ts'
import { collectBytes, type RewriteBody, rewriteBody, streamBytes } from './byte-stream.ts'
import { fromConnectError } from './errors.ts'

/** A response with headers. */
export interface ConnectResponse extends UniversalServerResponse {
  readonly header: Headers
}

/** The form in which {@link adaptResponse} writes errors. */
export interface Repair {
  readonly type: ContentType
  readonly context: ErrorContext
  /** Receives every error of an answer. */
  readonly onError?: ((error: ServiceError) => void) | undefined
  /** Receives every `internal` error that connect-es raised itself, before its message is removed. */
  readonly onUnexpected?: ((cause: ConnectError, requestId: string) => void) | undefined
}

/** Errors of connect-es are small; the limit only guards against a defect. */
const ERROR_BYTES_MAX = 1024 * 1024

/** Replaces every error in a response by the output of this service's own encoders, in the protocol of the request. */
export async function adaptResponse(response: ConnectResponse, repair: Repair): Promise<ConnectResponse> {
  const { protocol, stream } = repair.type
  if (protocol === 'grpc') return repairGrpc(response, repair)
  if (protocol === 'grpc-web') return repairGrpcWeb(response, repair)
  if (stream) return repairConnectStream(response, repair)
  return response.status === 200 ? response : await repairConnectUnary(response, repair)
}

async function repairConnectUnary(response: ConnectResponse, repair: Repair): Promise<ConnectResponse> {
  const { header } = response
  const sent = await collectBytes(response.body ?? streamBytes(Buffer.alloc(0)), ERROR_BYTES_MAX)
  if (!sent.ok) throw sent.error
  const bytes = inflate(sent.value, header.get('content-encoding'))
  const error = translate(errorFromJsonBytes(bytes, undefined, unreadable()), repair)
  const body = Buffer.from(encodeConnectError(error, repair.context))
  header.delete('content-encoding')
  header.set('content-type', 'application/json')
  header.set('content-length', String(body.length))
  return { ...response, status: HTTP_STATUS[error.code], header, body: streamBytes(body) }
}

function repairConnectStream(response: ConnectResponse, repair: Repair): ConnectResponse {
  const coding = response.header.get(protocolHeaders(repair.type).coding)
  const writeChunk = (chunk: Uint8Array): Uint8Array => {
    if (!hasFlag(chunk, END_STREAM_FLAG)) return chunk
    const { error, metadata } = endStreamFromJson(readEnvelope(chunk, coding))
    if (error === undefined) return chunk
    const fields = Object.fromEntries(Array.from(metadata, ([name, value]) => [name, [value]]))
    return encodeConnectEndStream(translate(error, repair), repair.context, fields)
  }
  return rewrite(response, { writeChunk })
}

function repairGrpc(response: ConnectResponse, repair: Repair): ConnectResponse {
  const { trailer } = response
  // connect-es fills in the trailers when the body ends.
  const atEnd = (): void => {
    if (trailer !== undefined) repairTrailers(trailer, repair)
  }
  return rewrite(response, { writeChunk: (chunk) => chunk, atEnd })
}

function repairGrpcWeb(response: ConnectResponse, repair: Repair): ConnectResponse {
  const coding = response.header.get(protocolHeaders(repair.type).coding)
  const writeEnvelope = (chunk: Uint8Array): Uint8Array => {
    if (!hasFlag(chunk, TRAILER_FLAG)) return chunk
    const trailer = trailerParse(new Uint8Array(readEnvelope(chunk, coding)))
    repairTrailers(trailer, repair)
    return encodeTrailerFrame([...trailer])
  }
  if (!repair.type.isText) return rewrite(response, { writeChunk: writeEnvelope })
  if (response.status === 200) response.header.set('content-type', repair.type.name)
  return rewrite(response, { writeChunk: (chunk) => encodeBase64Body(writeEnvelope(chunk)) })
}

function repairTrailers(trailer: Headers, repair: Repair): void {
  const error = findTrailerError(trailer)
  if (error === undefined) return
  for (const [name, value] of grpcErrorTrailers(translate(error, repair), repair.context))
    trailer.set(name, value)
}

function translate(error: ConnectError, { context, onError, onUnexpected }: Repair): ServiceError {
  const translated = fromConnectError(error)
  onError?.(translated)
  // An error with details came from a handler, which has logged its cause.
  if (translated.code === 'internal' && translated.cause === error) onUnexpected?.(error, context.requestId)
  return translated
}

function rewrite(response: ConnectResponse, how: RewriteBody): ConnectResponse {
  return response.body === undefined ? response : { ...response, body: rewriteBody(response.body, how) }
}

/** connect-es writes each envelope as one chunk. */
function hasFlag(chunk: Uint8Array, flag: number): boolean {
  return ((chunk[0] ?? 0) & flag) !== 0
}

function readEnvelope(chunk: Uint8Array, coding: string | null): Uint8Array {
  const data = chunk.subarray(ENVELOPE_HEADER_BYTES)
  return inflate(data, hasFlag(chunk, COMPRESSED_FLAG) ? coding : null)
}

function inflate(bytes: Uint8Array, coding: string | null): Uint8Array {
  const parsed = parseCoding(coding ?? '')
  const result = parsed.ok ? decompress(bytes, parsed.value, { bytesMax: ERROR_BYTES_MAX }) : parsed
  if (!result.ok) throw result.error
  return result.value
}

function unreadable(): ConnectError {
  return new ConnectError('internal error', Code.Internal)
}
