import { monotonicMs } from '../../kernel/clock.ts'

/** Longer than a month of events has to be quiet before it is merged, and than arrivals take until visits can be computed from them. */
const RECENT_MS = 600_000

/** After an older look, rows may have arrived since. */
const LOOKED_MS_MAX = 30_000

/** Whether rows have arrived in the store lately. What computes visits and merges months rests while none do. */
export class RecentArrivals {
  readonly #nowMs: () => number
  #state: string | undefined
  #changedMs = Number.NEGATIVE_INFINITY
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs
  }

  /** Notes the state of the tables that every arrival changes. */
  note(state: string): void {
    this.#lookedMs = this.#nowMs()
    if (state !== this.#state) this.#changedMs = this.#lookedMs
    this.#state = state
  }

  /** False only if it is certain that none have. */
  get areRecent(): boolean {
    const nowMs = this.#nowMs()
    return nowMs - this.#changedMs < RECENT_MS || nowMs - this.#lookedMs > LOOKED_MS_MAX
  }
}
