import { LRUCache } from 'lru-cache'
import { ServiceError } from '../contract/service-error.ts'
import { monotonicMs } from '../kernel/clock.ts'

/** Unknown tokens from one network before it has to wait. */
const FREE_COUNT = 50

/** Time for which guesses count. */
const WINDOW_MS = 3_600_000

/** Networks that are counted; the least recent ones are forgotten. */
const NETWORKS_MAX = 10_000

/**
 * Limits guesses of personal access tokens by network. Each edge counts for itself: a count in the catalog would add statements to
 * ingestion.
 */
export class TokenGuesses {
  readonly #counts = new LRUCache<string, { count: number; readonly endsMs: number }>({ max: NETWORKS_MAX })

  /** Throws `resource_exhausted` for a network that guessed too often. */
  require(network: string): void {
    const counted = this.#counts.get(network)
    const leftMs = (counted?.endsMs ?? 0) - monotonicMs()
    if (!counted || counted.count < FREE_COUNT || leftMs <= 0) return
    const seconds = Math.ceil(leftMs / 1000)
    throw new ServiceError({
      code: 'resource_exhausted',
      reason: 'RATE_LIMITED',
      message: `too many unknown tokens from this network; try again in ${seconds} s`,
      retryAfterSeconds: seconds,
    })
  }

  /** Counts a guess. */
  count(network: string): void {
    const counted = this.#counts.get(network)
    if (counted && counted.endsMs > monotonicMs()) counted.count++
    else this.#counts.set(network, { count: 1, endsMs: monotonicMs() + WINDOW_MS })
  }
}
