import { monotonicMs } from './clock.ts'
import type { Logger } from './log.ts'

/** What takes longer than this is taken for hung: usual writes and tasks take milliseconds, the longest a few seconds. */
export const STALL_MS = 10_000

/** Tells when something does not get on, and when it does again. */
export class StallWatch {
  readonly #subject: string
  readonly #log: Logger
  #stalledCount = 0

  /** `subject` is what the log says of it: "the disk of the journal". */
  constructor(options: { readonly subject: string; readonly log: Logger }) {
    this.#subject = options.subject
    this.#log = options.log
  }

  /** How much of what was begun takes too long, now. */
  get stalledCount(): number {
    return this.#stalledCount
  }

  /** Waits for `work`, however long it takes, and ends as it does; `onStall` hears, once, that it takes too long. */
  async during<T>(work: () => Promise<T>, onStall: () => void): Promise<T> {
    const startedMs = monotonicMs()
    let isStalled = false
    const stall = (): void => {
      isStalled = true
      this.#begin()
      onStall()
    }
    // Half and half: a process that was stopped itself finds one of them over when it goes on, and not both.
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
    this.#log.error({ waitedMs: STALL_MS }, `${this.#subject} does not answer: who waits for it is refused`)
  }

  #end(waitedMs: number): void {
    this.#stalledCount--
    if (this.#stalledCount === 0)
      this.#log.warn({ waitedMs: Math.round(waitedMs) }, `${this.#subject} answers again`)
  }
}
