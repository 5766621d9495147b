/** Bounds of an exponential back-off, in milliseconds. */
export interface BackoffBounds {
  readonly firstMs: number
  readonly maxMs: number
}

/** The delay after that many failures in a row, in milliseconds, for who cannot keep a {@link Backoff}. */
export function delayAfter({ firstMs, maxMs }: BackoffBounds, failureCount: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failureCount - 1))
}

/** Doubles from `firstMs` to `maxMs` with each failure; a success starts it again. */
export class Backoff {
  readonly #bounds: BackoffBounds
  #nextMs: number

  constructor(bounds: BackoffBounds) {
    this.#bounds = bounds
    this.#nextMs = bounds.firstMs
  }

  /** The delay before the next try, in milliseconds. */
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
