import type { Item } from './encode.ts'
import { Observers } from './observers.ts'
import { retryDelayMs } from './retry-delay.ts'

/** The end of an attempt to send a batch. */
export interface Delivery {
  /** The items to send again, in their order. */
  readonly left: readonly Item[]
  /** How long the service asks to wait. */
  readonly retryAfterMs: number
}

/** The limits of a lane, and how it sends. */
export interface LaneOptions {
  readonly itemsMax: number
  readonly bytesMax: number
  readonly whenFull: 'drop-newest' | 'drop-oldest'
  readonly flushIntervalMs: number
  /** So many waiting items are sent without waiting for more. */
  readonly batchItemsMax: number
  /** The number of first items that one batch may hold, at least one. */
  cut(waiting: readonly Item[]): number
  /** Sends a batch; never rejects. */
  deliver(batch: readonly Item[]): Promise<Delivery>
  readonly onOverflow: () => void
}

/** A bounded queue whose items are sent in order, one batch at a time. */
export class Lane {
  readonly #options: LaneOptions
  readonly #observers = new Observers()
  #waiting: Item[] = []
  /** Under way, or to be sent again. */
  #batch: readonly Item[] = []
  #bytes = 0
  #isBusy = false
  #failureCount = 0
  /** Nothing is sent before the first; the service asks for the second. */
  #allowedAt = 0
  #askedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = Number.POSITIVE_INFINITY

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /** Items that wait or are under way. */
  get size(): number {
    return this.#waiting.length + this.#batch.length
  }

  /** Adds an item; `false` when it found no room. */
  add(item: Item): boolean {
    const { whenFull, batchItemsMax, flushIntervalMs, onOverflow } = this.#options
    while (whenFull === 'drop-oldest' && !this.#hasRoom(item.bytes) && this.#waiting.length > 0) {
      this.#forget(this.#waiting.splice(0, 1))
      onOverflow()
    }
    if (!this.#hasRoom(item.bytes)) {
      onOverflow()
      return false
    }
    this.#waiting.push(item)
    this.#bytes += item.bytes
    this.#wake(this.#waiting.length >= batchItemsMax ? 0 : flushIntervalMs)
    return true
  }

  /** Resolves with `true` once there is room, with `false` when the time is up before. */
  async waitForRoom(timeoutMs: number): Promise<boolean> {
    if (!this.#hasRoom()) this.#wake(0)
    return await this.#observe(() => this.#hasRoom(), timeoutMs)
  }

  /** Sends now, unless a failure or the service asks to wait. `true` once all that waits now is gone. */
  async flush(timeoutMs: number): Promise<boolean> {
    const last = this.#waiting.at(-1) ?? this.#batch.at(-1)
    if (last === undefined) return true
    this.#wake(0)
    return await this.#observe(() => !this.#batch.includes(last) && !this.#waiting.includes(last), timeoutMs)
  }

  /** Sends now, even shortly after a failure; not before the service allows it. */
  hurry(): void {
    this.#allowedAt = this.#askedAt
    if (this.size > 0) this.#wake(0)
  }

  /** Removes everything and returns the number of items. */
  clear(): number {
    const count = this.size
    this.#waiting = []
    this.#batch = []
    this.#bytes = 0
    clearTimeout(this.#timer)
    this.#observers.notify()
    return count
  }

  #hasRoom(bytes = 0): boolean {
    const { itemsMax, bytesMax } = this.#options
    return this.size < itemsMax && this.#bytes + bytes <= bytesMax
  }

  #forget(items: readonly Item[]): void {
    for (const { bytes } of items) this.#bytes -= bytes
  }

  async #observe(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    const observed = this.#observers.observe(condition, timeoutMs)
    // Somebody waits for it: the process goes on until then.
    if (this.#observers.count > 0) this.#timer?.ref()
    const isDone = await observed
    if (this.#observers.count === 0) this.#timer?.unref()
    return isDone
  }

  #wake(delayMs: number): void {
    const at = Math.max(Date.now() + delayMs, this.#allowedAt)
    if (this.#isBusy || at >= this.#dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = at
    this.#timer = setTimeout(() => this.#run(), at - Date.now())
    // Events that gather do not keep a process that has nothing else to do.
    if (this.#observers.count === 0) this.#timer.unref()
  }

  async #run(): Promise<void> {
    const { batchItemsMax, flushIntervalMs } = this.#options
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#isBusy = true
    do {
      if (!(await this.#sendBatch())) break
    } while (this.#waiting.length >= batchItemsMax || (this.#waiting.length > 0 && this.#observers.count > 0))
    this.#isBusy = false
    if (this.#batch.length > 0) this.#wake(0)
    else if (this.#waiting.length > 0) this.#wake(flushIntervalMs)
  }

  /** Sends the batch that failed, or the next one. */
  async #sendBatch(): Promise<boolean> {
    const { cut, deliver } = this.#options
    if (this.#batch.length === 0) this.#batch = this.#waiting.splice(0, cut(this.#waiting))
    const sent = this.#batch
    const { left, retryAfterMs } = await deliver(sent)
    // `clear` may have emptied it meanwhile.
    if (this.#batch === sent) {
      const kept = new Set(left)
      this.#forget(sent.filter((item) => !kept.has(item)))
      this.#batch = left
    }
    this.#observers.notify()
    if (left.length === 0) {
      this.#failureCount = 0
      return true
    }
    this.#failureCount++
    this.#askedAt = Date.now() + retryAfterMs
    this.#allowedAt = Date.now() + retryDelayMs(this.#failureCount, retryAfterMs)
    return false
  }
}
