import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { ServiceError } from '../contract/service-error.ts'
import { entriesUpTo } from '../kernel/cache-limit.ts'
import type { SharedStateStore } from '../store/state/state-store.ts'
import { TokenExchange } from './token-exchange.ts'

/** Unknown tokens from one network before it has to wait, and per hour from then on. */
const FREE_COUNT = 50

const RATE = { ratePerSecond: FREE_COUNT / 3600, burst: FREE_COUNT }

/** Networks that this edge remembers; the next guess from a forgotten one is looked up again. */
const NETWORKS_MAX = 10_000

/** The bucket of a network, as this edge last saw it. */
interface Counted {
  left: number
  leftMs: number
  /** Guesses that are not in `left` yet. */
  unsent: number
  /** The call under way. */
  call: Promise<void> | undefined
}

/** Options of the guesses. */
export interface TokenGuessesOptions {
  /** Holds the counts that all edges share; absent for an edge that shares them with none. */
  readonly store?: Pick<SharedStateStore, 'takeTokens'> | undefined
  /** A clock that never goes backwards. */
  readonly nowMs: () => number
}

/**
 * Limits guesses of personal access tokens by network, in all edges of one store together: each network has a bucket, from which an
 * unknown token takes one. No request waits for the store: a guess is counted after its refusal, and the answer of the store tells this
 * edge what the others counted. A count in the catalog would add statements to ingestion.
 */
export class TokenGuesses {
  readonly #nowMs: () => number
  readonly #counts = new LRUCache<string, Counted>(entriesUpTo(NETWORKS_MAX))
  readonly #exchange: TokenExchange

  constructor({ store, nowMs }: TokenGuessesOptions) {
    this.#nowMs = nowMs
    this.#exchange = new TokenExchange({ store, nowMs, rate: RATE })
  }

  /** Throws `resource_exhausted` for a network that guessed too often. */
  require(network: string): void {
    const counted = this.#counts.get(network)
    const left = counted ? this.#leftNow(counted) : FREE_COUNT
    if (left >= 1) return
    const seconds = Math.ceil((1 - left) / RATE.ratePerSecond)
    throw new ServiceError({
      code: 'resource_exhausted',
      reason: 'RATE_LIMITED',
      message: `too many unknown tokens from this network; try again in ${seconds} s`,
      retryAfterSeconds: seconds,
    })
  }

  /** Counts a guess: at once in this edge, and when it resolves in all of them. Never rejects. */
  async count(network: string): Promise<void> {
    const counted = this.#find(network)
    counted.unsent++
    counted.call ??= this.#send(network, counted)
    await counted.call
  }

  #find(network: string): Counted {
    const known = this.#counts.get(network)
    if (known) return known
    const counted = { left: FREE_COUNT, leftMs: this.#nowMs(), unsent: 0, call: undefined }
    this.#counts.set(network, counted)
    return counted
  }

  #leftNow({ left, leftMs, unsent }: Counted): number {
    const flowed = ((this.#nowMs() - leftMs) / 1000) * RATE.ratePerSecond
    return Math.min(FREE_COUNT, left + flowed) - unsent
  }

  /** One call at a time for a network; what is counted meanwhile goes with the next one. */
  async #send(network: string, counted: Counted): Promise<void> {
    const key = bucketOf(network)
    while (counted.unsent > 0) {
      const used = counted.unsent
      const { left } = await this.#exchange.take({ key, used, wanted: 0 })
      counted.unsent -= used
      counted.left = left
      counted.leftMs = this.#nowMs()
    }
    counted.call = undefined
  }
}

/** Names the bucket without the address, apart from those of keys, whose names have no colon. */
function bucketOf(network: string): string {
  return `guesses:${createHash('sha256').update(network).digest('base64url').slice(0, 22)}`
}
