import { LRUCache } from 'lru-cache'
import type { AccessRule } from '../../domain/role-rules.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { isSessionActive, type SessionKey } from '../customers/account-sessions.ts'
import { secondFactorRequired } from '../factors/factor-errors.ts'
import { findProof } from '../factors/second-factor.ts'
import { sessionEnded } from './access-errors.ts'

const CACHED_MAX = 20_000

/** Milliseconds until a session that another process ended is refused. */
const CACHED_MS = 4000

/** Checks that the session of a token is active: a token is valid for an hour, but must not outlive its session. */
export class SessionReader {
  readonly #catalog: Catalog
  readonly #clock: Clock
  /** Recently active sessions. An ended session never becomes active again, so it needs no entry. */
  readonly #active = new LRUCache<string, true>({ ...entriesUpTo(CACHED_MAX), ttl: CACHED_MS })
  /** Sessions that have recently been found to have proved a second factor. */
  readonly #proved = new LRUCache<string, true>({ ...entriesUpTo(CACHED_MAX), ttl: CACHED_MS })
  #generation = 0

  constructor(catalog: Catalog, clock: Clock) {
    this.#catalog = catalog
    this.#clock = clock
  }

  /** Throws `unauthenticated` when the session has ended. */
  async require(key: SessionKey, check: AccessRule['session']): Promise<void> {
    const name = `${key.customerId}/${key.sessionId}`
    if (check === 'cached' && this.#active.has(name)) return
    const generation = this.#generation
    const isActive = await isSessionActive({ catalog: this.#catalog, clock: this.#clock }, key)
    if (!isActive) throw sessionEnded()
    if (generation === this.#generation) this.#active.set(name, true)
  }

  /** Throws `permission_denied` when the session has not proved a second factor, for an organisation that requires one. */
  async requireSecondFactor(key: SessionKey): Promise<void> {
    const name = `${key.customerId}/${key.sessionId}`
    if (this.#proved.has(name)) return
    const generation = this.#generation
    if ((await findProof(this.#catalog, key)) === 0) throw secondFactorRequired()
    if (generation === this.#generation) this.#proved.set(name, true)
  }

  /** Clears the cache, so that a session ended by this process is refused immediately. */
  forget(): void {
    // A lookup in flight may have read the old row: its result must not be cached.
    this.#generation++
    this.#active.clear()
    this.#proved.clear()
  }
}
