import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../contract/service-error.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { type BucketState, type TokenRate, takeFromBucket } from '../../store/state/token-bucket.ts'

/** Enough for a roomful of viewers whose pages each refresh every half minute. */
const RATE: TokenRate = { ratePerSecond: 2, burst: 60 }

/** Maximum tracked dashboards; an evicted one starts with a full bucket. */
const SHARES_MAX = 10_000

/** Rate limit per shared dashboard, in memory: each process allows the whole rate. */
export class ShareLimiter {
  readonly #buckets = new LRUCache<string, BucketState>(entriesUpTo(SHARES_MAX))
  readonly #nowMs: () => number

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs
  }

  /** Counts a read of an existing dashboard. Throws `resource_exhausted`. */
  take(shareId: string): void {
    const demand = { used: 0, wanted: 1 }
    const { grant, bucket } = takeFromBucket(this.#buckets.get(shareId), demand, {
      ...RATE,
      nowMs: this.#nowMs(),
    })
    this.#buckets.set(shareId, bucket)
    if (grant.granted < 1) throw rateLimited((1 - grant.left) / RATE.ratePerSecond)
  }
}

function rateLimited(waitSeconds: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: 'too many requests for this dashboard; try again later',
    retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)),
  })
}
