import { Backoff, type BackoffBounds } from '../../kernel/backoff.ts'
import { monotonicMs } from '../../kernel/clock.ts'

interface Pause {
  readonly backoff: Backoff
  readonly untilMs: number
}

/**
 * When each segment may be retried. A failure pauses all segments, because most failures are an outage. The failed segment has
 * its own, longer backoff, so that one that always fails does not delay the others.
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

  /** Whether the last attempt failed: the next one is a probe. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  /** Monotonic time at which a segment may be sent. */
  untilMs(sequence: number): number {
    return Math.max(this.#allUntilMs, this.#segments.get(sequence)?.untilMs ?? 0)
  }

  /** Call after a successful attempt. */
  succeeded(sequence: number): void {
    this.#segments.delete(sequence)
    this.#outage.reset()
    this.#allUntilMs = 0
    this.#isFailing = false
  }

  /** Call after a failed attempt. */
  failed(sequence: number): void {
    const nowMs = monotonicMs()
    const backoff = this.#segments.get(sequence)?.backoff ?? new Backoff(this.#bounds)
    this.#segments.set(sequence, { backoff, untilMs: nowMs + backoff.next() })
    this.#allUntilMs = nowMs + this.#outage.next()
    this.#isFailing = true
  }
}
