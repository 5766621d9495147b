import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Delivery } from '../../store/clickhouse/deliveries.ts'

/** How deliveries get into the store. */
export type InsertDeliveries = (deliveries: readonly Delivery[], signal: AbortSignal) => Promise<void>

/** How many come together, and for how long they wait for each other. */
export interface RecorderBounds {
  readonly gatherMs: number
  readonly batchMax: number
  /** Deliveries that wait, and those that are on their way. */
  readonly pendingMax: number
  readonly insertMs: number
}

/** An INSERT of one row costs as much as one of a thousand. */
const BOUNDS: RecorderBounds = { gatherMs: 20, batchMax: 1000, pendingMax: 10_000, insertMs: 10_000 }

/** What became of a delivery. */
export type Recorded = 'durable' | 'store-down' | 'too-many'

interface Waiting {
  readonly delivery: Delivery
  readonly settle: (recorded: Recorded) => void
}

/** Gathers deliveries that come at the same time into one INSERT; whoever brought one waits until it is durable. */
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

  /** One INSERT at a time: while one is under way, the next batch gathers. Never rejects. */
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
