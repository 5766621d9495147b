import type { ContextValues } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'
import { sleep } from '../../kernel/clock.ts'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import { HOLD_MS_MAX } from '../../rpc/edge-notes.ts'

/** The interval of attempts of a client that waits for each answer. */
const PAUSE_MS = HOLD_MS_MAX

/** Maximum delayed calls, at a few kilobytes each; beyond, refusals are immediate. */
const HELD_MAX = 2000

/** A call that may be refused. */
export interface PausedCall {
  readonly values: ContextValues
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
}

/**
 * Delays refusals of excessive attempts. An immediate refusal is cheap, but allows a client to send attempts at full speed;
 * a delayed one limits it to its number of connections (bench case `passwords/200-at-once`).
 *
 * An edge of this machine delays the answer itself, so that the connection to this process is free for other calls; other
 * calls wait here.
 */
export class RefusalPause {
  readonly #sleep: typeof sleep
  #held = 0

  constructor(options: { readonly sleep?: typeof sleep } = {}) {
    this.#sleep = options.sleep ?? sleep
  }

  /** Settles as `attempt`; `resource_exhausted` is delayed until the pause ends or the client has gone. */
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
