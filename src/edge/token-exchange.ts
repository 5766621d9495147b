import { LRUCache } from 'lru-cache'
import { counter } from '../kernel/metrics.ts'
import type { StateStore } from '../store/state/state-store.ts'
import {
  type BucketState,
  type TokenDemand,
  type TokenGrant,
  type TokenRate,
  takeFromBucket,
} from '../store/state/token-bucket.ts'

/** Demands of one call: its answer holds up whatever else the store serves. */
const DEMANDS_MAX = 256

/** Buckets of this edge that are remembered while the store cannot be reached; a forgotten one is full. */
const LOCAL_BUCKETS_MAX = 50_000

const localDemands = counter(
  'millrace_rate_limit_local_total',
  'Demands on rate limits that this edge met alone because the state store could not be reached.',
)

interface Waiting {
  readonly demand: TokenDemand
  readonly resolve: (grant: TokenGrant) => void
}

/** What the exchange works with. */
export interface TokenExchangeOptions {
  readonly store: Pick<StateStore, 'takeTokens'>
  readonly rate: TokenRate
  /** A clock that never goes backwards. */
  readonly nowMs: () => number
}

/**
 * Takes tokens from the buckets that all edges share: one call at a time, and what is demanded meanwhile is the next
 * one. Without the store, buckets of this edge alone follow the same rule: ingestion goes on, and each edge admits the
 * whole rate.
 */
export class TokenExchange {
  readonly #options: TokenExchangeOptions
  readonly #local = new LRUCache<string, BucketState>({ max: LOCAL_BUCKETS_MAX })
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(options: TokenExchangeOptions) {
    this.#options = options
  }

  /** Never rejects. No two demands under way may be on the same bucket. */
  take(demand: TokenDemand): Promise<TokenGrant> {
    return new Promise((resolve) => {
      this.#waiting.push({ demand, resolve })
      if (this.#isRunning) return
      this.#isRunning = true
      setImmediate(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, DEMANDS_MAX)
      const demands = group.map(({ demand }) => demand)
      const outcome = await this.#options.store.takeTokens(demands, this.#options.rate)
      for (const [index, { demand, resolve }] of group.entries()) {
        const grant = outcome.status === 'ok' ? outcome.grants[index] : undefined
        resolve(grant ?? this.#takeLocally(demand))
      }
    }
    this.#isRunning = false
  }

  #takeLocally(demand: TokenDemand): TokenGrant {
    localDemands.inc()
    const { rate, nowMs } = this.#options
    const known = this.#local.get(demand.key)
    const { grant, bucket } = takeFromBucket(known, demand, { ...rate, nowMs: nowMs() })
    this.#local.set(demand.key, bucket)
    return grant
  }
}
