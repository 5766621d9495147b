import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import {
  bigintCodec,
  dateArrayCodec,
  int64Codec,
  uint8ArrayCodec,
  uint32Codec,
  uuidArrayCodec,
  uuidCodec,
} from './codec.ts'
import { scopedTable } from './scoped-table.ts'
import { partOf, type RangePart, type Span } from './spans.ts'
import { join, numbered, param, type Sql, sql } from './sql.ts'

/** An aggregate of the events of a cell. */
export interface CellState {
  /** The column of `day_cells` with its value. */
  readonly column: 'numbers' | 'users'
  /** The value as it is stored, as an aggregate of rows of `events`. */
  readonly stored: Sql
  /** The state that the statement merges, from the stored value. */
  readonly read: (stored: Sql) => Sql
}

/**
 * A statement over cells: each aggregates the events of one bucket with the same breakdown values, and depends on nothing but these
 * events. Several cells of one bucket and value add up, so that the cells of a span can be kept.
 */
export interface DayCells {
  readonly projectId: ProjectId
  readonly range: RangeMs
  /** Breakdown values, as expressions of a row of `events`. */
  readonly keys: readonly Sql[]
  /** The bucket as an expression of such a row, and the starts of the buckets; absent when there are none. */
  readonly buckets?: { readonly bucket: Sql; readonly starts: readonly number[] } | undefined
  readonly states: readonly CellState[]
  /** `FROM events ... WHERE ...`: the events of a part of the range. */
  readonly events: (part: RangePart) => Sql
  /** The statement over `SELECT key0, ..., bucket, state0, ...`. */
  readonly over: (cells: Sql) => Sql
  /** Whether each row of the statement is that of one bucket alone, whose start is its first cell. */
  readonly isByBucket?: boolean
}

/** A span whose cells are stored, and their fill. */
export interface KeptSpan extends Span {
  readonly fill: string
}

/** A question, and a number of erasures: cells from before an erasure are not those after it. */
export interface CellsKey {
  readonly spec: string
  readonly fill: string
  readonly erasures: bigint
}

/** The statement with the cells of some spans from the table, and those of the other spans from events. */
export function overKept(
  cells: DayCells,
  {
    spec,
    kept,
    others,
  }: { readonly spec: string; readonly kept: readonly KeptSpan[]; readonly others: readonly Span[] },
): Sql {
  if (kept.length === 0) return cells.over(computedCells(cells, others))
  const stored = keptCells(cells, spec, kept)
  if (others.length === 0) return cells.over(stored)
  return cells.over(sql`${computedCells(cells, others)} UNION ALL ${stored}`)
}

/** `SELECT key0, ..., bucket, state0, ...` from the events of some spans. */
export function computedCells(cells: DayCells, spans?: readonly Span[]): Sql {
  const { keys, buckets, states, events, range } = cells
  const selected = [
    ...keys.map((key, index) => sql`toString(${key}) AS ${numbered('key', index)}`),
    sql`${buckets?.bucket ?? sql`toInt64(0)`} AS bucket`,
    ...states.map(({ stored, read }, index) => sql`${read(stored)} AS ${numbered('state', index)}`),
  ]
  const groups = [...keys.map((_, index) => numbered('key', index)), sql`bucket`]
  return sql`SELECT ${list(selected)} ${events(spans ? partOf(range, spans) : { range })} GROUP BY ${list(groups)}`
}

function keptCells({ projectId, keys, states }: DayCells, spec: string, kept: readonly KeptSpan[]): Sql {
  const places = placesOf(states)
  const selected = [
    ...keys.map((_, index) => sql`keys[${param(int64Codec, index + 1)}] AS ${numbered('key', index)}`),
    sql`bucket`,
    ...states.map(
      ({ column, read }, index) =>
        sql`${read(sql`${COLUMNS[column]}[${param(int64Codec, places[index] ?? 0)}]`)} AS ${numbered('state', index)}`,
    ),
  ]
  const days = param(
    dateArrayCodec,
    kept.map(({ day }) => day),
  )
  const hours = param(
    uint8ArrayCodec,
    kept.map(({ hour }) => hour),
  )
  const fills = param(
    uuidArrayCodec,
    kept.map(({ fill }) => fill),
  )
  return sql`SELECT ${list(selected)} ${scopedTable('day_cells', projectId)} AND spec = ${param(uuidCodec, spec)} AND (day, hour, fill) IN arrayZip(${days}, ${hours}, ${fills})`
}

const COLUMNS = { numbers: sql`numbers`, users: sql`users` } as const

/** The position of each state in the array of its column, from 1. */
function placesOf(states: readonly CellState[]): readonly number[] {
  const counts = { numbers: 0, users: 0 }
  return states.map(({ column }) => ++counts[column])
}

/** `INSERT INTO day_cells ...`: stores the cells of spans, of which the range has all. They are either days or hours. */
export function insertCells(
  cells: DayCells,
  { spec, fill, erasures }: CellsKey,
  spans: readonly Span[],
): Sql {
  const { projectId, keys, buckets, states, events, range } = cells
  const names = keys.map((_, index) => numbered('key', index))
  const arrayOf = (column: CellState['column']): Sql =>
    list(states.flatMap((state, index) => (state.column === column ? [numbered('state', index)] : [])))
  const areDays = spans.every(({ hour }) => hour === 0)
  const computed = [
    sql`toDate(time) AS of_day`,
    sql`${areDays ? sql`0` : sql`toHour(time) + 1`} AS of_hour`,
    ...keys.map((key, index) => sql`toString(${key}) AS ${numbered('key', index)}`),
    sql`${buckets?.bucket ?? sql`toInt64(0)`} AS bucket`,
    ...states.map(({ stored }, index) => sql`${stored} AS ${numbered('state', index)}`),
  ]
  const groups = sql`SELECT ${list(computed)} ${events(partOf(range, spans))} GROUP BY ${list([sql`of_day`, sql`of_hour`, ...names, sql`bucket`])}`
  const head = [param(uint32Codec, projectId), param(uuidCodec, spec), param(uuidCodec, fill)].map(
    (one) => sql`${one}`,
  )
  const row = [
    ...head,
    sql`toUInt64(${param(bigintCodec, erasures)})`,
    sql`of_day`,
    sql`of_hour`,
    sql`CAST([${list(names)}], 'Array(String)')`,
    sql`bucket`,
    sql`CAST([${arrayOf('numbers')}], 'Array(Nullable(Float64))')`,
    sql`CAST([${arrayOf('users')}], 'Array(Array(UInt64))')`,
  ]
  return sql`INSERT INTO day_cells (project, spec, fill, erasures, day, hour, keys, bucket, numbers, users) SELECT ${list(row)} FROM (${groups})`
}

function list(pieces: readonly Sql[]): Sql {
  return join(pieces, sql`, `)
}
