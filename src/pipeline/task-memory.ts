import { LIMITS } from '../kernel/limits.ts'
import { PackedTask } from './packed-task.ts'

/** A block is about as long as its messages. */
const OUTPUT_BYTES = LIMITS.taskBytesMax

/** Memory of idle tasks that is kept for reuse. */
const SPARE_BYTES_MAX = 48 * 1024 * 1024

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

  /** Drops the idle buffers. */
  clear(): void {
    this.#spares = []
  }
}

/** Pool of empty tasks, whose memory is reused. */
export class SpareTasks {
  readonly #spares: PackedTask[] = []
  #bytes = 0

  /** An empty task; a new one has room for a message of `byteCount`. */
  take(byteCount: number): PackedTask {
    const spare = this.#spares.pop()
    this.#bytes -= spare?.memoryBytes ?? 0
    return spare ?? new PackedTask(byteCount)
  }

  /** Empties a task and keeps it, within the limit of the pool. */
  give(task: PackedTask): void {
    if (this.#bytes + task.memoryBytes > SPARE_BYTES_MAX) return
    task.clear()
    this.#spares.push(task)
    this.#bytes += task.memoryBytes
  }

  /** Drops the idle tasks. */
  clear(): void {
    this.#spares.length = 0
    this.#bytes = 0
  }
}
