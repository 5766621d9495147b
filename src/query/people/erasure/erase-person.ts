import type { JobContext, JobHandler, JobOutcome } from '../../../jobs/job-handler.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Logger } from '../../../kernel/log.ts'
import type { Job } from '../../../store/catalog/job-store.ts'
import type { DeletionRequest, DeletionRequests } from './deletion-requests.ts'
import type { Eraser, Leftovers } from './erasers.ts'
import { type ErasureStore, findErasedIds, PersonTables } from './person-tables.ts'

/** Dependencies of the erasure job. */
export interface ErasePersonParts {
  readonly store: ErasureStore
  readonly deletions: DeletionRequests
  readonly leftovers: Leftovers
  /** Other holders of users' data. */
  readonly erasers: readonly Eraser[]
  readonly clock: Clock
  readonly log: Logger
}

/** The payload of the job; it contains no id of the user. */
type Progress = {
  readonly requestId: string
  /** 0 erases; each later round looks for late rows. */
  readonly round: number
  /** Rows from before this instant belong to the erased user, even if they arrive later. */
  readonly cutMs: number | null
  /** Events found so far. */
  readonly events: number
  /** Whether the events of this round are included. */
  readonly isCounted: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * When to look for late rows, each delay after the previous sweep. A journal that returns after all of them is too
 * late.
 */
const FOLLOW_UPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS]

/** Rows that arrive during a sweep make its check fail: maximum immediate repeats. */
const SWEEPS_MAX = 5

/** Runs the erasures of {@link DeletionRequests}. Every step is idempotent. */
export function createErasePerson(parts: ErasePersonParts): JobHandler {
  return {
    run: async (job, context) => await new Erasure(parts, context).run(job),
    giveUp: async (job, error) => await parts.deletions.fail(progressOf(job).requestId, error),
  }
}

function progressOf({ payload }: Job): Progress {
  return {
    round: 0,
    cutMs: null,
    events: 0,
    isCounted: false,
    ...(payload as Partial<Progress> & Pick<Progress, 'requestId'>),
  }
}

class Erasure {
  readonly #parts: ErasePersonParts
  readonly #context: JobContext
  readonly #tables: PersonTables

  constructor(parts: ErasePersonParts, context: JobContext) {
    this.#parts = parts
    this.#context = context
    this.#tables = new PersonTables(parts.store, context.signal)
  }

  async run(job: Job): Promise<JobOutcome> {
    const { deletions, clock } = this.#parts
    const progress = progressOf(job)
    const request = await deletions.read(progress.requestId)
    if (!request) return { next: 'done' }
    if (progress.round === 0) await this.#begin(request)
    const swept = await this.#sweep(request, progress)
    if (progress.round === 0) await this.#finish(request, swept)
    const delayMs = FOLLOW_UPS_MS[progress.round]
    if (delayMs !== undefined) {
      const payload = { ...swept, round: progress.round + 1, isCounted: false }
      return { next: 'again', payload, dueMs: clock.nowMs() + delayMs }
    }
    await this.#tables.forget(keyOf(request))
    return { next: 'done' }
  }

  async #begin(request: DeletionRequest): Promise<void> {
    const { deletions, leftovers, log } = this.#parts
    await deletions.start(request.id)
    await this.#tables.hide(keyOf(request), request.externalId)
    if (await leftovers.untilDelivered(this.#context.signal)) return
    log.warn(
      { request: request.id },
      'erasure proceeds before the journal is delivered; late rows are swept later',
    )
  }

  async #finish({ id }: DeletionRequest, { events }: Progress): Promise<void> {
    const { deletions, log } = this.#parts
    await deletions.complete(id)
    log.info({ request: id, events }, 'erasure completed')
  }

  async #sweep(request: DeletionRequest, start: Progress): Promise<Progress> {
    let progress = start
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
      progress = await this.#sweepOnce(request, progress)
      const left = await this.#tables.countLeft({ ...keyOf(request), cutMs: progress.cutMs ?? undefined })
      if (left.size === 0) return progress
      this.#parts.log.info(
        { request: request.id, left: Object.fromEntries(left) },
        'erasure repeats its sweep: rows remain',
      )
      progress = { ...progress, isCounted: false }
    }
    throw new Error('rows of the user keep arriving')
  }

  async #sweepOnce(request: DeletionRequest, start: Progress): Promise<Progress> {
    const { leftovers, deletions, erasers } = this.#parts
    const isFirst = start.round === 0
    const scope = { ...keyOf(request), cutMs: isFirst ? undefined : (start.cutMs ?? undefined) }
    await this.#tables.collectIds(scope, request.externalId)
    await this.#tables.collectSessions(scope)
    const progress = start.isCounted ? start : await this.#count(start, scope)
    await deletions.setEvents(request.id, progress.events)
    // These look up devices and aliases of the user, which the tables forget next.
    for (const { erase } of isFirst ? erasers : []) await erase(request)
    await this.#tables.erase(scope)
    await leftovers.erase({
      projectId: request.projectId,
      externalId: request.externalId,
      findErased: async (ids) =>
        await findErasedIds(this.#parts.store, { ...scope, ids }, this.#context.signal),
    })
    return progress
  }

  /** Stored before anything is deleted: afterwards the events can no longer be counted. */
  async #count(start: Progress, scope: Parameters<PersonTables['countEvents']>[0]): Promise<Progress> {
    const cutMs = start.round === 0 ? await this.#tables.readClock() : start.cutMs
    const events = start.events + (await this.#tables.countEvents(scope))
    const progress = { ...start, cutMs, events, isCounted: true }
    await this.#context.save(progress)
    return progress
  }
}

function keyOf({ projectId, id }: DeletionRequest): {
  projectId: DeletionRequest['projectId']
  requestId: string
} {
  return { projectId, requestId: id }
}
