import type { HeaderField } from './answer.ts'
import { encodeEnvelope, TRAILER_FLAG } from './envelope.ts'
import { GRPC_OK_TRAILERS } from './grpc-error-wire.ts'

/** The frame that ends a gRPC-Web body: trailers as a block of HTTP/1 header lines. gRPC-Web "Message framing". */
export function encodeTrailerFrame(trailers: readonly HeaderField[]): Buffer {
  let block = ''
  for (const [name, value] of trailers) block += `${name}: ${value}\r\n`
  return encodeEnvelope(TRAILER_FLAG, Buffer.from(block))
}

/** The frame after the message of a call that went well. */
export const OK_TRAILER_FRAME = encodeTrailerFrame(GRPC_OK_TRAILERS)
