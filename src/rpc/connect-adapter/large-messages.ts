import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../../kernel/clock.ts'

/** Parsing and validating a message of this size takes about a millisecond. */
const LARGE_BYTES = 8 * 1024

/** The shortest pause between two large messages. */
const PAUSE_MS_MIN = 1

/**
 * Lets large messages be parsed one at a time, with pauses as long as the work, so that they take at most half of the thread
 * and smaller calls run in between. Callers take turns. Waiting messages are not limited here: each occupies one of the
 * connections to this process, which are.
 */
export class LargeMessages {
  /** What lets a message go on, by its caller, in the order of turns. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isBusy = false

  /** Resolves when a message of so many bytes may be parsed: at once for a small one. `caller` is a credential. */
  async waitForTurn(caller: string, bytes: number): Promise<void> {
    if (bytes < LARGE_BYTES) return
    if (this.#isBusy) await new Promise<void>((resolve) => this.#queue(caller, resolve))
    this.#isBusy = true
    void this.#endTurn(monotonicMs())
  }

  #queue(caller: string, goOn: () => void): void {
    const ofCaller = this.#waiting.get(caller)
    if (ofCaller) ofCaller.push(goOn)
    else this.#waiting.set(caller, [goOn])
  }

  /** The work on a message follows in the same turn of the event loop, or in the next one. */
  async #endTurn(sinceMs: number): Promise<void> {
    await nextTurn()
    await nextTurn()
    await pause(Math.max(PAUSE_MS_MIN, monotonicMs() - sinceMs))
    const [next] = this.#waiting
    if (next === undefined) {
      this.#isBusy = false
      return
    }
    const [caller, [goOn, ...others]] = next
    this.#waiting.delete(caller)
    // Moves the caller to the end of the order.
    if (others.length > 0) this.#waiting.set(caller, others)
    goOn?.()
  }
}
