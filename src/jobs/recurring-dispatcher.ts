import { randomUUID } from 'node:crypto'
import { countSkippedUnits, isNewUnit, readSchedule } from '../domain/schedule.ts'
import { type Clock, sleep } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import { counter } from '../kernel/metrics.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { insertJob } from '../store/catalog/job-store.ts'
import {
  advanceRecurringJob,
  countRecurringInFlight,
  listDueRecurringJobs,
  type RecurringJob,
} from '../store/catalog/recurring-store.ts'
import { inTransaction } from '../store/catalog/transaction.ts'
import { addRecurringJob, type NewRecurringJob, type RunPayload, scheduleOf } from './recurring-jobs.ts'

/** Dependencies of the dispatcher. */
export interface RecurringDispatcherOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  /** The kinds that this process has handlers for. */
  readonly kinds: readonly string[]
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
  /** Recurring jobs of the service itself, added at the first start. */
  readonly standing: readonly NewRecurringJob[]
  /** Interval at which the catalog is polled; shortened by tests. */
  readonly pollMs?: number
}

const POLL_MS = 5000

/** Jobs of recurring jobs that may run or wait for their turn at once, so that other background jobs are not behind a long line. */
const IN_FLIGHT_MAX = 8

/** Of one project: a project with many jobs leaves turns to the others. */
const IN_FLIGHT_PER_PROJECT_MAX = 4

/** A unit may end this much later than now after the clock was set back: until then nothing runs twice. */
const CLOCK_BACK_MS_MAX = 24 * 3_600_000

const skipped = counter(
  'millrace_recurring_skipped_total',
  'Complete hours, days, weeks or months that no recurring job ran for, because the service was down or busy; by kind.',
  ['kind'],
)

/** Adds a job for each recurring job that is due. Several processes may run it at once: one of them adds the job. */
export class RecurringDispatcher {
  readonly #options: RecurringDispatcherOptions
  readonly #stopping = new AbortController()
  #wake: () => void = () => undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: RecurringDispatcherOptions) {
    this.#options = options
  }

  /** Starts polling. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Polls immediately, because a job has ended or was added. */
  wake(): void {
    this.#wake()
  }

  /** Resolves when polling has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { log, pollMs = POLL_MS } = this.#options
    let isPrepared = false
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      try {
        if (!isPrepared) await this.#addStanding()
        isPrepared = true
        await dispatchDueJobs(this.#options)
      } catch (error) {
        log.error({ err: error }, 'the catalog could not be polled for recurring jobs')
      }
      const pause = new AbortController()
      await Promise.race([woken, sleep(pollMs, pause.signal).catch(() => undefined)])
      pause.abort()
    }
  }

  async #addStanding(): Promise<void> {
    const { catalog, clock, standing } = this.#options
    for (const job of standing) await addRecurringJob(catalog, clock, job)
  }
}

type DispatchOptions = Pick<RecurringDispatcherOptions, 'catalog' | 'clock' | 'kinds' | 'wakeJobs'>

/** Adds a job for each recurring job that is due, as far as there are places, and returns how many. */
export async function dispatchDueJobs(options: DispatchOptions): Promise<number> {
  let addedCount = 0
  for (;;) {
    const { settledCount, addedCount: added } = await dispatchRound(options)
    addedCount += added
    // The jobs of a round free no places, but those that were not due yet are out of the way of the others.
    if (settledCount === 0) break
  }
  if (addedCount > 0) options.wakeJobs()
  return addedCount
}

async function dispatchRound(
  options: DispatchOptions,
): Promise<{ readonly settledCount: number; readonly addedCount: number }> {
  const { catalog, clock, kinds } = options
  const nowMs = clock.nowMs()
  const due = await listDueRecurringJobs(catalog, { kinds, nowMs, perProjectMax: IN_FLIGHT_PER_PROJECT_MAX })
  if (due.length === 0) return { settledCount: 0, addedCount: 0 }
  const picked = pickFairly(due, await countRecurringInFlight(catalog, nowMs))
  let addedCount = 0
  for (const job of picked) if (await dispatch(catalog, job, nowMs)) addedCount++
  return { settledCount: picked.length, addedCount }
}

/** The due jobs that have places: those of projects with the fewest jobs in flight come first. */
export function pickFairly<Job extends Pick<RecurringJob, 'projectId'>>(
  due: readonly Job[],
  inFlight: ReadonlyMap<RecurringJob['projectId'], number>,
): readonly Job[] {
  const counts = new Map(inFlight)
  const ranked = due.map((job) => {
    const rank = (counts.get(job.projectId) ?? 0) + 1
    counts.set(job.projectId, rank)
    return { job, rank }
  })
  const takenCount = [...inFlight.values()].reduce((sum, count) => sum + count, 0)
  return ranked
    .filter(({ rank }) => rank <= IN_FLIGHT_PER_PROJECT_MAX)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, Math.max(0, IN_FLIGHT_MAX - takenCount))
    .map(({ job }) => job)
}

/**
 * Adds the job of the newest complete unit, unless it is done; earlier ones are skipped. False when there is nothing to do,
 * or another process does it.
 */
async function dispatch(catalog: Catalog, job: RecurringJob, nowMs: number): Promise<boolean> {
  const { timeZone, kind, projectId } = job
  const schedule = scheduleOf(job)
  const { last, nextDueMs } = readSchedule(schedule, { nowMs, timeZone })
  // A unit that ends far in the future was done by a clock that was wrong.
  const doneMs = job.doneMs > nowMs + CLOCK_BACK_MS_MAX ? last.toMs : job.doneMs
  const looked = { next_ms: Math.max(nextDueMs, nowMs + 1000), seen_ms: nowMs }
  if (!isNewUnit(schedule, last, doneMs)) {
    await advanceRecurringJob(catalog, job, { ...looked, done_ms: doneMs })
    return false
  }
  const payload: RunPayload = { recurringId: job.id, fromMs: last.fromMs, toMs: last.toMs, timeZone }
  const isAdded = await inTransaction(catalog, async (transaction) => {
    const jobId = randomUUID()
    const isMine = await advanceRecurringJob(transaction, job, {
      ...looked,
      done_ms: last.toMs,
      job_id: jobId,
    })
    if (isMine) {
      const added = { id: jobId, kind, payload, nowMs, dueMs: nowMs }
      await insertJob(transaction, projectId === undefined ? added : { ...added, projectId })
    }
    return isMine
  })
  if (isAdded) skipped.inc({ kind }, countSkippedUnits(schedule, last, doneMs))
  return isAdded
}
