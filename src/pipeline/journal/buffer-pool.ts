import { LIMITS } from '../../kernel/limits.ts'

/** Idle buffers that are kept: as many as are in use at once, for a segment, its INSERT and the INSERT before. */
const SPARES_MAX = 1 + LIMITS.insertsInFlightMax

/**
 * Sizes are multiples of this, so that segments of similar length fit in each other's buffers. Pages that are never written
 * take no memory.
 */
const STEP_BYTES = 8 * 1024 * 1024

/**
 * Pool of buffers of tens of megabytes. V8 counts newly allocated buffers towards its next full garbage collection: every
 * INSERT caused one, which stopped the thread for 25 ms. Shared memory is not counted, even when it is not shared.
 */
export class BufferPool {
  #spares: SharedArrayBuffer[] = []

  /** A buffer of at least `byteCount` bytes, with arbitrary content. */
  take(byteCount: number): Buffer {
    const index = this.#spares.findIndex(({ byteLength }) => byteLength >= byteCount)
    const [spare] = index === -1 ? [] : this.#spares.splice(index, 1)
    return Buffer.from(spare ?? new SharedArrayBuffer(Math.ceil(byteCount / STEP_BYTES) * STEP_BYTES))
  }

  /** Returns a buffer from {@link take}; the caller must not use it, or a view of it, afterwards. */
  give({ buffer }: Buffer): void {
    if (!(buffer instanceof SharedArrayBuffer)) return
    const spares = [...this.#spares, buffer].sort((a, b) => b.byteLength - a.byteLength)
    this.#spares = spares.slice(0, SPARES_MAX).reverse()
  }

  /** Drops the idle buffers. */
  clear(): void {
    this.#spares = []
  }
}
