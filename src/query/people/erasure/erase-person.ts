import type { Clock } from '../../../kernel/clock.ts'
import type { Logger } from '../../../kernel/log.ts'
import type { DeletionRequest, DeletionRequests } from '../../../store/catalog/deletion-requests.ts'
import type { Job, JobContext, JobHandler, JobOutcome } from '../../../store/catalog/jobs/job.ts'
import type { Eraser } from './eraser.ts'
import { findErasedIds } from './find-erased-ids.ts'
import type { Leftovers } from './leftovers.ts'
import { type ErasureStore, PersonTables } from './person-tables.ts'

/** What erasures work with. */
export interface ErasePersonParts {
  readonly store: ErasureStore
  readonly deletions: DeletionRequests
  readonly leftovers: Leftovers
  /** What else holds data of people. */
  readonly erasers: readonly Eraser[]
  readonly clock: Clock
  readonly log: Logger
}

/** The payload of the job: no id of the person is in it. */
type Progress = {
  readonly requestId: string
  /** 0 erases; each later one looks for what came in late. */
  readonly round: number
  /** What is of before this instant belongs to the person who is erased, however late it arrives. */
  readonly cutMs: number | null
  /** Events that were found so far. */
  readonly events: number
  /** Whether those of this round are among them. */
  readonly isCounted: boolean
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** When late rows are looked for, after the sweep before. Journals that come back later than all of them are too late. */
const FOLLOW_UPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 6 * 24 * HOUR_MS]

/** Rows that come in during a sweep make it fail its check: so often it is done again at once. */
const SWEEPS_MAX = 5

/** Does the erasures of {@link DeletionRequests}. Every step may be done twice. */
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
      'an erasure does not wait for the journal; it looks for late rows later',
    )
  }

  async #finish({ id }: DeletionRequest, { events }: Progress): Promise<void> {
    const { deletions, log } = this.#parts
    await deletions.complete(id)
    log.info({ request: id, events }, 'a person is erased')
  }

  async #sweep(request: DeletionRequest, start: Progress): Promise<Progress> {
    let progress = start
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
      progress = await this.#sweepOnce(request, progress)
      const left = await this.#tables.countLeft({ ...keyOf(request), cutMs: progress.cutMs ?? undefined })
      if (left.size === 0) return progress
      this.#parts.log.info({ request: request.id, left: Object.fromEntries(left) }, 'an erasure goes on')
      progress = { ...progress, isCounted: false }
    }
    throw new Error('rows of the person keep coming in')
  }

  async #sweepOnce(request: DeletionRequest, start: Progress): Promise<Progress> {
    const { leftovers, deletions, erasers } = this.#parts
    const isFirst = start.round === 0
    const scope = { ...keyOf(request), cutMs: isFirst ? undefined : (start.cutMs ?? undefined) }
    await this.#tables.collectIds(scope, request.externalId)
    await this.#tables.collectSessions(scope)
    const progress = start.isCounted ? start : await this.#count(start, scope)
    await deletions.setEvents(request.id, progress.events)
    // They look up devices and other names of the person, which the tables forget next.
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

  /** Kept before anything is deleted: afterwards nobody could count. */
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
