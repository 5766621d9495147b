import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../kernel/cache-limit.ts'
import type { HeaderField } from '../rpc/answer.ts'
import type { SharedStateStore } from '../store/state/state-store.ts'
import type { TokenRate } from '../store/state/token-bucket.ts'
import { TokenExchange } from './token-exchange.ts'

/** Seconds of traffic that may come at once. */
const BURST_SECONDS = 2

/** Seconds of traffic that are taken from the shared bucket at a time: about ten calls a second for a busy key. */
const LEASE_SECONDS = 0.1

/** Unused tokens of a lease go back with the next call after this time; they would add to later bursts. */
const LEASE_MS = 1000

/** Keys whose lease is remembered; a forgotten one takes another. */
const KEYS_MAX = 50_000

/** 128 bits of a key's digest name its bucket: the state store must not see the key. */
const BUCKET_NAME_CHARACTERS = 22

/** One edge's share of a key's bucket. */
interface Lease {
  readonly bucket: string
  /** Available tokens; negative for tokens that are used and not yet taken from the bucket. */
  credit: number
  takenMs: number
  /** The shared bucket at the last call. */
  left: number
  leftMs: number
  /** The call under way. */
  call: Promise<void> | undefined
}

/** Remaining allowance of a key. */
export interface RateState {
  readonly isAllowed: boolean
  /** Seconds until one event is allowed; 0 when one is. */
  readonly retryAfterSeconds: number
  /** RateLimit headers of the answer. */
  readonly headers: readonly HeaderField[]
}

/** Options of a {@link RateLimiter}. */
export interface RateLimiterOptions {
  readonly eventsPerSecond: number
  /** Holds the buckets that all edges share; absent for an edge that shares its limits with none. */
  readonly store?: Pick<SharedStateStore, 'takeTokens'> | undefined
  /** A clock that never goes backwards. */
  readonly nowMs: () => number
}

/**
 * A token bucket per API key, counted in events and shared by all edges of one store. A batch is allowed while the bucket is not
 * empty and is charged after it was read, so a bucket can owe; an owing key waits until its debt is paid.
 *
 * Each edge leases tokens in chunks and admits against its lease; only a request that finds the lease used up or expired
 * waits for the store. Tokens used beyond a lease are charged at once, so that the other edges see them.
 */
export class RateLimiter {
  readonly #rate: TokenRate
  readonly #nowMs: () => number
  readonly #leases = new LRUCache<string, Lease>(entriesUpTo(KEYS_MAX))
  readonly #exchange: TokenExchange

  constructor({ eventsPerSecond, store, nowMs }: RateLimiterOptions) {
    this.#rate = { ratePerSecond: eventsPerSecond, burst: eventsPerSecond * BURST_SECONDS }
    this.#nowMs = nowMs
    this.#exchange = new TokenExchange({ store, nowMs, rate: this.#rate })
  }

  /** Allowance of the key if it is known without the store; `undefined` when {@link admit} must query the store. */
  peek(key: string): RateState | undefined {
    const lease = this.#find(key)
    return this.#isUsable(lease) || this.#isKnownEmpty(lease) ? this.#describe(lease) : undefined
  }

  /** Allowance of the key. Never rejects. */
  async admit(key: string): Promise<RateState> {
    for (;;) {
      const known = this.peek(key)
      if (known) return known
      await this.#call(this.#find(key), this.#chunk)
    }
  }

  /** Takes the events of an admitted batch. */
  charge(key: string, eventCount: number): void {
    const lease = this.#find(key)
    lease.credit -= eventCount
    if (lease.credit < 0) this.#pay(lease)
  }

  get #chunk(): number {
    return Math.max(1, this.#rate.ratePerSecond * LEASE_SECONDS)
  }

  #find(key: string): Lease {
    const known = this.#leases.get(key)
    if (known) return known
    const bucket = createHash('sha256').update(key).digest('base64url').slice(0, BUCKET_NAME_CHARACTERS)
    const lease = { bucket, credit: 0, takenMs: 0, left: this.#rate.burst, leftMs: 0, call: undefined }
    this.#leases.set(key, lease)
    return lease
  }

  #isUsable({ credit, takenMs }: Lease): boolean {
    return credit >= 1 && this.#nowMs() - takenMs < LEASE_MS
  }

  /** Other edges can only have taken more since, so the store need not be queried. */
  #isKnownEmpty(lease: Lease): boolean {
    return lease.call === undefined && lease.credit < 1 && this.#leftNow(lease) < 1
  }

  #leftNow({ left, leftMs }: Lease): number {
    const { ratePerSecond, burst } = this.#rate
    return Math.min(burst, left + ((this.#nowMs() - leftMs) / 1000) * ratePerSecond)
  }

  #pay(lease: Lease): void {
    if (lease.call === undefined) void this.#call(lease, 0)
  }

  /** One call at a time per lease: concurrent requests wait for it, then check again. */
  #call(lease: Lease, wanted: number): Promise<void> {
    lease.call ??= this.#take(lease, wanted).then(() => {
      lease.call = undefined
      if (lease.credit < 0) this.#pay(lease)
    })
    return lease.call
  }

  async #take(lease: Lease, wanted: number): Promise<void> {
    const used = -lease.credit
    lease.credit = 0
    const { granted, left } = await this.#exchange.take({ key: lease.bucket, used, wanted })
    lease.credit += granted
    lease.takenMs = this.#nowMs()
    lease.left = left
    lease.leftMs = lease.takenMs
  }

  #describe(lease: Lease): RateState {
    const tokens = lease.credit + this.#leftNow(lease)
    const missing = lease.credit >= 1 ? 0 : Math.max(0, 1 - tokens)
    const retryAfterSeconds = Math.ceil(missing / this.#rate.ratePerSecond)
    return {
      isAllowed: lease.credit >= 1,
      retryAfterSeconds,
      headers: [
        ['ratelimit-limit', String(this.#rate.ratePerSecond)],
        ['ratelimit-remaining', String(Math.max(0, Math.floor(tokens)))],
        ['ratelimit-reset', String(retryAfterSeconds)],
      ],
    }
  }
}
