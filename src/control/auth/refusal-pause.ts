import type { ContextValues } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'
import { sleep } from '../../kernel/clock.ts'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import { HOLD_MS_MAX } from '../../rpc/edge-notes.ts'

/** Who waits for each answer before the next attempt makes one attempt in this time. */
const PAUSE_MS = HOLD_MS_MAX

/** A call that is held costs a few kilobytes; beyond this many, refusals are told at once. */
const HELD_MAX = 2000

/** What is known of a call that may be refused. */
export interface PausedCall {
  readonly values: ContextValues
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
}

/**
 * Tells those who come too soon so only after a while. Attempts that are refused at once cost little, but there would be
 * as many as a client can send; like this, as many as it has open (bench case `passwords/200-at-once`).
 *
 * An edge of this machine holds the answer, so that nobody who waits for it takes a connection from others; calls that come
 * from elsewhere wait here.
 */
export class RefusalPause {
  readonly #sleep: typeof sleep
  #held = 0

  constructor(options: { readonly sleep?: typeof sleep } = {}) {
    this.#sleep = options.sleep ?? sleep
  }

  /** Does what `attempt` does; `resource_exhausted` comes late, or when nobody waits any more. */
  async delay<T>(attempt: Promise<T>, call: PausedCall): Promise<T> {
    try {
      return await attempt
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'resource_exhausted') await this.#pause(call)
      throw error
    }
  }

  async #pause({ values, signal }: PausedCall): Promise<void> {
    const notes = values.get(edgeNotesKey)
    if (notes) notes.holdMs = PAUSE_MS
    else await this.#wait(signal)
  }

  async #wait(signal: AbortSignal): Promise<void> {
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
