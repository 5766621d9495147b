import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import { invalidRequest } from './protocol-errors.ts'

const PADDING = 0x3d
const GROUP_CHARS = 4

/** Six bits of each character of standard base64; -1 for every other byte. */
const SEXTETS = createSextets()

/**
 * Decodes a body of `application/grpc-web-text`: base64 with padding wherever the sender flushed, so a body is one or more
 * padded segments. Anything else, including white space, is `invalid_argument`.
 */
export function decodeBase64Body(body: Uint8Array): Result<Buffer, ServiceError> {
  if (body.length % GROUP_CHARS !== 0) return err(invalidBase64())
  const bytes = Buffer.allocUnsafe((body.length / GROUP_CHARS) * 3)
  let length = 0
  for (let offset = 0; offset < body.length; offset += GROUP_CHARS) {
    const written = decodeGroup(body, offset, bytes, length)
    if (written === 0) return err(invalidBase64())
    length += written
  }
  return ok(bytes.subarray(0, length))
}

/** Bytes as one padded base64 segment, in ASCII. */
export function encodeBase64Body(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Buffer.from(view.toString('base64'), 'latin1')
}

/** Writes the one to three bytes of a group at `at` and returns their number; zero for an invalid group. */
function decodeGroup(body: Uint8Array, offset: number, bytes: Buffer, at: number): number {
  const a = sextet(body, offset)
  const b = sextet(body, offset + 1)
  if (a < 0 || b < 0) return 0
  bytes[at] = (a << 2) | (b >> 4)
  if (body[offset + 2] === PADDING) return body[offset + 3] === PADDING && (b & 0b1111) === 0 ? 1 : 0
  const c = sextet(body, offset + 2)
  if (c < 0) return 0
  bytes[at + 1] = (b << 4) | (c >> 2)
  if (body[offset + 3] === PADDING) return (c & 0b11) === 0 ? 2 : 0
  const d = sextet(body, offset + 3)
  if (d < 0) return 0
  bytes[at + 2] = (c << 6) | d
  return 3
}

function sextet(body: Uint8Array, offset: number): number {
  return SEXTETS[body[offset] ?? 0] ?? -1
}

function createSextets(): Int8Array {
  const sextets = new Int8Array(256).fill(-1)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let index = 0; index < alphabet.length; index++) sextets[alphabet.charCodeAt(index)] = index
  return sextets
}

function invalidBase64(): ServiceError {
  return invalidRequest('the request body is not valid base64')
}
