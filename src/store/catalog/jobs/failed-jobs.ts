import { type Clock, sleep } from '../../../kernel/clock.ts'
import type { Logger } from '../../../kernel/log.ts'
import type { Catalog } from '../catalog.ts'
import { forgetFailedJobs } from './job-store.ts'

/** What jobs that failed for good are forgotten with. */
export interface FailedJobsOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** Tests are in a hurry. */
  readonly lookMs?: number
}

/** How often it is looked. */
const LOOK_MS = 60_000

/** Forgets each job that failed for good when people had their time to look at it. */
export class FailedJobs {
  readonly #options: FailedJobsOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: FailedJobsOptions) {
    this.#options = options
  }

  /** Begins to look. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when it looks no more. */
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
