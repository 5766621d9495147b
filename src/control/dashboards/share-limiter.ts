import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { type BucketState, type TokenRate, takeFromBucket } from '../../store/state/token-bucket.ts'

/** A page that a room of people looks at, each reading it anew every half minute. */
const RATE: TokenRate = { ratePerSecond: 2, burst: 60 }

/** Shared dashboards that are remembered: what is forgotten may be read a burst more. */
const SHARES_MAX = 10_000

/** Limits how often each shared dashboard is read. In the memory of this process; with several, each allows as much. */
export class ShareLimiter {
  readonly #buckets = new LRUCache<string, BucketState>({ max: SHARES_MAX })
  readonly #nowMs: () => number

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs
  }

  /** Counts a read of a dashboard that exists. Throws `resource_exhausted`. */
  take(shareId: string): void {
    const demand = { used: 0, wanted: 1 }
    const { grant, bucket } = takeFromBucket(this.#buckets.get(shareId), demand, {
      ...RATE,
      nowMs: this.#nowMs(),
    })
    this.#buckets.set(shareId, bucket)
    if (grant.granted < 1) throw tooOften((1 - grant.left) / RATE.ratePerSecond)
  }
}

function tooOften(waitSeconds: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: 'this dashboard is read too often; try again',
    retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds)),
  })
}
