import { createHash } from 'node:crypto'
import { Backoff } from '../kernel/backoff.ts'
import { sleep } from '../kernel/clock.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Logger } from '../kernel/log.ts'
import { type ClickHouse, insertNative } from '../store/clickhouse/client.ts'

/** When a batch is sent, and to where. */
export interface ShipperOptions {
  readonly clickhouse: ClickHouse
  readonly log: Logger
  readonly batchRowsMax: number
  readonly batchBytesMax: number
  readonly batchMs: number
}

/** Blocks that go to ClickHouse in one INSERT. */
interface Batch {
  readonly blocks: Buffer[]
  rowCount: number
  byteCount: number
}

const RETRY = { firstMs: 100, maxMs: 5000 }

/**
 * Joins blocks into batches and sends each until ClickHouse has it, at most {@link LIMITS.insertsInFlightMax} at once.
 * A batch is sent again with the same token, so an INSERT whose answer was lost adds nothing.
 */
export class Shipper {
  readonly #options: ShipperOptions
  readonly #queue: Batch[] = []
  readonly #stopRetries = new AbortController()
  #open: Batch = emptyBatch()
  #timer: NodeJS.Timeout | undefined
  #inFlight = 0
  #backlogBytes = 0
  #onIdle: (() => void)[] = []

  constructor(options: ShipperOptions) {
    this.#options = options
  }

  /** True when no more rows should be accepted until ClickHouse has taken some. */
  get isFull(): boolean {
    return this.#backlogBytes >= LIMITS.backlogBytesMax
  }

  /** Bytes that ClickHouse does not have yet. */
  get backlogBytes(): number {
    return this.#backlogBytes
  }

  /** Takes over a Native block. */
  add(block: Uint8Array, rowCount: number): void {
    const open = this.#open
    open.blocks.push(Buffer.from(block.buffer, block.byteOffset, block.byteLength))
    open.rowCount += rowCount
    open.byteCount += block.byteLength
    this.#backlogBytes += block.byteLength
    const { batchRowsMax, batchBytesMax, batchMs } = this.#options
    if (open.rowCount >= batchRowsMax || open.byteCount >= batchBytesMax) this.#cut()
    else this.#timer ??= setTimeout(() => this.#cut(), batchMs)
  }

  /**
   * Sends everything that is left. Answers the rows that ClickHouse did not take within `timeoutMs`; they are lost with
   * the process.
   */
  async drain(timeoutMs: number): Promise<number> {
    this.#cut()
    const timer = setTimeout(() => this.#stopRetries.abort(), timeoutMs)
    while (this.#backlogBytes > 0 && !this.#stopRetries.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onIdle.push(resolve)
        this.#stopRetries.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    clearTimeout(timer)
    return this.#queue.reduce((sum, { rowCount }) => sum + rowCount, 0)
  }

  #cut(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#open.rowCount === 0) return
    this.#queue.push(this.#open)
    this.#open = emptyBatch()
    this.#sendNext()
  }

  #sendNext(): void {
    const batch = this.#inFlight < LIMITS.insertsInFlightMax ? this.#queue.shift() : undefined
    if (!batch) return
    this.#inFlight++
    void this.#send(batch)
  }

  async #send(batch: Batch): Promise<void> {
    const token = digest(batch.blocks)
    const backoff = new Backoff(RETRY)
    const { clickhouse, log } = this.#options
    while (!this.#stopRetries.signal.aborted) {
      try {
        await insertNative(clickhouse, {
          table: 'events',
          blocks: batch.blocks,
          token,
          signal: this.#stopRetries.signal,
        })
        this.#backlogBytes -= batch.byteCount
        break
      } catch (error) {
        if (this.#stopRetries.signal.aborted) break
        const retryMs = backoff.next()
        log.warn(
          { err: error, rows: batch.rowCount, retryMs },
          'ClickHouse did not take a batch; sending it again',
        )
        await sleep(retryMs, this.#stopRetries.signal).catch(() => undefined)
      }
    }
    if (this.#stopRetries.signal.aborted) this.#queue.push(batch)
    this.#inFlight--
    this.#sendNext()
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}

function emptyBatch(): Batch {
  return { blocks: [], rowCount: 0, byteCount: 0 }
}

function digest(blocks: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const block of blocks) hash.update(block)
  return hash.digest('hex')
}
