import { sleep } from '../kernel/clock.ts'
import type { Job } from '../store/catalog/job-store.ts'
import type { JobContext, JobHandler, JobOutcome } from './job-handler.ts'

/** A job with the context of its attempt. */
export interface GatheredJob {
  readonly job: Job
  readonly context: JobContext
}

/** Runs jobs of one kind together. Every step must be idempotent: a process may die after any of them. */
export interface GatheredHandler {
  /** Only jobs of one group run together. */
  groupOf(job: Job): string
  /** One attempt at all of them: resolves with their outcomes, in their order. An error counts as a failure of each. */
  run(jobs: readonly GatheredJob[]): Promise<readonly JobOutcome[]>
  /** Called when no attempts of a job remain. */
  giveUp(job: Job, error: string): Promise<void>
}

/** How many jobs run together, and when. */
export interface GatherLimits {
  /** Jobs of one group that run together; others of the group wait. */
  readonly jobsMax: number
  /** Groups that run at once. */
  readonly groupsMax: number
  /** How long the first job of a group waits for others. */
  readonly gatherMs: number
}

/** After more attempts without progress a job runs alone: it may be the one that makes the others fail. */
const SHARED_ATTEMPTS_MAX = 2

interface Waiting extends GatheredJob {
  readonly resolve: (outcome: JobOutcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * A handler whose jobs wait for each other: while those of a group run, the others of the group gather, and are the next to run. The runner
 * needs places for all of them; each keeps its own claim, attempts and outcome.
 */
export function gatherJobs(handler: GatheredHandler, limits: GatherLimits): JobHandler {
  const gathering = new Gathering(handler, limits)
  return {
    run: async (job, context) => await gathering.join({ job, context }),
    giveUp: async (job, error) => await handler.giveUp(job, error),
  }
}

class Gathering {
  readonly #handler: GatheredHandler
  readonly #limits: GatherLimits
  /** By group; the group that has waited longest is the first. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<string>()

  constructor(handler: GatheredHandler, limits: GatherLimits) {
    this.#handler = handler
    this.#limits = limits
  }

  async join({ job, context }: GatheredJob): Promise<JobOutcome> {
    const isAlone = job.attempts > SHARED_ATTEMPTS_MAX
    const group = isAlone ? `job/${job.id}` : `group/${this.#handler.groupOf(job)}`
    return await new Promise((resolve, reject) => {
      const waiting = { job, context, resolve, reject }
      this.#waiting.set(group, [...(this.#waiting.get(group) ?? []), waiting])
      context.signal.addEventListener('abort', () => this.#leave(group, waiting), { once: true })
      this.#startGroups()
    })
  }

  /** A job that runs already is interrupted by its handler. */
  #leave(group: string, left: Waiting): void {
    const waiting = this.#waiting.get(group)
    if (!waiting?.includes(left)) return
    this.#keep(
      group,
      waiting.filter((other) => other !== left),
    )
    left.reject(left.context.signal.reason)
  }

  #keep(group: string, waiting: Waiting[]): void {
    if (waiting.length > 0) this.#waiting.set(group, waiting)
    else this.#waiting.delete(group)
  }

  #startGroups(): void {
    for (const group of this.#waiting.keys()) {
      if (this.#running.size >= this.#limits.groupsMax) return
      if (!this.#running.has(group)) void this.#runGroup(group)
    }
  }

  /** Never rejects: the jobs get the error. */
  async #runGroup(group: string): Promise<void> {
    this.#running.add(group)
    await sleep(this.#limits.gatherMs)
    const waiting = this.#waiting.get(group) ?? []
    const jobs = waiting.slice(0, this.#limits.jobsMax)
    // What is left waits behind the other groups.
    this.#waiting.delete(group)
    this.#keep(group, waiting.slice(jobs.length))
    await this.#runTogether(jobs)
    this.#running.delete(group)
    this.#startGroups()
  }

  async #runTogether(jobs: readonly Waiting[]): Promise<void> {
    if (jobs.length === 0) return
    try {
      const outcomes = await this.#handler.run(jobs)
      for (const [index, { resolve, reject }] of jobs.entries()) {
        const outcome = outcomes[index]
        if (outcome) resolve(outcome)
        else reject(new Error('the handler returned no outcome of the job'))
      }
    } catch (error) {
      for (const { reject } of jobs) reject(error)
    }
  }
}
