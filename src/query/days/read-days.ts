import { createHash } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import { CELLS_HOURS, ERASURES_DAY } from '../../store/clickhouse/migrations/018-day-cells.ts'
import { bigintCodec, int64ArrayCodec, int64Codec, stringArrayCodec, uuidCodec } from '../sql/codec.ts'
import type { DayCells } from '../sql/day-cells.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, render, sql } from '../sql/sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Longer ranges are read from events. */
const DAYS_MAX = 1100

/** Fills of one question that are looked at, the latest first. */
const FILLS_MAX = 500

/** A day of a question: in UTC, because those are the days by which events are stored. */
export interface QuestionDay {
  /** As `2026-01-31`. */
  readonly day: string
  readonly fromMs: number
  readonly toMs: number
  /** Whether the range has the whole day. */
  readonly isWhole: boolean
}

/** The days of a range; none when there are too many. */
export function listDays({ range: { fromMs, toMs } }: Pick<DayCells, 'range'>): readonly QuestionDay[] {
  const first = Math.floor(fromMs / DAY_MS)
  const count = Math.ceil(toMs / DAY_MS) - first
  if (count < 1 || count > DAYS_MAX) return []
  return Array.from({ length: count }, (_, index) => {
    const day = { fromMs: (first + index) * DAY_MS, toMs: (first + index + 1) * DAY_MS }
    const isWhole = day.fromMs >= fromMs && day.toMs <= toMs
    return { ...day, day: new Date(day.fromMs).toISOString().slice(0, 10), isWhole }
  })
}

/** The identity of a question without its range: the text and the values of what is stored for a day. */
export function specOf({ keys, states, events }: DayCells): string {
  const rows = events({ range: { fromMs: 0, toMs: DAY_MS } })
  const parts = [...keys, ...states.map(({ stored }) => stored), rows].map(render)
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** How the buckets lie in a day. */
function layoutOf({ buckets }: DayCells, { fromMs, toMs }: QuestionDay): string {
  if (!buckets) return 'none'
  const { starts } = buckets
  const first = starts.findLastIndex((start) => start <= fromMs)
  const after = starts.findIndex((start) => start >= toMs)
  const own = starts.slice(Math.max(0, first), after < 0 ? starts.length : after)
  return own.length < 4 ? own.join() : createHash('sha256').update(own.join()).digest('base64')
}

/** What is known about the days of a project at an instant of the store. */
export interface ProjectDays {
  readonly nowMs: number
  /** Events that arrived before this instant are visible to every statement. */
  readonly coveredMs: number
  /** Since when arrivals are counted. */
  readonly countedMs: number
  /** Number of erasures. */
  readonly erasures: bigint
  /** Events that arrived by day; none for a day without an entry. */
  readonly arrivals: ReadonlyMap<string, { readonly version: bigint; readonly arrivedMs: number }>
}

const STATE = {
  nowMs: column(int64Codec, sql`toUnixTimestamp64Milli(now64(3))`),
  coveredMs: column(int64Codec, sql`toUnixTimestamp64Milli((SELECT min(covered) FROM session_coverage))`),
  countedMs: column(
    int64Codec,
    sql`toUnixTimestamp64Milli((SELECT max(applied) FROM migrations WHERE version = 18))`,
  ),
  days: column(stringArrayCodec, sql`groupArray(toString(day))`),
  versions: column(stringArrayCodec, sql`groupArray(toString(total))`),
  arrivedMs: column(int64ArrayCodec, sql`groupArray(toUnixTimestamp64Milli(latest))`),
}

/** Reads the versions of the days of a project. */
export async function readProjectDays(projectId: ProjectId, run: QueryRunner): Promise<ProjectDays> {
  const totals = sql`SELECT day, sum(arrivals) AS total, max(arrived) AS latest ${scopedTable('day_arrivals', projectId)} GROUP BY day`
  const [row] = await run(select(STATE, sql`FROM (${totals})`))
  const { days = [], versions = [], arrivedMs = [] } = row ?? {}
  const arrivals = new Map(
    days.map((day, index) => [
      day,
      { version: BigInt(versions[index] ?? 0), arrivedMs: arrivedMs[index] ?? 0 },
    ]),
  )
  return {
    nowMs: row?.nowMs ?? 0,
    coveredMs: row?.coveredMs ?? 0,
    countedMs: row?.countedMs ?? 0,
    erasures: arrivals.get(ERASURES_DAY)?.version ?? 0n,
    arrivals,
  }
}

const FILL = {
  fill: column(uuidCodec, sql`fill`),
  erasures: column(bigintCodec, sql`toInt64(erasures)`),
  days: column(stringArrayCodec, sql`arrayMap(day -> toString(day), days)`),
  versions: column(stringArrayCodec, sql`versions`),
  filledMs: column(int64Codec, sql`toUnixTimestamp64Milli(filled)`),
}

/** Cells that are stored for some days of a question. */
export type Fill = Row<typeof FILL>

/** Finds the fills of a question, the latest first. */
export function compileFills(projectId: ProjectId, spec: string): CompiledQuery<Fill> {
  return select(
    FILL,
    sql`${scopedTable('day_fills', projectId)} AND spec = ${param(uuidCodec, spec)} ORDER BY filled DESC LIMIT ${param(int64Codec, FILLS_MAX)}`,
  )
}

/** A day whose cells can be stored. */
export interface ClosedDay {
  readonly day: string
  readonly fromMs: number
  readonly toMs: number
  /** The version that it has. */
  readonly version: string
  /** Events that have arrived for it, copies included. */
  readonly eventCount: number
}

/** How a question is answered: which days are kept, which are not, and of those the ones that can be. */
export interface DayPlan {
  /** The fill of each kept day. */
  readonly kept: ReadonlyMap<string, string>
  readonly others: readonly string[]
  readonly closed: readonly ClosedDay[]
}

/** Bounds of a plan. */
export interface PlanBounds {
  /** How far another replica may be behind, in milliseconds. */
  readonly lagMs: number
  /** Days after which events expire; 0 for never. */
  readonly retentionDays: number
}

/** Plans an answer. */
export function planDays(
  cells: DayCells,
  { state, fills }: { readonly state: ProjectDays; readonly fills: readonly Fill[] },
  { lagMs, retentionDays }: PlanBounds,
): DayPlan {
  const { nowMs, coveredMs, countedMs, erasures, arrivals } = state
  const days = listDays(cells)
  // A clock that was set back makes new arrivals look old, and an INSERT from before the count may still run.
  const isReliable = nowMs >= coveredMs && coveredMs > countedMs + lagMs
  // Expired events are removed without a trace.
  const keptFromMs = retentionDays === 0 ? 0 : nowMs - (retentionDays - 1) * DAY_MS
  const known = new Map<string, string>()
  for (const fill of fills.toReversed()) {
    // Cells may not have reached the replica that is asked, or have expired.
    const isUsable = fill.filledMs <= nowMs - lagMs && fill.filledMs > nowMs - CELLS_HOURS * HOUR_MS
    if (!isUsable || fill.erasures !== erasures) continue
    for (const [index, day] of fill.days.entries()) known.set(`${day} ${fill.versions[index]}`, fill.fill)
  }
  const kept = new Map<string, string>()
  const others: string[] = []
  const closed: ClosedDay[] = []
  for (const one of days) {
    const { day, fromMs, toMs, isWhole } = one
    const { version: count = 0n, arrivedMs = 0 } = arrivals.get(day) ?? {}
    const version = `${count} ${layoutOf(cells, one)}`
    const isKeepable = isReliable && isWhole && fromMs >= keptFromMs
    const fill = isKeepable ? known.get(`${day} ${version}`) : undefined
    if (fill) kept.set(day, fill)
    else {
      others.push(day)
      if (isKeepable && toMs <= nowMs && arrivedMs < coveredMs) {
        closed.push({ day, fromMs, toMs, version, eventCount: Number(count) })
      }
    }
  }
  return { kept, others, closed }
}
