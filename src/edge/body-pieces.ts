import { copyBytes } from '../pipeline/encode/copy-bytes.ts'

/** A client that sends a few bytes and waits holds few bytes; a client that sends more gets room for most bodies. */
const POOLED_BYTES_MIN = 8 * 1024
const POOLED_BYTES = 128 * 1024

/** A buffer above this is not kept. */
const KEPT_BYTES_MAX = 1024 * 1024

/** Buffers that are kept, one size with another. */
const SPARES_MAX = 64

/**
 * Free buffers for whole bodies. They use shared memory although only one thread reads it: V8 counts the bytes of other
 * buffers towards its next garbage collection each time one is allocated.
 */
const spares: Buffer[] = []

/** Drops the free buffers. */
export function releaseBodyPieces(): void {
  spares.length = 0
}

/** A body that comes in pieces, put together in memory that serves one body after the other. */
export class BodyPieces {
  #buffer: Buffer | undefined
  #length = 0

  /** Copies the next piece. */
  add(piece: Buffer): void {
    const end = this.#length + piece.length
    if (end > (this.#buffer?.length ?? 0)) this.#grow(end)
    if (this.#buffer) copyBytes(piece, piece.length, this.#buffer, this.#length)
    this.#length = end
  }

  /** Hands the body over for the time of the call. */
  use(take: (body: Buffer) => void): void {
    const buffer = this.#buffer
    if (!buffer) return
    this.#buffer = undefined
    take(buffer.subarray(0, this.#length))
    keep(buffer)
  }

  #grow(bytes: number): void {
    const pooled = bytes < POOLED_BYTES_MIN ? undefined : spares.pop()
    const buffer = pooled && pooled.length >= bytes ? pooled : shared(sizeFor(bytes))
    if (this.#buffer) {
      copyBytes(this.#buffer, this.#length, buffer, 0)
      keep(this.#buffer)
    }
    this.#buffer = buffer
  }
}

function sizeFor(bytes: number): number {
  return bytes < POOLED_BYTES_MIN ? bytes * 2 : Math.max(bytes * 2, POOLED_BYTES)
}

function keep(buffer: Buffer): void {
  const isKept = buffer.length >= POOLED_BYTES && buffer.length <= KEPT_BYTES_MAX
  if (isKept && spares.length < SPARES_MAX) spares.push(buffer)
}

function shared(bytes: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(bytes))
}
