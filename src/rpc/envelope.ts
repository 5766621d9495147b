import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { bodyTooLarge, invalidRequest, wrongMessageCount } from './protocol-errors.ts'

/** Bytes before an enveloped message: flags, then its length as four bytes, big-endian. */
export const ENVELOPE_HEADER_BYTES = 5

/** The message is compressed, in all three protocols. */
export const COMPRESSED_FLAG = 0b0000_0001

/** The message is Connect's EndStreamResponse. */
export const END_STREAM_FLAG = 0b0000_0010

/** The message is the block of trailers of gRPC-Web. */
export const TRAILER_FLAG = 0b1000_0000

/** One enveloped message. */
export interface Envelope {
  readonly flags: number
  /** A view into the bytes that were read. */
  readonly data: Buffer
}

/**
 * The single message of a request body. None or several are `unimplemented`, a message of more than `bytesMax` bytes is
 * `resource_exhausted`, and a truncated message or unknown flags are `invalid_argument`.
 */
export function readOnlyMessage(body: Buffer, bytesMax: number): Result<Envelope, ServiceError> {
  if (body.length === 0) return err(wrongMessageCount('the request has no message; this method takes one'))
  if (body.length < ENVELOPE_HEADER_BYTES) return err(cutOff())
  const flags = body.readUInt8(0)
  if ((flags & ~COMPRESSED_FLAG) !== 0) return err(unknownFlags(flags))
  const length = body.readUInt32BE(1)
  if (length > bytesMax) return err(bodyTooLarge(bytesMax))
  const end = ENVELOPE_HEADER_BYTES + length
  if (end > body.length) return err(cutOff())
  if (end < body.length) return err(refuseRest(body.subarray(end)))
  return ok({ flags, data: body.subarray(ENVELOPE_HEADER_BYTES, end) })
}

/** An enveloped message as bytes. */
export function encodeEnvelope(flags: number, data: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(ENVELOPE_HEADER_BYTES + data.length)
  bytes.writeUInt8(flags, 0)
  bytes.writeUInt32BE(data.length, 1)
  bytes.set(data, ENVELOPE_HEADER_BYTES)
  return bytes
}

/** Another whole envelope is a second message, anything else is garbage. */
function refuseRest(rest: Buffer): ServiceError {
  const isMessage =
    rest.length >= ENVELOPE_HEADER_BYTES &&
    (rest.readUInt8(0) & ~COMPRESSED_FLAG) === 0 &&
    rest.readUInt32BE(1) <= rest.length - ENVELOPE_HEADER_BYTES
  return isMessage
    ? wrongMessageCount('the request has several messages; this method takes one')
    : invalidRequest('the request body has extra bytes after its message')
}

function cutOff(): ServiceError {
  return invalidRequest('the request body ends inside an enveloped message')
}

function unknownFlags(flags: number): ServiceError {
  return invalidRequest(`the message has unknown flags 0x${flags.toString(16).padStart(2, '0')}`)
}
