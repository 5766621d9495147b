import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import type { Logger } from '../../kernel/log.ts'
import { countersOf } from '../../kernel/metrics.ts'
import { bigintCodec, dateArrayCodec, stringArrayCodec, uint32Codec, uuidCodec } from '../sql/codec.ts'
import { type DayCells, insertCells, overKept } from '../sql/day-cells.ts'
import type { Execute } from '../sql/execute.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import {
  compileFills,
  type DayPlan,
  type Fill,
  listDays,
  type PlanBounds,
  type ProjectDays,
  planDays,
  readProjectDays,
  specOf,
} from './read-days.ts'

/** Days of one statement that stores cells; the latest days first. */
const DAYS_PER_FILL = 31

/** Questions that wait for their cells to be stored; more are stored the next time they are asked. */
const WAITING_MAX = 100

/** Questions whose cells could not be stored, and how long they are left alone. */
const REFUSED_MAX = 1000
const REFUSED_MS = 600_000

/** Memory for fills, and the part of a day in it. */
const FILLS_BYTES_MAX = 16 * 1024 * 1024
const DAY_BYTES = 200

/** Projects whose days are known for a moment. */
const STATES_MAX = 100

/** Cells of one statement: more are no gain over events. */
export const CELLS_PER_FILL_MAX = 1_000_000

/** Dependencies and bounds of a {@link DayKeeper}. */
export interface DayKeeperOptions extends PlanBounds {
  /** Runs an INSERT of what it finds, as a user who may write. */
  readonly insertFound: Execute
  /** Size of the stored cells on disk, on the node with most of them. */
  readonly readStoredBytes: (signal: AbortSignal) => Promise<number>
  /** Nothing is stored beyond this size until earlier cells have expired. */
  readonly storedBytesMax: number
  /** How long the versions of the days of a project are used: an answer may be as old. */
  readonly stateMs: number
  /** A statement that reads fewer rows is cheap enough. */
  readonly rowsMin: number
  readonly log: Pick<Logger, 'debug'>
}

/** A day is `kept` when its cells were read, and `read` when its events were. */
const answeredDays = countersOf(
  'millrace_answered_days_total',
  'Days of questions whose days can be kept: `kept` from stored cells, or `read` as events.',
  { label: 'source', values: ['kept', 'read'] },
)

interface FillTask {
  readonly cells: DayCells
  readonly spec: string
  readonly erasures: bigint
  readonly closed: DayPlan['closed']
}

/**
 * Answers questions from cells of days that have not changed since these were stored, and from the events of the other days. Cells of closed
 * days are stored after an answer, in the background.
 */
export class DayKeeper {
  readonly #options: DayKeeperOptions
  readonly #stopping = new AbortController()
  readonly #waiting = new Map<string, FillTask>()
  readonly #refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_MS })
  readonly #fills = new LRUCache<string, readonly Fill[]>({ maxSize: FILLS_BYTES_MAX })
  readonly #states: LRUCache<ProjectId, ProjectDays>
  #running: Promise<void> | undefined

  constructor(options: DayKeeperOptions) {
    this.#options = options
    this.#states = new LRUCache({ max: STATES_MAX, ttl: options.stateMs })
  }

  /** Runs a statement over cells. `countRows` returns the rows that `run` has read so far. */
  async answer<R>(
    query: CompiledQuery<R> & { readonly days: DayCells },
    run: QueryRunner,
    countRows: () => number,
  ): Promise<R[]> {
    const { days: cells, ...whole } = query
    if (!listDays(cells).some(({ isWhole }) => isWhole)) return await run(whole)
    const { projectId } = cells
    const spec = specOf(cells)
    const state = await this.#readState(projectId, run)
    const plan = await this.#plan({ cells, spec, state }, run)
    answeredDays.inc({ source: 'kept' }, plan.kept.size)
    answeredDays.inc({ source: 'read' }, plan.others.length)
    const rowsBefore = countRows()
    const rows =
      plan.kept.size === 0
        ? await run(whole)
        : await run({ statement: overKept(cells, { spec, ...plan }), decode: whole.decode })
    if (plan.closed.length > 0 && countRows() - rowsBefore >= this.#options.rowsMin)
      this.#enqueue({ cells, spec, erasures: state.erasures, closed: plan.closed })
    return rows
  }

  /** Resolves when no question waits for its cells to be stored. */
  async settle(): Promise<void> {
    await this.#running
  }

  /** Resolves when no statement of this process stores cells. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.settle()
  }

  /** The days of the project, as of a moment ago: those of a dashboard ask at once. */
  async #readState(projectId: ProjectId, run: QueryRunner): Promise<ProjectDays> {
    const known = this.#states.get(projectId)
    if (known) return known
    const state = await readProjectDays(projectId, run)
    if (this.#options.stateMs > 0) this.#states.set(projectId, state)
    return state
  }

  /** A fill never changes, so that one which suffices is not looked up again. */
  async #plan(
    { cells, spec, state }: { readonly cells: DayCells; readonly spec: string; readonly state: ProjectDays },
    run: QueryRunner,
  ): Promise<DayPlan> {
    const key = keyOf(cells, spec)
    const known = this.#fills.get(key)
    const plan = known && planDays(cells, { state, fills: known }, this.#options)
    if (plan && plan.closed.length === 0) return plan
    const fills = await run(compileFills(cells.projectId, spec))
    const size = fills.reduce((bytes, { days }) => bytes + days.length * DAY_BYTES, DAY_BYTES)
    this.#fills.set(key, fills, { size })
    return planDays(cells, { state, fills }, this.#options)
  }

  #enqueue(task: FillTask): void {
    const key = keyOf(task.cells, task.spec)
    if (this.#stopping.signal.aborted || this.#refused.has(key)) return
    if (this.#waiting.has(key) || this.#waiting.size >= WAITING_MAX) return
    this.#waiting.set(key, task)
    this.#running ??= this.#fillAll().finally(() => {
      this.#running = undefined
    })
  }

  /** Never rejects. */
  async #fillAll(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      const [next] = this.#waiting
      if (!next || signal.aborted) return
      const [key, task] = next
      try {
        await this.#fill(task, signal)
      } catch (error) {
        this.#refused.set(key, true)
        this.#options.log.debug({ err: error, project: task.cells.projectId }, 'days could not be kept')
      }
      this.#waiting.delete(key)
    }
  }

  async #fill({ cells, spec, erasures, closed }: FillTask, signal: AbortSignal): Promise<void> {
    const { insertFound, readStoredBytes, storedBytesMax } = this.#options
    for (let end = closed.length; end > 0; end -= DAYS_PER_FILL) {
      if ((await readStoredBytes(signal)) >= storedBytesMax) return
      const some = closed.slice(Math.max(0, end - DAYS_PER_FILL), end)
      const key = { spec, fill: randomUUID(), erasures }
      const days = some.map(({ day }) => day)
      await insertFound(insertCells(cells, key, days), signal)
      // Questions use the cells from this row on: it is written when all of them are.
      await insertFound(insertFill(cells.projectId, { ...key, closed: some }), signal)
    }
  }
}

function keyOf({ projectId }: DayCells, spec: string): string {
  return `${projectId} ${spec}`
}

function insertFill(
  projectId: ProjectId,
  fill: Pick<FillTask, 'spec' | 'erasures' | 'closed'> & { readonly fill: string },
): Sql {
  const days = fill.closed.map(({ day }) => day)
  const versions = fill.closed.map(({ version }) => version)
  return sql`INSERT INTO day_fills (project, spec, fill, erasures, days, versions) SELECT ${param(uint32Codec, projectId)}, ${param(uuidCodec, fill.spec)}, ${param(uuidCodec, fill.fill)}, toUInt64(${param(bigintCodec, fill.erasures)}), ${param(dateArrayCodec, days)}, ${param(stringArrayCodec, versions)}`
}
