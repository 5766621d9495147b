import type { BackoffBounds } from '../../kernel/backoff.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import type { Journal } from '../journal/journal.ts'
import type { SealedSegment } from '../journal/segment.ts'
import { Delivery, type DeliveryOutcome, type JournalInsert } from './delivery.ts'
import { ShipPauses } from './ship-pauses.ts'

/** Options of a shipper. */
export interface ShipperOptions extends JournalInsert {
  readonly journal: Journal
  readonly clickhouse: ClickHouse
  readonly log: Logger
  readonly retry?: BackoffBounds
}

/** Short at first, for a store that is starting; then every five seconds. */
const RETRY: BackoffBounds = { firstMs: 100, maxMs: 5000 }

/**
 * Delivers the sealed segments of the journal at least once, oldest first: at most {@link LIMITS.insertsInFlightMax} at once,
 * and one at a time while ClickHouse fails. An INSERT without a response has an unknown outcome: it is retried, and copies
 * collapse.
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
    this.#delivery = new Delivery({ ...options, signal: this.#stop.signal })
  }

  /** Starts delivery, with the segments of an earlier process first. */
  start(): void {
    this.#isStarted = true
    this.#journal.onSealed(() => this.#sendWaiting())
    this.#sendWaiting()
  }

  /**
   * Seals the open segment, waits up to `timeoutMs` for the delivery of everything, and stops. Returns the number of
   * undelivered rows: the next start delivers them.
   */
  async drain(timeoutMs: number): Promise<number> {
    await this.#journal.seal()
    const deadlineMs = monotonicMs() + timeoutMs
    while (this.#isStarted && this.#journal.segmentCount > 0 && monotonicMs() < deadlineMs) {
      await this.#nextOutcome(deadlineMs - monotonicMs())
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
