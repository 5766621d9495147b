import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { rollingWindows } from '../../../domain/insights/rolling-windows.ts'
import type { RollingMetric, Series } from '../../../domain/insights/series.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { int64ArrayCodec, int64Codec, stringArrayCodec } from '../../sql/codec.ts'
import { type CompiledQuery, column, type QueryRunner, select } from '../../sql/select.ts'
import { type Param, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import {
  keyNames,
  type RankedBreakdown,
  type RankedRow,
  rankColumns,
  rankedGroups,
  selectKeys,
  withKeys,
} from '../breakdown.ts'
import { bucketIndex, bucketSet } from '../bucket-sql.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import type { BrokenDownRow } from '../series-points.ts'
import { conditionAmong } from './compile.ts'
import { whereAnyCounts } from './compile-lines.ts'

/** A series of rolling users, and the starts of the buckets. */
export interface RollingQuery {
  readonly series: Series<RollingMetric>
  readonly starts: readonly number[]
}

/** A change in the number of users between the windows of two buckets. */
interface Change {
  /** The bucket, from 0, that the change comes with; the number of buckets when it comes after the last one. */
  readonly bucket: number
  readonly users: number
}

/** The rolling users of each bucket. */
export async function countRolling(
  query: RollingQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<ReadonlyMap<number, number>> {
  const points = addUp(query.starts, await run(compileRolling(query, context)))
  return new Map(points.map(({ bucketMs, value }) => [bucketMs, value]))
}

/** A series of rolling users, broken down by values. */
export interface RollingByQuery extends RollingQuery {
  readonly breakdown: RankedBreakdown
  /** The series whose events in the range make values; that of the rolling users is one of them. */
  readonly valuesOf: readonly Series[]
}

/** The rolling users of each bucket and breakdown value. */
export async function countRollingBy(
  query: RollingByQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<readonly BrokenDownRow[]> {
  const changes = await run(compileBrokenDownRolling(query, context))
  return [...Map.groupBy(changes, ({ rank }) => rank)].flatMap(([rank, ofRank]) => {
    const keys = ofRank[0]?.keys ?? []
    return addUp(query.starts, ofRank).map((point) => ({ ...point, rank, keys }))
  })
}

/** The number of users of each bucket: all changes until then. */
function addUp(
  starts: readonly number[],
  changes: readonly Change[],
): readonly { readonly bucketMs: number; readonly value: number }[] {
  let value = 0
  return starts.map((bucketMs, index) => {
    for (const { bucket, users } of changes) if (bucket === index) value += users
    return { bucketMs, value }
  })
}

/** Compiles the changes, in one scan with one set of cells per user. */
function compileRolling(query: RollingQuery, context: InsightContext): CompiledQuery<Change> {
  const cells = cellsOf(query, context)
  const users = sql`SELECT ${USER_KEY} AS user, ${cells.gather} AS seen ${eventsOf([query.series], context, cells.range)}${excludeCookieless(context)} GROUP BY user`
  return select(
    CHANGE_COLUMNS,
    sql`FROM (SELECT ${cells.changes(sql`seen`)} AS changes FROM (${users})) ${BY_BUCKET}`,
  )
}

/**
 * Compiles the changes by breakdown value. Values are those of events in the range, and rank by their users there; the
 * users of values that rank below the limit are merged.
 */
function compileBrokenDownRolling(
  query: RollingByQuery,
  context: InsightContext,
): CompiledQuery<Change & RankedRow> {
  const { series, breakdown, valuesOf } = query
  const cells = cellsOf(query, context, (wide) =>
    valuesOf.length > 1 ? conditionAmong(valuesOf, series, wide) : undefined,
  )
  const wide = { ...context, range: cells.range }
  const keys = keyNames(breakdown)
  const isInRange = sql`max(${TIME_MS} >= ${param(int64Codec, context.range.fromMs)})`
  const seen = sql`SELECT ${selectKeys(breakdown)}, ${USER_KEY} AS user, ${cells.gather} AS seen, ${isInRange} AS in_range ${eventsOf(valuesOf, withKeys(wide, breakdown))}${whereAnyCounts(valuesOf, wide)} GROUP BY ${keys}, user`
  const ranked = rankedGroups(breakdown, {
    rows: seen,
    cell: sql`(user, seen)`,
    total: { value: sql`countIf(in_range)`, name: sql`total` },
    having: sql`total > 0`,
  })
  const users = sql`SELECT rank, any([${keys}]) AS keys, ${cells.merge(sql`tupleElement(cell, 2)`)} AS seen ${ranked}, tupleElement(cell, 1)`
  return select(
    {
      ...rankColumns(breakdown),
      keys: column(stringArrayCodec, sql`any(keys)`),
      ...CHANGE_COLUMNS,
    },
    sql`FROM (SELECT rank, keys, ${cells.changes(sql`seen`)} AS changes FROM (${users})) ${BY_BUCKET}, rank`,
  )
}

const TIME_MS = sql`toUnixTimestamp64Milli(time)`

const CHANGE_COLUMNS = {
  bucket: column(int64Codec, sql`toInt64(tupleElement(change, 1)) AS bucket`),
  users: column(int64Codec, sql`toInt64(sum(tupleElement(change, 2)))`),
}

const BY_BUCKET = sql`ARRAY JOIN changes AS change GROUP BY bucket`

/**
 * Pieces of time between which no window begins or ends: a user counts in the buckets whose windows contain any of their
 * pieces. The state of a user is a set of pieces.
 */
interface Cells {
  /** The events of all windows and of the range. */
  readonly range: RangeMs
  /** The set of pieces of a group's rows; of those that meet the condition, where there is one. */
  readonly gather: Sql
  /** The union of such sets. */
  readonly merge: (seen: Sql) => Sql
  /**
   * The changes that a user makes, as pairs: one more with the first bucket of each run of buckets, one less after it.
   * A change by 0 lets every user count as a row.
   */
  readonly changes: (seen: Sql) => Sql
}

/** `conditionIn` restricts the rows of a set, in a context whose range is that of the cells. */
function cellsOf(
  { series, starts }: RollingQuery,
  context: InsightContext,
  conditionIn?: (wide: InsightContext) => Sql | undefined,
): Cells {
  const { range, zone } = context
  const windows = rollingWindows({ starts, range, zone, days: series.metric.days })
  const fromMs = Math.min(range.fromMs, ...windows.map((window) => window.fromMs))
  const wide = { fromMs, toMs: range.toMs }
  const edges = new Set([fromMs, ...windows.flatMap((window) => [window.fromMs, window.toMs])])
  const pieces = [...edges].sort((a, b) => a - b).filter((edge) => edge < range.toMs)
  // Both ends of the windows ascend, so the buckets of a piece are one run, and the runs of later pieces end later.
  const [firsts, ends] = [
    param(
      int64ArrayCodec,
      pieces.map((at) => windows.filter(({ toMs }) => toMs <= at).length),
    ),
    param(
      int64ArrayCodec,
      pieces.map((at) => windows.filter((window) => window.fromMs <= at).length),
    ),
  ]
  const set = bucketSet(pieces.length)
  return {
    range: wide,
    gather: set.gather(bucketIndex(TIME_MS, pieces), conditionIn?.({ ...context, range: wide })),
    merge: set.merge,
    changes: (seen) => changesSql(sql`arraySort(${set.list(seen)})`, firsts, ends),
  }
}

/** Runs of buckets [first, end) without those of the pieces before, which end earlier; then a pair for each end of a run. */
function changesSql(pieces: Sql, firsts: Param, ends: Param): Sql {
  const run = sql`(greatest(arrayElement(${firsts}, piece + 1), before), arrayElement(${ends}, piece + 1))`
  const before = sql`arrayPopBack(arrayPushFront(arrayMap(piece -> arrayElement(${ends}, piece + 1), sorted), toInt64(0)))`
  const runs = sql`arrayFilter(run -> tupleElement(run, 1) < tupleElement(run, 2), arrayMap((piece, before) -> ${run}, ${pieces} AS sorted, ${before}))`
  return sql`arrayPushBack(arrayFlatten(arrayMap(run -> [(tupleElement(run, 1), toInt8(1)), (tupleElement(run, 2), toInt8(-1))], ${runs})), (toInt64(0), toInt8(0)))`
}
