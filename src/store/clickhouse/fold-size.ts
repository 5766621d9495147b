import { isTooMuch } from './client.ts'
import { SESSIONS_PER_FOLD } from './migrations/fold-visits.ts'

/** Statements over so few sessions do not become smaller. */
const SESSIONS_MIN = 1000

/** A round that took less has room for twice as many sessions. */
const QUICK_MS = 30_000

/** How many sessions a round of folding takes: fewer after one that was too much for the store, and more after quick ones. */
export class FoldSize {
  #sessionsMax = SESSIONS_PER_FOLD

  get sessionsMax(): number {
    return this.#sessionsMax
  }

  /** A round has ended. */
  succeeded(tookMs: number): void {
    if (tookMs < QUICK_MS) this.#sessionsMax = Math.min(SESSIONS_PER_FOLD, this.#sessionsMax * 2)
  }

  /** A round has failed. Returns whether it was too much for the store. */
  failed(error: unknown): boolean {
    if (!isTooMuch(error)) return false
    this.#sessionsMax = Math.max(SESSIONS_MIN, Math.floor(this.#sessionsMax / 2))
    return true
  }
}
