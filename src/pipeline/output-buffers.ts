import { LIMITS } from '../kernel/limits.ts'

/** A block is about as long as its messages. */
const OUTPUT_BYTES = LIMITS.taskBytesMax

/** Idle buffers that are kept: more than the workers fill and the journal writes at once. */
const SPARES_MAX = 8

/**
 * Pool of the shared buffers into which workers write their blocks. V8 does not count shared memory towards its garbage
 * collections: buffers that were dropped after each large batch would add up to gigabytes.
 */
export class OutputBuffers {
  /** Ascending by length. */
  #spares: SharedArrayBuffer[] = []

  /** The longest idle buffer: how long a block becomes is only known once it is written. */
  take(): SharedArrayBuffer {
    return this.#spares.pop() ?? new SharedArrayBuffer(OUTPUT_BYTES)
  }

  /** Returns a buffer; the caller must not use it, or a view of it, afterwards. */
  give(buffer: SharedArrayBuffer): void {
    this.#spares = [...this.#spares, buffer].sort((a, b) => a.byteLength - b.byteLength).slice(-SPARES_MAX)
  }
}
