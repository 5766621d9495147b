import { type Clock, sleep } from '../../../kernel/clock.ts'
import type { Logger } from '../../../kernel/log.ts'
import type { Catalog } from '../catalog.ts'
import { forgetFailedJobs } from './job-store.ts'

/** Dependencies of the cleanup of failed jobs. */
export interface FailedJobsOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** Shortened by tests. */
  readonly lookMs?: number
}

/** Interval of the cleanup. */
const LOOK_MS = 60_000

/** Deletes each permanently failed job once its retention period is over. */
export class FailedJobs {
  readonly #options: FailedJobsOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: FailedJobsOptions) {
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
    const { log, lookMs = LOOK_MS } = this.#options
    while (!signal.aborted) {
      await this.#look().catch((error: unknown) => {
        log.warn({ err: error }, 'failed jobs could not be looked for; tried again')
      })
      await sleep(lookMs, signal).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    const { catalog, clock, log } = this.#options
    const forgotten = await forgetFailedJobs(catalog, clock.nowMs())
    if (forgotten > 0) log.info({ jobs: forgotten }, 'jobs that failed long ago are forgotten')
  }
}
