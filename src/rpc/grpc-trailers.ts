import { create, toBinary } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'
import { StatusSchema } from '../contract/gen/google/rpc/status_pb.js'
import { type ErrorCode, ServiceError } from '../contract/service-error.ts'
import type { HeaderField } from './answer.ts'
import { type ErrorContext, errorDetails } from './connect-error-wire.ts'
import { encodeEnvelope, TRAILER_FLAG } from './envelope.ts'

/** Number of each code on the gRPC wire. */
const GRPC_STATUS = {
  canceled: 1,
  invalid_argument: 3,
  deadline_exceeded: 4,
  not_found: 5,
  already_exists: 6,
  permission_denied: 7,
  resource_exhausted: 8,
  failed_precondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const satisfies Record<ErrorCode, number>

/** The trailers of a successful call. */
export const GRPC_OK_TRAILERS: readonly HeaderField[] = [['grpc-status', '0']]

/** gRPC over HTTP/2 recommends a limit of 8 KiB for trailers: half for the message, half for the details. */
const MESSAGE_CODE_POINTS_MAX = 1000
const STATUS_BYTES_MAX = 3 * 1024

/**
 * The trailers of a failed call: status, message, and google.rpc.Status with the same details as on the Connect wire.
 * To fit the limit of clients, a long message is cut, and violations are dropped.
 */
export function grpcErrorTrailers(error: ServiceError, context: ErrorContext): HeaderField[] {
  const message = truncate(error.message)
  const trailers: HeaderField[] = [
    ['grpc-status', String(GRPC_STATUS[error.code])],
    ['grpc-message', encodeGrpcMessage(message)],
    ['grpc-status-details-bin', encodeBinaryField(encodeStatus(error, message, context))],
  ]
  if (error.retryAfterSeconds !== undefined) trailers.push(['retry-after', String(error.retryAfterSeconds)])
  return trailers
}

const PLAIN_MESSAGE = /^[ -$&-~]*$/

/** A message in the syntax of grpc-message: UTF-8 with every byte but space to `~`, and `%` itself, percent-encoded. */
export function encodeGrpcMessage(message: string): string {
  if (PLAIN_MESSAGE.test(message)) return message
  let text = ''
  for (const byte of Buffer.from(message)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25
    text += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

/** A google.rpc.Status in bytes. */
function encodeStatus(error: ServiceError, message: string, context: ErrorContext): Uint8Array {
  const bytes = encodeWholeStatus(error, message, context)
  if (bytes.length <= STATUS_BYTES_MAX || error.violations.length === 0) return bytes
  const { code, reason, retryAfterSeconds } = error
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return encodeWholeStatus(new ServiceError({ code, reason, message, ...retry }), message, context)
}

function encodeWholeStatus(error: ServiceError, message: string, context: ErrorContext): Uint8Array {
  const details = errorDetails(error, context).map((detail) => anyPack(detail.schema, detail.message))
  return toBinary(StatusSchema, create(StatusSchema, { code: GRPC_STATUS[error.code], message, details }))
}

/** Base64 without padding, as gRPC requires of senders. */
function encodeBinaryField(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64').replaceAll('=', '')
}

function truncate(message: string): string {
  if (message.length <= MESSAGE_CODE_POINTS_MAX) return message
  return `${Array.from(message).slice(0, MESSAGE_CODE_POINTS_MAX).join('')}…`
}

/** The frame that ends a gRPC-Web body: trailers as a block of HTTP/1 header lines. gRPC-Web "Message framing". */
export function encodeTrailerFrame(trailers: readonly HeaderField[]): Buffer {
  let block = ''
  for (const [name, value] of trailers) block += `${name}: ${value}\r\n`
  return encodeEnvelope(TRAILER_FLAG, Buffer.from(block))
}

/** The frame after the message of a successful call. */
export const OK_TRAILER_FRAME = encodeTrailerFrame(GRPC_OK_TRAILERS)
