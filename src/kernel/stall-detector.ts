import { monotonicMs } from './clock.ts'
import type { Logger } from './log.ts'

/**
 * Work that takes longer is considered stalled: usual writes and tasks take milliseconds, the longest a few seconds.
 */
export const STALL_MS = 10_000

/** Detects and logs stalled work, and its recovery. */
export class StallDetector {
  readonly #subject: string
  readonly #log: Logger
  #stalledCount = 0

  /** `subject` names the work in log messages: "the disk of the journal". */
  constructor(options: { readonly subject: string; readonly log: Logger }) {
    this.#subject = options.subject
    this.#log = options.log
  }

  /** Number of operations that are stalled now. */
  get stalledCount(): number {
    return this.#stalledCount
  }

  /** Awaits `work`, however long it takes, with the same outcome; calls `onStall` once when it stalls. */
  async during<T>(work: () => Promise<T>, onStall: () => void): Promise<T> {
    const startedMs = monotonicMs()
    let isStalled = false
    const stall = (): void => {
      isStalled = true
      this.#begin()
      onStall()
    }
    // Two halves: after the process itself was suspended, one of the timers has expired, but not both.
    let timer = setTimeout(() => {
      timer = setTimeout(stall, STALL_MS / 2)
    }, STALL_MS / 2)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      if (isStalled) this.#end(monotonicMs() - startedMs)
    }
  }

  #begin(): void {
    this.#stalledCount++
    this.#log.error(
      { waitedMs: STALL_MS },
      `${this.#subject} does not respond: waiting requests are rejected`,
    )
  }

  #end(waitedMs: number): void {
    this.#stalledCount--
    if (this.#stalledCount === 0)
      this.#log.warn({ waitedMs: Math.round(waitedMs) }, `${this.#subject} responds again`)
  }
}
