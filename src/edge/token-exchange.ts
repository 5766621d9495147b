import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../kernel/cache-limit.ts'
import { counter } from '../kernel/metrics.ts'
import type { SharedStateStore } from '../store/state/state-store.ts'
import {
  type BucketState,
  type TokenDemand,
  type TokenGrant,
  type TokenRate,
  takeFromBucket,
} from '../store/state/token-bucket.ts'

/** Maximum demands in one call, whose answer blocks other work of the store. */
const DEMANDS_MAX = 256

/** Buckets of this edge that are remembered without a store; a forgotten one is full. */
const LOCAL_BUCKETS_MAX = 50_000

const localDemands = counter(
  'millrace_rate_limit_local_total',
  'Rate limit checks that this edge decided alone because the state store was unavailable.',
)

interface Waiting {
  readonly demand: TokenDemand
  readonly resolve: (grant: TokenGrant) => void
}

/** Options of the exchange. */
export interface TokenExchangeOptions {
  /** Absent for an edge that shares its limits with none. */
  readonly store?: Pick<SharedStateStore, 'takeTokens'> | undefined
  readonly rate: TokenRate
  /** A clock that never goes backwards. */
  readonly nowMs: () => number
}

/**
 * Takes tokens from the buckets that all edges share, one call at a time; demands that arrive meanwhile form the next call.
 * Without a store the edge keeps buckets of its own in memory: ingestion waits for no disk and continues while the store is
 * unavailable, and each edge admits the whole rate.
 */
export class TokenExchange {
  readonly #options: TokenExchangeOptions
  readonly #local = new LRUCache<string, BucketState>(entriesUpTo(LOCAL_BUCKETS_MAX))
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
      const grants = await this.#takeShared(demands)
      for (const [index, { demand, resolve }] of group.entries())
        resolve(grants[index] ?? this.#takeLocally(demand))
    }
    this.#isRunning = false
  }

  /** Takes tokens from the shared store; returns nothing without a store, or if it is unreachable. */
  async #takeShared(demands: readonly TokenDemand[]): Promise<readonly TokenGrant[]> {
    const { store, rate } = this.#options
    if (!store) return []
    const outcome = await store.takeTokens(demands, rate)
    if (outcome.status === 'ok') return outcome.grants
    localDemands.inc(demands.length)
    return []
  }

  #takeLocally(demand: TokenDemand): TokenGrant {
    const { rate, nowMs } = this.#options
    const known = this.#local.get(demand.key)
    const { grant, bucket } = takeFromBucket(known, demand, { ...rate, nowMs: nowMs() })
    this.#local.set(demand.key, bucket)
    return grant
  }
}
