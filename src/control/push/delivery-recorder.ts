import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'

/** Inserts deliveries into the store. */
export type InsertDeliveries = (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>

/** Limits of the recorder. */
export interface RecorderBounds {
  /** Delay of an INSERT, in which a batch grows. */
  readonly gatherMs: number
  readonly batchMax: number
  /** Maximum deliveries that are queued or being inserted. */
  readonly pendingMax: number
  readonly insertMs: number
}

/** Batches, because an INSERT of one row costs as much as one of a thousand. */
const BOUNDS: RecorderBounds = { gatherMs: 20, batchMax: 1000, pendingMax: 10_000, insertMs: 10_000 }

/** The outcome of recording a delivery. */
export type Recorded = 'durable' | 'store-down' | 'too-many'

interface Waiting {
  readonly delivery: Delivery
  readonly settle: (recorded: Recorded) => void
}

/** Batches concurrent deliveries into one INSERT; each caller waits until its delivery is durable. */
export class DeliveryRecorder {
  readonly #insert: InsertDeliveries
  readonly #log: Logger
  readonly #bounds: RecorderBounds
  #waiting: Waiting[] = []
  #pendingCount = 0
  #isRunning = false

  constructor(parts: {
    readonly insert: InsertDeliveries
    readonly log: Logger
    readonly bounds?: Partial<RecorderBounds>
  }) {
    this.#insert = parts.insert
    this.#log = parts.log
    this.#bounds = { ...BOUNDS, ...parts.bounds }
  }

  /** Records a delivery. Never rejects. */
  async record(delivery: Delivery): Promise<Recorded> {
    if (this.#pendingCount >= this.#bounds.pendingMax) return 'too-many'
    this.#pendingCount++
    const recorded = new Promise<Recorded>((resolve) => {
      this.#waiting.push({ delivery, settle: resolve })
    })
    if (!this.#isRunning) this.#run()
    return await recorded.finally(() => this.#pendingCount--)
  }

  /** One INSERT at a time; meanwhile the next batch grows. Never rejects. */
  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      await sleep(this.#bounds.gatherMs)
      const batch = this.#waiting.splice(0, this.#bounds.batchMax)
      const recorded = await this.#insertBatch(batch.map(({ delivery }) => delivery))
      for (const { settle } of batch) settle(recorded)
    }
    this.#isRunning = false
  }

  async #insertBatch(batch: readonly Delivery[]): Promise<Recorded> {
    try {
      await this.#insert(batch, AbortSignal.timeout(this.#bounds.insertMs))
      return 'durable'
    } catch (error) {
      this.#log.warn({ err: error, deliveries: batch.length }, 'deliveries could not be recorded')
      return 'store-down'
    }
  }
}
