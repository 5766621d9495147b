import type { Clock } from '../../kernel/clock.ts'
import type { SaltOutcome, StateStore } from '../../store/state/state-store.ts'
import { dayExpiryMs } from '../../store/state/utc-day.ts'

/**
 * How long a salt is used before the store is asked again, in milliseconds. A store that came back empty gets it anew,
 * and edges that made different ones meanwhile agree on the first.
 */
const CONFIRM_EVERY_MS = 10_000

/**
 * How often the clock is asked whether a salt's time is over, in milliseconds. One timer to that instant would be wrong by
 * as much as the clock is set meanwhile.
 */
const LOOK_EVERY_MS = 1000

interface CachedSalt {
  salt: Uint8Array
  confirmedMs: number
  /** Wipes the salt when its time is over, even if nobody asks. */
  readonly timer: NodeJS.Timeout
}

/** Salts in memory: two at most, gone when they expire, with one look-up per day under way. */
export class SaltCache {
  readonly #store: StateStore
  readonly #clock: Clock
  readonly #salts = new Map<number, CachedSalt>()
  readonly #lookups = new Map<number, Promise<SaltOutcome>>()

  constructor({ store, clock }: { readonly store: StateStore; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** The salt of a UTC day. A salt that was here once needs no store until its day expires. */
  async salt(day: number): Promise<SaltOutcome> {
    const nowMs = this.#clock.nowMs()
    this.#wipeExpired(nowMs)
    const cached = this.#salts.get(day)
    if (cached === undefined) return await this.#lookUp(day)
    // Nobody waits for this one; the store bounds its time, and its calls do not reject.
    if (Math.abs(nowMs - cached.confirmedMs) >= CONFIRM_EVERY_MS) void this.#lookUp(day)
    return { status: 'ok', salt: cached.salt }
  }

  /** Wipes everything. */
  close(): void {
    for (const day of [...this.#salts.keys()]) this.#wipe(day)
  }

  #lookUp(day: number): Promise<SaltOutcome> {
    const underWay = this.#lookups.get(day)
    if (underWay !== undefined) return underWay
    const lookup = this.#ask(day).finally(() => this.#lookups.delete(day))
    this.#lookups.set(day, lookup)
    return lookup
  }

  async #ask(day: number): Promise<SaltOutcome> {
    const outcome = await this.#store.salt(day, this.#salts.get(day)?.salt.slice())
    const nowMs = this.#clock.nowMs()
    if (outcome.status !== 'ok') return outcome
    if (nowMs >= dayExpiryMs(day)) return { status: 'expired' }
    this.#wipe(day)
    const timer = setInterval(() => this.#wipeExpired(this.#clock.nowMs()), LOOK_EVERY_MS).unref()
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
