import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { countersOf } from '../../kernel/metrics.ts'
import type { CellSpace } from '../../store/clickhouse/day-cells.ts'
import {
  bigintCodec,
  dateArrayCodec,
  stringArrayCodec,
  uint8ArrayCodec,
  uint32Codec,
  uuidCodec,
} from '../sql/codec.ts'
import { type DayCells, insertCells, overKept } from '../sql/day-cells.ts'
import type { Execute } from '../sql/execute.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { AskedRanges, overlaps } from './asked-ranges.ts'
import { BucketRows, planOthers, shapeOf, sourcesOf } from './bucket-rows.ts'
import { type ClosedSpan, type DayPlan, hasSpans, type PlanBounds, planDays } from './plan-days.ts'
import {
  compileFills,
  type Fill,
  type ProjectDays,
  readMapping,
  readProjectDays,
  specOf,
} from './read-days.ts'

/** Spans of one statement that stores cells, and their events, unless it is one span; the latest first. */
const SPANS_PER_FILL = 31
const EVENTS_PER_FILL = 5_000_000

/** Questions that wait for their cells to be stored; more are stored the next time they are asked. */
const WAITING_MAX = 100

/** Questions whose cells could not be stored, and how long they are left alone. */
const REFUSED_MAX = 1000
const REFUSED_MS = 3_600_000

/** How long cells wait for questions to end: later they are not stored, until their question is asked again. */
const BUSY_MS_MAX = 60_000
const BUSY_POLL_MS = 100

/** Free space on disk for each byte of cells: where there is less, nothing is stored. */
const FREE_PER_STORED = 10

/** Questions whose fills were looked up, and how long those of other processes are not. */
const LOOKED_UP_MAX = 1000
const LOOKED_UP_MS = 10_000

/** Memory for fills, and the part of a span in it. */
const FILLS_BYTES_MAX = 16 * 1024 * 1024
const SPAN_BYTES = 200

/** Projects whose days are known for a moment. */
const STATES_MAX = 100

/** Cells of one statement: more are no gain over events. */
export const CELLS_PER_FILL_MAX = 1_000_000

/** Reading fewer events takes some milliseconds, and a statement that stores their cells some twenty. */
export const STORED_EVENTS_MIN = 50_000

/** Dependencies and bounds of a {@link DayKeeper}. */
export interface DayKeeperOptions extends PlanBounds {
  /** Runs an INSERT of what it finds, as a user who may write. */
  readonly insertFound: Execute
  /** Size of the stored cells and free space on disk, on the nodes with most and least. */
  readonly readCellSpace: (signal: AbortSignal) => Promise<CellSpace>
  /** Nothing is stored beyond this size until earlier cells have expired. */
  readonly storedBytesMax: number
  /** Whether questions run that a statement which stores cells would slow down. */
  readonly isBusy: () => boolean
  /** From which asking on the days of a question are stored. */
  readonly storesFrom: 'first asking' | 'second asking'
  /** How long the versions of the days of a project are used: an answer may be as old. */
  readonly stateMs: number
  /** Whether one node alone maps ids to users: each knows of merges by itself. */
  readonly isOneNode: boolean
  /** A question whose answer reads fewer rows is cheap enough. */
  readonly rowsMin: number
  readonly log: Pick<Logger, 'debug'>
}

/** A day is `kept` when its cells were read, and `read` when its events were; an hour is a part of a day. */
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
 * Answers questions from cells of days and hours that have not changed since these were stored, and from the events of the others. Cells of closed
 * ones are stored in the background after an answer, once a question about them is asked again: a question that is asked once costs nothing more.
 */
export class DayKeeper {
  readonly #options: DayKeeperOptions
  readonly #stopping = new AbortController()
  readonly #waiting = new Map<string, FillTask>()
  readonly #refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_MS })
  readonly #asked = new AskedRanges()
  readonly #fills = new LRUCache<string, readonly Fill[]>({ maxSize: FILLS_BYTES_MAX })
  readonly #lookedUp = new LRUCache<string, true>({ max: LOOKED_UP_MAX, ttl: LOOKED_UP_MS })
  readonly #states: LRUCache<ProjectId, ProjectDays>
  readonly #rows = new BucketRows()
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
    if (!hasSpans(cells.range)) return await run(whole)
    const spec = specOf(cells)
    const key = keyOf(cells, spec)
    const known = this.#options.storesFrom === 'first asking' ? cells.range : this.#asked.find(key)
    const rowsBefore = countRows()
    const { rows, task } = known
      ? await this.#answerAgain(query, { spec, known }, run)
      : { rows: await run(whole), task: undefined }
    const rowsRead = countRows() - rowsBefore
    if (known || rowsRead >= this.#options.rowsMin) this.#asked.add(key, cells.range)
    if (task && rowsRead >= this.#options.storedEventsMin) this.#enqueue(task)
    return rows
  }

  /** An answer to a question that was asked before, and the spans to be stored that both askings have. */
  async #answerAgain<R>(
    { days: cells, ...whole }: CompiledQuery<R> & { readonly days: DayCells },
    { spec, known }: { readonly spec: string; readonly known: RangeMs },
    run: QueryRunner,
  ): Promise<{ readonly rows: R[]; readonly task: FillTask | undefined }> {
    const state = await this.#readState(cells.projectId, run)
    const plan = await this.#plan({ cells, spec, state }, run)
    answeredDays.inc({ source: 'kept' }, countDays(plan.kept))
    answeredDays.inc({ source: 'read' }, countDays(plan.others))
    const rows = await (plan.kept.length === 0
      ? run(whole)
      : cells.isByBucket
        ? this.#answerByBucket({ ...whole, days: cells }, { spec, plan, state }, run)
        : run({ statement: overKept(cells, { spec, ...plan }), decode: whole.decode }))
    const closed = plan.closed.filter((span) => overlaps(span, known))
    return { rows, task: closed.length > 0 ? { cells, spec, erasures: state.erasures, closed } : undefined }
  }

  /** The same where buckets are independent of each other: from the rows of those that are made of the same fills as before, and others. */
  async #answerByBucket<R>(
    { days: cells, decode }: CompiledQuery<R> & { readonly days: DayCells },
    { spec, plan, state }: { readonly spec: string; readonly plan: DayPlan; readonly state: ProjectDays },
    run: QueryRunner,
  ): Promise<R[]> {
    const hasUsers = cells.states.some((one) => one.column === 'users')
    // Numbers of users are those of the merges of people that the statement knew of.
    const mapping = hasUsers ? (this.#options.isOneNode ? state.mapping : '') : 'none'
    if (mapping === '') return await run({ statement: overKept(cells, { spec, ...plan }), decode })
    const question = `${keyOf(cells, spec)} ${mapping} ${shapeOf(cells)}`
    const sources = sourcesOf(cells, plan)
    const known = this.#rows.find(question, sources)
    const others = planOthers(cells, plan, (start) => known.has(start))
    const rows = new Map(known)
    if (others.kept.length + others.others.length > 0) {
      const found = await run({
        statement: overKept(cells, { spec, ...others }),
        decode: (row) => [Number(row[0]), decode(row)] as const,
      })
      // A bucket that is known may have a part of what was read.
      for (const [start, row] of found) if (!known.has(start)) rows.set(start, row)
    }
    const isNew = [...sources].some(([start, source]) => source !== undefined && !known.has(start))
    const isSame = async (): Promise<boolean> =>
      !hasUsers || (await readMapping(cells.projectId, run)) === mapping
    if (isNew && (await isSame())) this.#rows.set(question, sources, rows)
    return [...rows.values()].flatMap((row) => (row === undefined ? [] : [row as R]))
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

  /** A fill never changes, so that those which suffice are not looked up again. */
  async #plan(
    { cells, spec, state }: { readonly cells: DayCells; readonly spec: string; readonly state: ProjectDays },
    run: QueryRunner,
  ): Promise<DayPlan> {
    const key = keyOf(cells, spec)
    const known = this.#fills.get(key)
    const plan = known && planDays(cells, { state, fills: known }, this.#options)
    if (plan && (plan.closed.length === 0 || this.#lookedUp.has(key))) return plan
    const fills = await run(compileFills(cells.projectId, spec))
    const size = fills.reduce((bytes, { days }) => bytes + days.length * SPAN_BYTES, SPAN_BYTES)
    this.#fills.set(key, fills, { size })
    this.#lookedUp.set(key, true)
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
    const { insertFound } = this.#options
    for (const some of fillsOf(closed)) {
      if (!(await this.#hasRoom(signal)) || !(await this.#untilQuiet(signal))) return
      const key = { spec, fill: randomUUID(), erasures }
      await insertFound(insertCells(cells, key, some), signal)
      // Questions use the cells from this row on: it is written when all of them are.
      await insertFound(insertFill(cells.projectId, { ...key, closed: some }), signal)
      this.#lookedUp.delete(keyOf(cells, spec))
    }
  }

  async #hasRoom(signal: AbortSignal): Promise<boolean> {
    const { readCellSpace, storedBytesMax } = this.#options
    const { storedBytes, freeBytes } = await readCellSpace(signal)
    return storedBytes < storedBytesMax && storedBytes * FREE_PER_STORED <= freeBytes
  }

  /** False when questions keep the engine busy. */
  async #untilQuiet(signal: AbortSignal): Promise<boolean> {
    const startMs = monotonicMs()
    while (this.#options.isBusy()) {
      if (monotonicMs() - startMs > BUSY_MS_MAX) return false
      await sleep(BUSY_POLL_MS, signal)
    }
    return true
  }
}

/** The spans of each statement that stores cells, in order of time: days or hours, the latest first. */
function fillsOf(closed: readonly ClosedSpan[]): readonly (readonly ClosedSpan[])[] {
  const isDay = ({ hour }: ClosedSpan): boolean => hour === 0
  const units = [closed.filter(isDay), closed.filter((span) => !isDay(span))]
  return units.flatMap((spans) => chunksOf(spans.toReversed())).map((spans) => spans.toReversed())
}

function chunksOf(spans: readonly ClosedSpan[]): readonly (readonly ClosedSpan[])[] {
  const fills: ClosedSpan[][] = []
  let eventCount = 0
  for (const span of spans) {
    const fill = fills.at(-1)
    eventCount += span.eventCount
    if (fill && fill.length < SPANS_PER_FILL && eventCount <= EVENTS_PER_FILL) fill.push(span)
    else {
      fills.push([span])
      eventCount = span.eventCount
    }
  }
  return fills
}

function countDays(spans: readonly Pick<ClosedSpan, 'hour'>[]): number {
  return spans.reduce((days, { hour }) => days + (hour === 0 ? 1 : 1 / 24), 0)
}

function keyOf({ projectId }: DayCells, spec: string): string {
  return `${projectId} ${spec}`
}

function insertFill(
  projectId: ProjectId,
  fill: Pick<FillTask, 'spec' | 'erasures' | 'closed'> & { readonly fill: string },
): Sql {
  const days = fill.closed.map(({ day }) => day)
  const hours = fill.closed.map(({ hour }) => hour)
  const versions = fill.closed.map(({ version }) => version)
  return sql`INSERT INTO day_fills (project, spec, fill, erasures, days, hours, versions) SELECT ${param(uint32Codec, projectId)}, ${param(uuidCodec, fill.spec)}, ${param(uuidCodec, fill.fill)}, toUInt64(${param(bigintCodec, fill.erasures)}), ${param(dateArrayCodec, days)}, ${param(uint8ArrayCodec, hours)}, ${param(stringArrayCodec, versions)}`
}
