import { ServiceError } from '../../contract/service-error.ts'
import { sleep } from '../../kernel/clock.ts'

/** Who waits for each answer before the next attempt makes one attempt in this time. */
const PAUSE_MS = 2000

/** A call that is held costs a few kilobytes; beyond this many, refusals are told at once. */
const HELD_MAX = 2000

/**
 * Tells those who come too soon so only after a while. Attempts that are refused at once cost little, but there would be
 * as many as a client can send; like this, as many as it has open (bench case `passwords/200-at-once`).
 */
export class RefusalPause {
  readonly #sleep: typeof sleep
  #held = 0

  constructor(options: { readonly sleep?: typeof sleep } = {}) {
    this.#sleep = options.sleep ?? sleep
  }

  /** Does what `attempt` does; `resource_exhausted` comes late, or when the signal says that nobody waits any more. */
  async delay<T>(attempt: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await attempt
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'resource_exhausted') await this.#hold(signal)
      throw error
    }
  }

  async #hold(signal: AbortSignal): Promise<void> {
    if (this.#held >= HELD_MAX) return
    this.#held++
    try {
      await this.#sleep(PAUSE_MS, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#held--
    }
  }
}
