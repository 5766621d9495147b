import { LIMITS } from '../../kernel/limits.ts'

/** What is kept between two uses is as much as is used at once: a segment, the INSERT that it becomes, and the one before. */
const SPARES_MAX = 1 + LIMITS.insertsInFlightMax

/**
 * Sizes are multiples of this, so that segments of about the same length fit where another was. What is never written to
 * takes no memory.
 */
const STEP_BYTES = 8 * 1024 * 1024

/**
 * Memory of tens of megabytes that is used again and again. V8 counts other buffers towards its next full garbage
 * collection when they are made: each INSERT brought one on, which stopped the thread for 25 ms. Shared memory is not
 * counted, whether anybody shares it or not.
 */
export class BufferPool {
  #spares: SharedArrayBuffer[] = []

  /** At least `byteCount` bytes of whatever was there before. */
  take(byteCount: number): Buffer {
    const index = this.#spares.findIndex(({ byteLength }) => byteLength >= byteCount)
    const [spare] = index === -1 ? [] : this.#spares.splice(index, 1)
    return Buffer.from(spare ?? new SharedArrayBuffer(Math.ceil(byteCount / STEP_BYTES) * STEP_BYTES))
  }

  /** Takes memory back that {@link take} gave; nobody may use it, or a part of it, any more. */
  give({ buffer }: Buffer): void {
    if (!(buffer instanceof SharedArrayBuffer)) return
    const spares = [...this.#spares, buffer].sort((a, b) => b.byteLength - a.byteLength)
    this.#spares = spares.slice(0, SPARES_MAX).reverse()
  }
}
