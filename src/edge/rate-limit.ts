import { LRUCache } from 'lru-cache'
import type { HeaderField } from '../rpc/answer.ts'

/** Seconds of traffic that may come at once. */
const BURST_SECONDS = 2

/** Keys whose bucket is remembered; a forgotten one starts full. */
const KEYS_MAX = 50_000

interface Bucket {
  tokens: number
  refilledMs: number
}

/** What a key may still send. */
export interface RateState {
  readonly isAllowed: boolean
  /** Seconds until one event is allowed; 0 when one is. */
  readonly retryAfterSeconds: number
  /** RateLimit headers of the answer. */
  readonly headers: readonly HeaderField[]
}

/**
 * A token bucket per API key, counted in events. A batch is allowed while the bucket is not empty and is charged after it
 * was read, so a bucket can owe; an owing key waits until its debt is paid.
 */
export class RateLimiter {
  readonly #eventsPerSecond: number
  readonly #nowMs: () => number
  readonly #buckets = new LRUCache<string, Bucket>({ max: KEYS_MAX })

  /** `nowMs` is a clock that never goes backwards. */
  constructor(options: { readonly eventsPerSecond: number; readonly nowMs: () => number }) {
    this.#eventsPerSecond = options.eventsPerSecond
    this.#nowMs = options.nowMs
  }

  /** What the key may send now. */
  check(key: string): RateState {
    const { tokens } = this.#refill(key)
    const missing = Math.max(0, 1 - tokens)
    const retryAfterSeconds = Math.ceil(missing / this.#eventsPerSecond)
    return {
      isAllowed: tokens >= 1,
      retryAfterSeconds,
      headers: [
        ['ratelimit-limit', String(this.#eventsPerSecond)],
        ['ratelimit-remaining', String(Math.max(0, Math.floor(tokens)))],
        ['ratelimit-reset', String(retryAfterSeconds)],
      ],
    }
  }

  /** Takes the events of a batch from the key's bucket. */
  charge(key: string, eventCount: number): void {
    this.#refill(key).tokens -= eventCount
  }

  #refill(key: string): Bucket {
    const nowMs = this.#nowMs()
    const burst = this.#eventsPerSecond * BURST_SECONDS
    let bucket = this.#buckets.get(key)
    if (!bucket) {
      bucket = { tokens: burst, refilledMs: nowMs }
      this.#buckets.set(key, bucket)
    }
    const gained = ((nowMs - bucket.refilledMs) / 1000) * this.#eventsPerSecond
    bucket.tokens = Math.min(burst, bucket.tokens + gained)
    bucket.refilledMs = nowMs
    return bucket
  }
}
