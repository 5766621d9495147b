import { LRUCache } from 'lru-cache'
import { ServiceError } from '../../contract/service-error.ts'
import { monotonicMs } from '../../kernel/clock.ts'

/** Names that are remembered; an entry costs some 200 bytes. */
const NAMES_MAX = 50_000

/** Who does nothing for this long starts anew. */
const FORGOTTEN_MS = 3_600_000

/** How often something may be tried. */
export interface Allowance {
  /** Attempts before the first delay. */
  readonly freeCount: number
  /** The first delay; each further attempt doubles it. */
  readonly firstMs: number
  readonly maxMs: number
}

interface Attempts {
  readonly count: number
  readonly nextMs: number
}

/**
 * Slows attempts down, more with each: counted when they begin, so that many at once are many. In the memory of this
 * process; with several, each allows as much.
 */
export class AttemptLimiter {
  readonly #allowance: Allowance
  readonly #now: () => number
  readonly #attempts: LRUCache<string, Attempts>

  constructor(allowance: Allowance, now: () => number = monotonicMs) {
    this.#allowance = allowance
    this.#now = now
    this.#attempts = new LRUCache({ max: NAMES_MAX, ttl: FORGOTTEN_MS, ttlResolution: 0, perf: { now } })
  }

  /** Counts an attempt. Throws `resource_exhausted` when it comes too soon. */
  take(name: string): void {
    const { count, nextMs } = this.#attempts.get(name) ?? { count: 0, nextMs: 0 }
    const nowMs = this.#now()
    if (nowMs < nextMs) throw tooSoon(nextMs - nowMs)
    this.#attempts.set(name, { count: count + 1, nextMs: nowMs + this.#delayMs(count + 1) })
  }

  /** Takes an attempt back that was none, because it succeeded. */
  giveBack(name: string): void {
    const attempts = this.#attempts.get(name)
    if (attempts) this.#attempts.set(name, { count: Math.max(0, attempts.count - 1), nextMs: 0 })
  }

  /** Starts anew. */
  clear(name: string): void {
    this.#attempts.delete(name)
  }

  #delayMs(count: number): number {
    const { freeCount, firstMs, maxMs } = this.#allowance
    return count <= freeCount ? 0 : Math.min(maxMs, firstMs * 2 ** (count - freeCount - 1))
  }
}

function tooSoon(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: `too many attempts; try again in ${seconds} s`,
    retryAfterSeconds: seconds,
  })
}
