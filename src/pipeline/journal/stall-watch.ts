import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'

/** A disk that works on one commit for longer than this is taken for hung; healthy ones take milliseconds. */
export const STALL_MS = 10_000

/** Tells when a disk does not answer, and when it does again. */
export class StallWatch {
  readonly #log: Logger
  readonly #onStall: () => void
  #stalledCount = 0

  constructor(options: { readonly log: Logger; readonly onStall: () => void }) {
    this.#log = options.log
    this.#onStall = options.onStall
  }

  /** Whether something that was begun on the disk takes too long, now. */
  get isStalled(): boolean {
    return this.#stalledCount > 0
  }

  /** Waits for `work`, however long it takes. */
  async during(work: () => Promise<void>): Promise<void> {
    const startedMs = monotonicMs()
    let isStalled = false
    const timer = setTimeout(() => {
      isStalled = true
      this.#stalledCount++
      this.#log.error({ waitedMs: STALL_MS }, 'the disk of the journal does not answer: requests are refused')
      this.#onStall()
    }, STALL_MS)
    try {
      await work()
    } finally {
      clearTimeout(timer)
      if (isStalled) this.#end(monotonicMs() - startedMs)
    }
  }

  #end(waitedMs: number): void {
    this.#stalledCount--
    if (!this.isStalled)
      this.#log.warn({ waitedMs: Math.round(waitedMs) }, 'the disk of the journal answers again')
  }
}
