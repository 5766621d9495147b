import type { Clock } from '../../kernel/clock.ts'
import type { SaltOutcome, StateStore } from '../../store/state/state-store.ts'
import { dayExpiryMs } from '../../store/state/utc-day.ts'

/**
 * Milliseconds until a cached salt is confirmed with the store. A store that restarted empty gets the salt back, and edges
 * that generated different ones meanwhile agree on the first.
 */
const CONFIRM_EVERY_MS = 10_000

/**
 * Interval of the check for expired salts, in milliseconds. A single timer for the instant of expiry would be wrong when the
 * clock is set meanwhile.
 */
const EXPIRY_CHECK_MS = 1000

interface CachedSalt {
  salt: Uint8Array
  confirmedMs: number
  /** Wipes the salt when it expires, even if it is not used. */
  readonly timer: NodeJS.Timeout
}

/** Caches the salts of at most two days until they expire; concurrent look-ups of a day are coalesced. */
export class SaltCache {
  readonly #store: StateStore
  readonly #clock: Clock
  readonly #salts = new Map<number, CachedSalt>()
  readonly #lookups = new Map<number, Promise<SaltOutcome>>()

  constructor({ store, clock }: { readonly store: StateStore; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** The salt of a UTC day. A cached salt needs no store until its day expires. */
  async salt(day: number): Promise<SaltOutcome> {
    const nowMs = this.#clock.nowMs()
    this.#wipeExpired(nowMs)
    const cached = this.#salts.get(day)
    if (cached === undefined) return await this.#lookUp(day)
    // In the background: the store has its own timeout, and its calls do not reject.
    if (Math.abs(nowMs - cached.confirmedMs) >= CONFIRM_EVERY_MS) void this.#lookUp(day)
    return { status: 'ok', salt: cached.salt }
  }

  /** Wipes all salts. */
  close(): void {
    for (const day of [...this.#salts.keys()]) this.#wipe(day)
  }

  #lookUp(day: number): Promise<SaltOutcome> {
    const pending = this.#lookups.get(day)
    if (pending !== undefined) return pending
    const lookup = this.#fetch(day).finally(() => this.#lookups.delete(day))
    this.#lookups.set(day, lookup)
    return lookup
  }

  async #fetch(day: number): Promise<SaltOutcome> {
    const outcome = await this.#store.salt(day, this.#salts.get(day)?.salt.slice())
    const nowMs = this.#clock.nowMs()
    if (outcome.status !== 'ok') return outcome
    if (nowMs >= dayExpiryMs(day)) return { status: 'expired' }
    this.#wipe(day)
    const timer = setInterval(() => this.#wipeExpired(this.#clock.nowMs()), EXPIRY_CHECK_MS).unref()
    this.#salts.set(day, { salt: outcome.salt, confirmedMs: nowMs, timer })
    return outcome
  }

  #wipeExpired(nowMs: number): void {
    for (const day of this.#salts.keys()) if (nowMs >= dayExpiryMs(day)) this.#wipe(day)
  }

  #wipe(day: number): void {
    const cached = this.#salts.get(day)
    if (cached === undefined) return
    clearInterval(cached.timer)
    this.#salts.delete(day)
  }
}
