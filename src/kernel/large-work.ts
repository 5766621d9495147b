import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'

/** Parsing, validating or serializing a message of this size takes about a millisecond. */
const LARGE_BYTES = 8 * 1024

/** The shortest pause between two large pieces of work. */
const PAUSE_MS_MIN = 1

/**
 * Lets large messages be parsed, validated and serialized one at a time, with pauses as long as the work, so that they take at
 * most half of the thread and smaller calls run in between. Callers take turns. The queue has no limit of its own: each
 * entry is a call, and the edge limits those.
 */
export class LargeWork {
  /** The callbacks that end the waits, by caller, in the order of turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isBusy = false

  /**
   * Resolves when work on that number of bytes may begin: at once if they are few. `caller` is a credential or a project. The work
   * follows in the same turn of the event loop, or in the next one.
   */
  async waitForTurn(caller: string, bytes: number): Promise<void> {
    if (bytes < LARGE_BYTES) return
    if (this.#isBusy) await new Promise<void>((resolve) => this.#queue(caller, resolve))
    this.#isBusy = true
    void this.#endTurn(monotonicMs())
  }

  #queue(caller: string, begin: () => void): void {
    const ofCaller = this.#waiting.get(caller)
    if (ofCaller) ofCaller.push(begin)
    else this.#waiting.set(caller, [begin])
  }

  async #endTurn(sinceMs: number): Promise<void> {
    await nextTurn()
    await nextTurn()
    await pause(Math.max(PAUSE_MS_MIN, monotonicMs() - sinceMs))
    const [next] = this.#waiting
    if (next === undefined) {
      this.#isBusy = false
      return
    }
    const [caller, [begin, ...others]] = next
    this.#waiting.delete(caller)
    // Moves the caller to the end of the order.
    if (others.length > 0) this.#waiting.set(caller, others)
    begin?.()
  }
}

/** The large work of this thread. */
export const largeWork = new LargeWork()
