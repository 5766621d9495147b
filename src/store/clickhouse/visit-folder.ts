import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { durationHistogram, observedGauge } from '../../kernel/metrics.ts'
import type { ClickHouse } from './client.ts'
import { FoldSize } from './fold-size.ts'
import { emptyVisits, type FoldedVisits, foldVisits } from './visit-fold.ts'

const INTERVAL_MS_MIN = 10_000

/** Without arrivals, a round has nothing to do but to move the coverage on, once an hour. */
const IDLE_INTERVAL_MS = 1_800_000

/** Maximum share of time for arrivals, however many there are, and for sessions from before the table. */
const FOLD_SHARE_MAX = 0.05
const FILL_SHARE_MAX = 0.25

/** A round ends before the lease of the process that folds. */
const ROUND_MS_MAX = 300_000

const seconds = durationHistogram(
  'millrace_visit_fold_seconds',
  'Rounds that bring the table of visits up to date.',
)

/** Dependencies of the {@link VisitFolder}. */
export interface VisitFolderOptions {
  /** Connects as a user that may write; may throw while the store is unreachable. */
  readonly connect: () => ClickHouse
  readonly log: Logger
  /** Without it, the table is emptied, and questions read events. */
  readonly isOn: boolean
  /** Runs a round while no other process does; throws when one does. */
  readonly alone: (round: () => Promise<void>) => Promise<void>
  readonly hasArrivals: () => boolean
  /** Shortened by tests. */
  readonly intervalMs?: number
}

/**
 * Keeps the table of visits (docs/adr/0017): computes the sessions with new arrivals again, and the sessions of earlier days from the
 * latest day on. Every step may be interrupted and repeated: questions use only what the coverage states, which is written last.
 */
export class VisitFolder {
  readonly #options: VisitFolderOptions
  readonly #stopping = new AbortController()
  readonly #size = new FoldSize()
  #running: Promise<void> = Promise.resolve()
  #folded: FoldedVisits | undefined
  /** When a round last found nothing to do; none has since a round that failed, or that had something to do. */
  #restsSinceMs = Number.NEGATIVE_INFINITY

  constructor(options: VisitFolderOptions) {
    this.#options = options
    observedGauge(
      'millrace_visits_behind_seconds',
      'Age of the newest arrivals that the table of visits covers, as of the last round of this process; 0 before.',
      () => this.#folded?.behindSeconds ?? 0,
    )
    observedGauge(
      'millrace_visits_days_to_fill',
      'Days of earlier visits that the table of visits does not have yet, as of the last round of this process.',
      () => this.#folded?.daysToFill ?? 0,
    )
  }

  /** Starts folding. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when folding has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { connect, alone, log, isOn, intervalMs = INTERVAL_MS_MIN } = this.#options
    while (!signal.aborted) {
      if (this.#isIdle) {
        await sleep(intervalMs, signal).catch(() => undefined)
        continue
      }
      const startMs = monotonicMs()
      let [share, waitedMs, isDone] = [FOLD_SHARE_MAX, 0, false]
      await alone(async () => {
        const bounds = AbortSignal.any([signal, AbortSignal.timeout(ROUND_MS_MAX)])
        if (!isOn) {
          await emptyVisits(connect(), bounds)
          isDone = true
          return
        }
        this.#restsSinceMs = Number.NEGATIVE_INFINITY
        this.#folded = await this.#fold(bounds)
        if (this.#folded.isUnchanged) this.#restsSinceMs = monotonicMs()
        waitedMs = this.#folded.waitedMs
        if (this.#folded.daysToFill > 0) share = FILL_SHARE_MAX
        seconds.observe((monotonicMs() - startMs - waitedMs) / 1000)
      }).catch((error: unknown) => {
        if (!signal.aborted) log.debug({ err: error }, 'visits could not be folded; retrying')
      })
      if (isDone) return
      const tookMs = monotonicMs() - startMs - waitedMs
      const floorMs = share === FILL_SHARE_MAX ? 0 : intervalMs
      await sleep(Math.max(floorMs, tookMs / share - tookMs), signal).catch(() => undefined)
    }
  }

  get #isIdle(): boolean {
    return monotonicMs() - this.#restsSinceMs < IDLE_INTERVAL_MS && !this.#options.hasArrivals()
  }

  async #fold(signal: AbortSignal): Promise<FoldedVisits> {
    const startMs = monotonicMs()
    try {
      const folded = await foldVisits(this.#options.connect(), signal, {
        sessionsMax: this.#size.sessionsMax,
      })
      this.#size.succeeded(monotonicMs() - startMs - folded.waitedMs)
      return folded
    } catch (error) {
      if (this.#size.failed(error))
        this.#options.log.warn(
          { err: error, sessions: this.#size.sessionsMax },
          'visits took more than the store allows a statement; the next round takes fewer sessions',
        )
      throw error
    }
  }
}
