import * as zlib from 'node:zlib'
import type { ServiceError } from '../contract/service-error.ts'
import { err, ok, type Result } from '../kernel/result.ts'
import type { Coding, Compressing } from './coding.ts'
import { bodyTooLarge, invalidRequest, unpacksTooFar } from './protocol-errors.ts'
import { isWholeZstdFrame } from './zstd-frame.ts'

/** Messages below this many bytes are not compressed: the headers outweigh the saving. */
export const COMPRESS_BYTES_MIN = 1024

/** RFC 9659: HTTP needs no zstd window over 8 MiB; the limit keeps a small frame from claiming 128 MiB. */
const ZSTD_WINDOW_LOG_MAX = 23

/** Brotli's settings for answers: its default quality of 11 is for files that are compressed once and read often. */
export const BROTLI_PARAMS = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 }

/** Any message may decompress to this many bytes, whatever its compressed size. */
const UNPACKED_BYTES_FREE = 1024 * 1024

/** Beyond that, bytes that one compressed byte may become: real JSON requests compress 20:1 to 50:1. */
export const UNPACK_RATIO_MAX = 100

/**
 * The ratio of an event batch: a thousand events that differ only in a counted id compress 1600:1 (brotli, zstd), and
 * harmful bodies are far beyond.
 */
export const BATCH_UNPACK_RATIO_MAX = 4000

/** Deflate cannot do better: a byte of input becomes at most this many. */
const DEFLATE_RATIO_MAX = 1032

/** A stream has at least a header and a trailer of this many bytes. */
const GZIP_BYTES_MIN = 18

/** The smallest piece that zlib of Node.js accepts. */
const PIECE_BYTES_MIN = 64

const ZSTD_PARAMS = { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX }

/** The result with zlib's `info` option; its types declare only the buffer. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}

/** Limits on decompression. */
export interface UnpackBounds {
  readonly bytesMax: number
  /** Bytes that one compressed byte may become, for results above a mebibyte. */
  readonly ratioMax?: number
}

/**
 * Decompresses a message on the calling thread. Stops as soon as a limit is exceeded, so a decompression bomb costs no more
 * memory than a legal message of its size. Corrupt, truncated or trailing bytes are `invalid_argument`; too many are
 * `resource_exhausted`. An empty body is an empty message in any coding, as in other Connect servers.
 */
export function decompress(
  bytes: Uint8Array,
  coding: Coding,
  { bytesMax, ratioMax = UNPACK_RATIO_MAX }: UnpackBounds,
): Result<Uint8Array, ServiceError> {
  if (coding === 'identity') return bytes.length > bytesMax ? err(bodyTooLarge(bytesMax)) : ok(bytes)
  if (bytes.length === 0) return ok(bytes)
  if (coding === 'zstd' && !isWholeZstdFrame(bytes)) return err(corrupt(coding))
  const unpackedMax = Math.min(bytesMax, Math.max(UNPACKED_BYTES_FREE, bytes.length * ratioMax))
  try {
    const { buffer, engine } = inflate(bytes, coding, unpackedMax)
    return engine.bytesWritten === bytes.length ? ok(buffer) : err(corrupt(coding))
  } catch (thrown) {
    if (!isTooLarge(thrown)) return err(corrupt(coding, thrown))
    return err(unpackedMax < bytesMax ? unpacksTooFar(ratioMax) : bodyTooLarge(bytesMax))
  }
}

/** Compresses a message on the calling thread. */
export function compress(bytes: Uint8Array, coding: Coding): Buffer {
  switch (coding) {
    case 'identity':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    case 'gzip':
      return zlib.gzipSync(bytes)
    case 'br':
      return zlib.brotliCompressSync(bytes, { params: BROTLI_PARAMS })
    case 'zstd':
      return zlib.zstdCompressSync(bytes)
  }
}

function inflate(bytes: Uint8Array, coding: Compressing, bytesMax: number): Inflated {
  return INFLATE[coding](bytes, { info: true, maxOutputLength: bytesMax }) as unknown as Inflated
}

const INFLATE = {
  gzip: (bytes, options) =>
    zlib.gunzipSync(bytes, { ...options, chunkSize: gunzipPiece(bytes, options.maxOutputLength) }),
  br: (bytes, options) => zlib.brotliDecompressSync(bytes, options),
  zstd: (bytes, options) => zlib.zstdDecompressSync(bytes, { ...options, params: ZSTD_PARAMS }),
} satisfies Record<Compressing, (bytes: Uint8Array, options: InflateOptions) => Buffer>

/**
 * Bytes of the piece that zlib fills: one piece for an honest stream, which by default takes one for each 16 KiB and joins them.
 * The length is the one in the trailer (RFC 1952, ISIZE), as far as these bytes can hold it. One byte more, because a piece that is filled
 * exactly makes zlib ask for another one.
 */
function gunzipPiece(bytes: Uint8Array, bytesMax: number): number {
  if (bytes.length < GZIP_BYTES_MIN) return PIECE_BYTES_MIN
  const stated = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true)
  return Math.max(PIECE_BYTES_MIN, Math.min(stated, bytesMax, bytes.length * DEFLATE_RATIO_MAX) + 1)
}

interface InflateOptions {
  readonly info: boolean
  readonly maxOutputLength: number
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE'
}

function corrupt(coding: Coding, cause?: unknown): ServiceError {
  return invalidRequest(
    `the request is not valid ${coding}: corrupt, truncated, or followed by extra bytes`,
    cause,
  )
}
