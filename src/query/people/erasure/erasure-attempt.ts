import type { JobContext, JobOutcome } from '../../../jobs/job-handler.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Logger } from '../../../kernel/log.ts'
import type { DeletionRequest, DeletionRequests } from './deletion-requests.ts'
import type { ErasureKey, ErasureScope } from './erased-rows.ts'
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
export type Progress = {
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

/** The erasure of one user among those that run together. */
export interface ErasedUser {
  readonly request: DeletionRequest
  readonly progress: Progress
  readonly save: JobContext['save']
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

/** What all users of an attempt have in common. */
export interface ErasureRound extends Pick<Progress, 'round' | 'cutMs'> {
  readonly projectId: DeletionRequest['projectId']
  readonly signal: AbortSignal
}

/** One attempt at a round of erasures. */
export class ErasureAttempt {
  readonly #parts: ErasePersonParts
  readonly #round: ErasureRound
  readonly #tables: PersonTables
  readonly #key: ErasureKey
  #users: readonly ErasedUser[]

  constructor(parts: ErasePersonParts, users: readonly ErasedUser[], round: ErasureRound) {
    this.#parts = parts
    this.#round = round
    this.#users = users
    this.#tables = new PersonTables(parts.store, round.signal)
    this.#key = { projectId: round.projectId, requestIds: users.map(({ request }) => request.id) }
  }

  /** Resolves with what is next for each user, in their order. */
  async run(): Promise<readonly JobOutcome[]> {
    const isFirst = this.#round.round === 0
    if (isFirst) await this.#begin()
    await this.#sweep()
    if (isFirst) await this.#finish()
    const delayMs = FOLLOW_UPS_MS[this.#round.round]
    if (delayMs === undefined) {
      await this.#tables.forget(this.#key)
      return this.#users.map(() => ({ next: 'done' }))
    }
    const dueMs = this.#parts.clock.nowMs() + delayMs
    return this.#users.map(({ progress }) => ({
      next: 'again',
      payload: { ...progress, round: progress.round + 1, isCounted: false },
      dueMs,
    }))
  }

  async #begin(): Promise<void> {
    const { deletions, leftovers, log } = this.#parts
    for (const { request } of this.#users) {
      await deletions.start(request.id)
      await this.#tables.hide(request)
    }
    if (await leftovers.untilDelivered(this.#round.signal)) return
    log.warn(
      { requests: this.#key.requestIds },
      'erasure proceeds before the journal is delivered; late rows are swept later',
    )
  }

  async #finish(): Promise<void> {
    const { deletions, log } = this.#parts
    for (const { request, progress } of this.#users) {
      await deletions.complete(request.id)
      log.info({ request: request.id, events: progress.events }, 'erasure completed')
    }
  }

  async #sweep(): Promise<void> {
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
      await this.#sweepOnce()
      const cutMs = this.#users[0]?.progress.cutMs ?? undefined
      const left = await this.#tables.countLeft({ ...this.#key, cutMs })
      if (left.size === 0) return
      this.#parts.log.info(
        { requests: this.#key.requestIds, left: Object.fromEntries(left) },
        'erasure repeats its sweep: rows remain',
      )
      this.#users = this.#users.map((user) => ({ ...user, progress: { ...user.progress, isCounted: false } }))
    }
    throw new Error('rows of the user keep arriving')
  }

  async #sweepOnce(): Promise<void> {
    const { leftovers, deletions, erasers } = this.#parts
    const isFirst = this.#round.round === 0
    const scope = { ...this.#key, cutMs: isFirst ? undefined : (this.#round.cutMs ?? undefined) }
    for (const { request } of this.#users) await this.#tables.collectIds(request, scope.cutMs)
    await this.#tables.collectSessions(scope)
    await this.#count(scope)
    for (const { request, progress } of this.#users) await deletions.setEvents(request.id, progress.events)
    // These look up devices and aliases of the users, which the tables forget next.
    for (const { erase } of isFirst ? erasers : []) {
      for (const { request } of this.#users) await erase(request)
    }
    await this.#tables.erase(scope)
    for (const { request } of this.#users) {
      const key = { ...scope, requestIds: [request.id] }
      await leftovers.erase({
        projectId: request.projectId,
        externalId: request.externalId,
        findErased: async (ids) =>
          await findErasedIds(this.#parts.store, { ...key, ids }, this.#round.signal),
      })
    }
  }

  /** Stored before anything is deleted: afterwards the events can no longer be counted. */
  async #count(scope: ErasureScope): Promise<void> {
    if (this.#users.every(({ progress }) => progress.isCounted)) return
    const cutMs = this.#round.round === 0 ? await this.#tables.readClock() : this.#round.cutMs
    const counts = await this.#tables.countEvents(scope)
    const users: ErasedUser[] = []
    for (const user of this.#users) {
      const { request, progress, save } = user
      const events = progress.events + (counts.get(request.id) ?? 0)
      const counted = progress.isCounted ? progress : { ...progress, cutMs, events, isCounted: true }
      if (!progress.isCounted) await save(counted)
      users.push({ ...user, progress: counted })
    }
    this.#users = users
  }
}
