import { type Clock, sleep } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { deleteExpiredFailedJobs } from '../store/catalog/job-store.ts'

/** Dependencies of the cleanup of failed jobs. */
export interface FailedJobCleanerOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** Interval of the cleanup; shortened by tests. */
  readonly intervalMs?: number
}

/** Interval of the cleanup. */
const INTERVAL_MS = 60_000

/** Deletes each permanently failed job once its retention period is over. */
export class FailedJobCleaner {
  readonly #options: FailedJobCleanerOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: FailedJobCleanerOptions) {
    this.#options = options
  }

  /** Starts the cleanup. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when the cleanup has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { log, intervalMs = INTERVAL_MS } = this.#options
    while (!signal.aborted) {
      await this.#clean().catch((error: unknown) => {
        log.warn({ err: error }, 'failed jobs could not be cleaned up; retrying')
      })
      await sleep(intervalMs, signal).catch(() => undefined)
    }
  }

  async #clean(): Promise<void> {
    const { catalog, clock, log } = this.#options
    const deleted = await deleteExpiredFailedJobs(catalog, clock.nowMs())
    if (deleted > 0) log.info({ jobs: deleted }, 'expired failed jobs are deleted')
  }
}
