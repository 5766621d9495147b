import { LRUCache } from 'lru-cache'
import type { AccessRule } from '../../domain/role-rules.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { isSessionLive, type SessionKey } from '../customers/account-sessions.ts'
import { sessionEnded } from './access-errors.ts'

const CACHED_MAX = 20_000

/** Milliseconds until reads miss a session that another process ended. */
const CACHED_MS = 4000

/** Tells whether the session of a token goes on: a token is good for an hour, and must not outlive its session. */
export class SessionReader {
  readonly #catalog: Catalog
  readonly #clock: Clock
  /** Sessions that went on a moment ago. One that ended does not come back, and needs no entry. */
  readonly #live = new LRUCache<string, true>({ max: CACHED_MAX, ttl: CACHED_MS })
  #generation = 0

  constructor(catalog: Catalog, clock: Clock) {
    this.#catalog = catalog
    this.#clock = clock
  }

  /** Throws `unauthenticated` when the session has ended. */
  async require(key: SessionKey, check: AccessRule['session']): Promise<void> {
    const name = `${key.customerId}/${key.sessionId}`
    if (check === 'cached' && this.#live.has(name)) return
    const generation = this.#generation
    const isLive = await isSessionLive({ catalog: this.#catalog, clock: this.#clock }, key)
    if (!isLive) throw sessionEnded()
    if (generation === this.#generation) this.#live.set(name, true)
  }

  /** Forgets everything: a session that this process ended is over from the next call on. */
  forget(): void {
    // A look-up that is under way may have read what was before.
    this.#generation++
    this.#live.clear()
  }
}
