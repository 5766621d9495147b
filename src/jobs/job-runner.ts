import { type BackoffBounds, delayAfter } from '../kernel/backoff.ts'
import { type Clock, monotonicMs, sleep } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import { counter } from '../kernel/metrics.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import {
  type Claim,
  claimJob,
  continueJob,
  failJob,
  finishJob,
  giveBackJob,
  type Json,
  renewClaim,
  retryJob,
  saveProgress,
} from '../store/catalog/job-store.ts'
import { DueJobs } from './due-jobs.ts'
import type { JobHandlers, JobOutcome } from './job-handler.ts'

/** Dependencies of a runner. */
export interface JobRunnerOptions {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  readonly handlers: JobHandlers
  /** The look at the catalog that it shares with other runners. */
  readonly due?: DueJobs
  /** Shortened by tests. */
  readonly tuning?: Partial<JobTuning>
}

interface JobTuning {
  /** Interval at which the catalog is polled for due jobs. */
  readonly pollMs: number
  /** Lifetime of a claim without renewal: after a crash, the job continues when it expires. */
  readonly leaseMs: number
  /** Concurrency limit of jobs in this process. */
  readonly runningMax: number
  /** Of them, jobs of one lane, so that a host that hangs leaves places to the others. */
  readonly runningPerLaneMax: number
  /** Maximum attempts without progress before the job has failed. */
  readonly attemptsMax: number
  readonly retry: BackoffBounds
}

/** Twelve attempts take half an hour: longer than any restart. */
const TUNING: JobTuning = {
  pollMs: 1000,
  leaseMs: 10_000,
  runningMax: 4,
  runningPerLaneMax: 4,
  attemptsMax: 12,
  retry: { firstMs: 1000, maxMs: 300_000 },
}

const attempts = counter('millrace_job_attempts_total', 'Attempts at background jobs, by kind and outcome.', [
  'kind',
  'outcome',
])

/** Why a runner looks for jobs: the time has come, or a job was added or has ended. */
type LookCause = 'poll' | 'woken'

/** Runs the catalog's jobs that this process has handlers for, each in one process at a time. */
export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #tuning: JobTuning
  readonly #due: DueJobs
  readonly #kinds: readonly string[]
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Running jobs by lane. */
  readonly #lanes = new Map<string, number>()
  #wake: () => void = () => undefined
  #loop: Promise<void> | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#tuning = { ...TUNING, ...options.tuning }
    this.#due = options.due ?? new DueJobs(options)
    this.#kinds = Object.keys(options.handlers)
  }

  /** Starts polling for jobs. */
  start(): void {
    this.#loop ??= this.#runLoop()
  }

  /** Polls immediately, because a job was just added. */
  wake(): void {
    this.#wake()
  }

  /** Accepts no more jobs, interrupts running ones and releases their claims; resolves when that is done. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the process stops'))
    this.#wake()
    await this.#loop
    await Promise.all(this.#running)
  }

  async #runLoop(): Promise<void> {
    const { signal } = this.#stopping
    const { runningMax, pollMs } = this.#tuning
    let cause: LookCause = 'woken'
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const isTaken = this.#running.size < runningMax && (await this.#takeOne(cause))
      cause = 'woken'
      if (isTaken) continue
      const pause = new AbortController()
      // At the same moments as other runners, so that they share a look.
      const slept = sleep(pollMs - (monotonicMs() % pollMs), pause.signal).then(
        () => 'poll' as const,
        () => undefined,
      )
      cause = (await Promise.race([woken, slept, ...this.#running])) ?? 'woken'
      pause.abort()
    }
  }

  async #takeOne(cause: LookCause): Promise<boolean> {
    const { catalog, clock, log } = this.#options
    try {
      // A shared look may have begun before the job was added that this runner is woken for.
      if (cause === 'poll' && !(await this.#due.isDue(this.#kinds))) return false
      const claim = await claimJob(catalog, {
        kinds: this.#kinds,
        fullLanes: this.#fullLanes(),
        nowMs: clock.nowMs(),
        leaseMs: this.#tuning.leaseMs,
      })
      if (!claim) return false
      const { lane } = claim
      this.#count(lane, 1)
      const run = this.#work(claim).finally(() => {
        this.#running.delete(run)
        this.#count(lane, -1)
      })
      this.#running.add(run)
      return true
    } catch (error) {
      log.error({ err: error }, 'the catalog could not be polled for jobs')
      return false
    }
  }

  #fullLanes(): readonly string[] {
    const { runningPerLaneMax } = this.#tuning
    return [...this.#lanes].flatMap(([lane, count]) => (count < runningPerLaneMax ? [] : [lane]))
  }

  #count(lane: string, change: 1 | -1): void {
    if (lane === '') return
    const count = (this.#lanes.get(lane) ?? 0) + change
    if (count === 0) this.#lanes.delete(lane)
    else this.#lanes.set(lane, count)
  }

  /** Never rejects: an outcome that cannot be written is recovered when the claim expires. */
  async #work(claim: Claim): Promise<void> {
    const { log } = this.#options
    const { id, kind } = claim.job
    try {
      await this.#attempt(claim)
    } catch (error) {
      log.error({ err: error, job: id, kind }, 'the outcome of a job could not be stored; it runs again')
    }
  }

  async #attempt(claim: Claim): Promise<void> {
    const { catalog, handlers } = this.#options
    const { job } = claim
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal])
    const renewal = this.#renew(claim, lost)
    const save = async (payload: Json): Promise<void> => {
      if (!(await saveProgress(catalog, claim, payload)))
        lost.abort(new Error('the claim of the job is lost'))
      signal.throwIfAborted()
    }
    try {
      // A job that ends its process never reports it: each claim counts as an attempt.
      if (job.attempts > this.#tuning.attemptsMax) throw new Error('every attempt was interrupted')
      const outcome = await handlers[job.kind]?.run(job, { signal, save })
      if (outcome) await this.#settle(claim, outcome)
    } catch (error) {
      if (this.#stopping.signal.aborted) await giveBackJob(catalog, claim)
      else if (!lost.signal.aborted) await this.#fail(claim, error)
    } finally {
      clearInterval(renewal)
    }
  }

  #renew(claim: Claim, lost: AbortController): NodeJS.Timeout {
    const { catalog, clock } = this.#options
    const { leaseMs } = this.#tuning
    return setInterval(() => {
      renewClaim(catalog, claim, clock.nowMs() + leaseMs).then(
        (isHeld) => {
          if (!isHeld) lost.abort(new Error('the claim of the job is lost'))
        },
        // The next renewal may succeed; if none does in time, another process takes over and this one notices.
        () => undefined,
      )
    }, leaseMs / 4)
  }

  async #settle(claim: Claim, outcome: JobOutcome): Promise<void> {
    const { catalog } = this.#options
    attempts.inc({ kind: claim.job.kind, outcome: outcome.next })
    if (outcome.next === 'done') await finishJob(catalog, claim)
    else await continueJob(catalog, claim, outcome)
  }

  async #fail(claim: Claim, error: unknown): Promise<void> {
    const { catalog, clock, log, handlers } = this.#options
    const { job } = claim
    const message = withoutTexts(error instanceof Error ? error.message : String(error))
    const facts = { err: error, job: job.id, kind: job.kind, attempts: job.attempts }
    if (job.attempts >= this.#tuning.attemptsMax) {
      attempts.inc({ kind: job.kind, outcome: 'failed' })
      log.error(facts, 'a job failed permanently')
      await handlers[job.kind]?.giveUp(job, message)
      await failJob(catalog, claim, { error: message, nowMs: clock.nowMs() })
      return
    }
    attempts.inc({ kind: job.kind, outcome: 'retried' })
    log.warn(facts, 'a job failed and will be retried')
    const dueMs = clock.nowMs() + delayAfter(this.#tuning.retry, job.attempts)
    await retryJob(catalog, claim, { error: message, dueMs })
  }
}

/** Error messages quote their data, and the catalog must not store personal data. */
function withoutTexts(message: string): string {
  return message.replaceAll(/'(?:[^'\\]|\\.)*'/g, "'?'")
}
