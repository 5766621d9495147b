import { monotonicMs, sleep } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'

/** A call that waits for longer has the process behind it checked, in milliseconds. */
const PATIENCE_MS = 5000

/** Checks in a row without an answer after which that process hangs: its thread may be busy for some seconds. */
const SILENT_CHECKS = 2

/** Dependencies of an {@link UpstreamPulse}. */
export interface UpstreamPulseOptions {
  /** Whether the process takes a connection and answers nothing in time. Never rejects. */
  readonly isSilent: () => Promise<boolean>
  readonly log: Pick<Logger, 'warn'>
  /** Shortened by tests. */
  readonly patienceMs?: number
}

/** Notices that the query process hangs, so that calls fail within seconds instead of after their longest time. */
export class UpstreamPulse {
  readonly #options: UpstreamPulseOptions
  readonly #patienceMs: number
  /** When each waiting call began, by what gives it up; the oldest first. */
  readonly #waiting = new Map<() => void, number>()
  #isWatching = false
  #silentChecks = 0
  #answeredMs = Number.NEGATIVE_INFINITY

  constructor(options: UpstreamPulseOptions) {
    this.#options = options
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS
  }

  /** Watches a call until the returned function is called; calls `giveUp` when the process hangs. */
  watch(giveUp: () => void): () => void {
    this.#waiting.set(giveUp, monotonicMs())
    if (!this.#isWatching) void this.#run()
    return () => void this.#waiting.delete(giveUp)
  }

  get #isHung(): boolean {
    return this.#silentChecks >= SILENT_CHECKS
  }

  async #run(): Promise<void> {
    this.#isWatching = true
    for (;;) {
      const [oldestMs] = this.#waiting.values()
      if (oldestMs === undefined) break
      const restMs = Math.max(oldestMs, this.#answeredMs) + this.#patienceMs - monotonicMs()
      if (restMs > 0 && this.#silentChecks === 0) await sleep(restMs)
      else await this.#check()
    }
    this.#isWatching = false
  }

  async #check(): Promise<void> {
    const wasHung = this.#isHung
    if (await this.#options.isSilent()) this.#silentChecks++
    else [this.#silentChecks, this.#answeredMs] = [0, monotonicMs()]
    if (!this.#isHung) return
    if (!wasHung)
      this.#options.log.warn('the query process does not respond; calls are refused until it does')
    const calls = [...this.#waiting.keys()]
    this.#waiting.clear()
    for (const giveUp of calls) giveUp()
  }
}
