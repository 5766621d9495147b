import { Backoff, type BackoffBounds } from '../../kernel/backoff.ts'
import { monotonicMs } from '../../kernel/clock.ts'

interface Pause {
  readonly backoff: Backoff
  readonly untilMs: number
}

/**
 * When which segment may be sent again. A failure pauses all of them, because most failures are an outage; it pauses
 * the segment that failed at least as long, so that one which always fails does not keep the others waiting.
 */
export class ShipPauses {
  readonly #bounds: BackoffBounds
  readonly #outage: Backoff
  readonly #segments = new Map<number, Pause>()
  #allUntilMs = 0
  #isFailing = false

  constructor(bounds: BackoffBounds) {
    this.#bounds = bounds
    this.#outage = new Backoff(bounds)
  }

  /** Whether the last attempt failed: the next one only asks whether ClickHouse is back. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  /** Monotonic time from which a segment may be sent. */
  untilMs(sequence: number): number {
    return Math.max(this.#allUntilMs, this.#segments.get(sequence)?.untilMs ?? 0)
  }

  /** An attempt succeeded. */
  succeeded(sequence: number): void {
    this.#segments.delete(sequence)
    this.#outage.reset()
    this.#allUntilMs = 0
    this.#isFailing = false
  }

  /** An attempt failed. */
  failed(sequence: number): void {
    const nowMs = monotonicMs()
    const backoff = this.#segments.get(sequence)?.backoff ?? new Backoff(this.#bounds)
    this.#segments.set(sequence, { backoff, untilMs: nowMs + backoff.next() })
    this.#allUntilMs = nowMs + this.#outage.next()
    this.#isFailing = true
  }
}
