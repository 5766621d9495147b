import type { BackoffBounds } from '../../kernel/backoff.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Logger } from '../../kernel/log.ts'
import { type ClickHouse, insertNative } from '../../store/clickhouse/client.ts'
import type { Journal } from '../journal/journal.ts'
import type { SealedSegment } from '../journal/segment.ts'
import { Delivery, type DeliveryOutcome, type ToBlocks } from './delivery.ts'
import { ShipPauses } from './ship-pauses.ts'

/** From where to where. */
export interface ShipperOptions {
  readonly journal: Journal
  readonly clickhouse: ClickHouse
  readonly log: Logger
  readonly toBlocks: ToBlocks
  /** How an INSERT is made; tests have one without a server. */
  readonly insert?: typeof insertNative
  readonly retry?: BackoffBounds
}

/** A store that is starting is asked soon, one that is gone every five seconds. */
const RETRY: BackoffBounds = { firstMs: 100, maxMs: 5000 }

/**
 * Sends each sealed segment of the journal until ClickHouse has it durably, oldest first, at most
 * {@link LIMITS.insertsInFlightMax} at once and one at a time while ClickHouse fails. The outcome of an INSERT without
 * an answer is unknown: it is sent again, and copies collapse.
 */
export class Shipper {
  readonly #journal: Journal
  readonly #delivery: Delivery
  readonly #pauses: ShipPauses
  readonly #stop = new AbortController()
  #inFlight = 0
  #isStarted = false
  #timer: NodeJS.Timeout | undefined
  #onSettled: (() => void)[] = []

  constructor(options: ShipperOptions) {
    this.#journal = options.journal
    this.#pauses = new ShipPauses(options.retry ?? RETRY)
    this.#delivery = new Delivery({
      ...options,
      insert: options.insert ?? insertNative,
      signal: this.#stop.signal,
    })
  }

  /** Begins with what an earlier process left. */
  start(): void {
    this.#isStarted = true
    this.#journal.onSealed(() => this.#sendWaiting())
    this.#sendWaiting()
  }

  /**
   * Completes the open segment and waits until ClickHouse has everything, for `timeoutMs` at most; then nothing more is
   * sent. Answers the rows that are left: the journal keeps them for the next start.
   */
  async drain(timeoutMs: number): Promise<number> {
    await this.#journal.seal()
    const lateMs = monotonicMs() + timeoutMs
    while (this.#isStarted && this.#journal.segmentCount > 0 && monotonicMs() < lateMs) {
      await this.#nextOutcome(lateMs - monotonicMs())
    }
    this.#stop.abort()
    clearTimeout(this.#timer)
    while (this.#inFlight > 0) await this.#nextOutcome(timeoutMs)
    return this.#journal.rowCount
  }

  async #nextOutcome(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#onSettled.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #sendWaiting(): void {
    clearTimeout(this.#timer)
    const inFlightMax = this.#pauses.isFailing ? 1 : LIMITS.insertsInFlightMax
    const free = this.#stop.signal.aborted ? 0 : inFlightMax - this.#inFlight
    if (free <= 0) return
    const nowMs = monotonicMs()
    const waiting = this.#journal.waiting()
    const due = waiting.filter(({ sequence }) => this.#pauses.untilMs(sequence) <= nowMs)
    for (const segment of due.slice(0, free)) void this.#send(segment)
    if (due.length > 0 || waiting.length === 0) return
    const dueMs = Math.min(...waiting.map(({ sequence }) => this.#pauses.untilMs(sequence)))
    this.#timer = setTimeout(() => this.#sendWaiting(), Math.ceil(dueMs - nowMs))
  }

  async #send(segment: SealedSegment): Promise<void> {
    this.#inFlight++
    this.#journal.take(segment)
    const outcome = await this.#delivery.deliver(segment)
    await this.#settle(segment, outcome)
    this.#inFlight--
    for (const resolve of this.#onSettled.splice(0)) resolve()
    this.#sendWaiting()
  }

  async #settle(segment: SealedSegment, outcome: DeliveryOutcome): Promise<void> {
    if (outcome === 'done') {
      this.#pauses.succeeded(segment.sequence)
      await this.#journal.remove(segment)
    } else {
      if (outcome === 'failed') this.#pauses.failed(segment.sequence)
      this.#journal.giveBack(segment)
    }
  }
}
