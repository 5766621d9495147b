/** Bounds of an exponential backoff, in milliseconds. */
export interface BackoffBounds {
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * The delay after the given number of consecutive failures, in milliseconds, for callers that cannot keep a {@link
 * Backoff}.
 */
export function delayAfter({ firstMs, maxMs }: BackoffBounds, failureCount: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failureCount - 1))
}

/** Doubles from `firstMs` to `maxMs` with each failure; a success resets it. */
export class Backoff {
  readonly #bounds: BackoffBounds
  #nextMs: number

  constructor(bounds: BackoffBounds) {
    this.#bounds = bounds
    this.#nextMs = bounds.firstMs
  }

  /** The delay before the next retry, in milliseconds. */
  next(): number {
    const delayMs = this.#nextMs
    this.#nextMs = Math.min(this.#bounds.maxMs, delayMs * 2)
    return delayMs
  }

  /** Call after a success. */
  reset(): void {
    this.#nextMs = this.#bounds.firstMs
  }
}
