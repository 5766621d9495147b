import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { counter } from '../../kernel/metrics.ts'
import type { WarningCollector } from './warning-collector.ts'

/** Shortest time between two INSERTs, each for all warnings of an edge that are new. */
const INTERVAL_MS = 10_000

/** How often the flusher looks for new ones: the first ones after a quiet time are stored at once. */
const LOOK_MS = 500

/** Timeout of an INSERT of warnings. */
const INSERT_TIMEOUT_MS = 10_000

const failed = counter(
  'millrace_ingestion_warnings_failed_writes_total',
  'INSERTs of warnings that failed; they are tried again.',
)

/** Dependencies of a {@link WarningFlusher}. */
export interface WarningFlusherOptions {
  readonly collector: WarningCollector
  /** Stores rows of `FORMAT JSONEachRow`; a repeated row has no effect. */
  readonly insert: (rows: Buffer, signal: AbortSignal) => Promise<void>
  readonly log: Logger
}

/** Stores the warnings of an edge now and then. A store that fails changes nothing for ingestion: the next try has the same rows. */
export class WarningFlusher {
  readonly #options: WarningFlusherOptions
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  #isFailing = false
  #flushedMs = Number.NEGATIVE_INFINITY

  constructor(options: WarningFlusherOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  #look(): void {
    const isDue = monotonicMs() - this.#flushedMs >= INTERVAL_MS
    if (isDue && this.#options.collector.hasNew) void this.flush(INSERT_TIMEOUT_MS)
  }

  /** Stores what is new; one INSERT runs at a time. Never rejects. */
  async flush(timeoutMs: number): Promise<void> {
    this.#running ??= this.#flush(timeoutMs).finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  /** Stores what is left and ends. Never rejects. */
  async stop(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
    await this.flush(timeoutMs)
  }

  async #flush(timeoutMs: number): Promise<void> {
    const { collector, insert, log } = this.#options
    const { rows, confirm } = collector.take()
    if (rows.length === 0) return
    this.#flushedMs = monotonicMs()
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    try {
      await insert(Buffer.from(text), AbortSignal.timeout(timeoutMs))
      confirm()
      this.#isFailing = false
    } catch (error) {
      failed.inc()
      if (!this.#isFailing)
        log.warn({ err: error }, 'ingestion warnings cannot be stored; they wait in memory')
      this.#isFailing = true
    }
  }
}
