import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { Formula } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { overRange, type Series } from '../../../domain/insights/series.ts'
import { float64ArrayCodec, int64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { anyOf, join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import {
  type GivenValues,
  givenRank,
  keyNames,
  type RankedRow,
  rankColumns,
  selectKeys,
  withKeys,
} from '../breakdown.ts'
import { groupedBucket } from '../bucket-sql.ts'
import { countedSql, eventsOf, matchSql } from '../event-sql.ts'
import { type Component, metricSql } from '../metric-sql.ts'
import { conditionAmong } from './compile.ts'
import { formulaSql } from './formula-sql.ts'

/** A line of an answer: one of the series of the query, or a formula over them. */
export interface Line {
  /** The series that it is computed from, by position. */
  readonly named: readonly number[]
  /** The number that ranks a breakdown value, from the metrics of the series over the whole range. */
  readonly rankBy: (total: (series: number) => Sql) => Sql
}

/** The line of a series. */
export function seriesLine(position: number): Line {
  return { named: [position], rankBy: (total) => total(position) }
}

/** The line of a formula, which ranks as 0 where it is undefined. */
export function formulaLine({ root, named }: Formula): Line {
  return { named, rankBy: (total) => sql`ifNotFinite(${formulaSql(root, total)}, 0.)` }
}

/** Lines broken down by values, each of which ranks the values for itself. */
export interface LinesQuery {
  readonly series: readonly Series[]
  readonly lines: readonly Line[]
  readonly breakdown: Breakdown
  /** The values of each line, where they are given instead of ranked. */
  readonly given?: readonly (GivenValues | undefined)[]
  readonly starts: readonly number[]
}

/** The metrics of all series in one bucket, for one breakdown value of a line or for the rest. */
export interface LineRow extends RankedRow {
  /** The position of the line. */
  readonly line: number
  readonly bucketMs: number
  /** By series, 0 for those that no line is computed from; those of rolling users are the users of the bucket. */
  readonly values: readonly number[]
}

/**
 * Compiles lines by breakdown value, in one scan: cells of (values, bucket) with the states of all metrics are grouped by
 * values and ranked by each line over the whole range. Each group then counts once for each line that has events of it;
 * the states of values that rank below the limit of the line are merged.
 */
export function compileLines(query: LinesQuery, context: InsightContext): CompiledQuery<LineRow> {
  const { breakdown, starts } = query
  const named = new Set(query.lines.flatMap((line) => line.named))
  const used = [...query.series.keys()].filter((position) => named.has(position))
  const series = used.flatMap((position) => query.series[position] ?? []).map(overRange)
  const conditions = series.map((one) => conditionAmong(series, one, context))
  const metrics = series.map(({ metric }) => metricSql(metric))
  const states = metrics.flatMap(({ components }, index) =>
    components.map((component) => ({ component, condition: conditions[index] })),
  )
  const selected = [
    ...states.map(
      ({ component, condition }, index) => sql`${component.state(condition)} AS ${numbered('state', index)}`,
    ),
    ...conditions.map(
      (condition, index) =>
        sql`${condition ? sql`countIf(${condition})` : sql`count()`} AS ${numbered('events', index)}`,
    ),
  ]
  const keys = keyNames(breakdown)
  const bucket = groupedBucket(sql`time`, starts)
  const cells = sql`SELECT ${selectKeys(breakdown)}, ${bucket.start} AS bucket, ${join(selected, sql`, `)} ${eventsOf(series, withKeys(context, breakdown))}${whereAnyCounts(series, context)} GROUP BY ${keys}, ${bucket.key}`
  const valuesOf = (merge: (component: Component, index: number) => Sql): readonly Sql[] => {
    const numbers = states.map(({ component }, index) => merge(component, index))
    return metrics.map(({ components, value }) => value(...numbers.splice(0, components.length)))
  }
  const totals = valuesOf((component, index) => component.merge(numbered('state', index)))
  const cell = states.map((_, index) => numbered('state', index))
  const parts = [
    ...totals.map((total, index) => sql`${total} AS ${numbered('total', used[index] ?? 0)}`),
    ...used.map(
      (position, index) => sql`sum(${numbered('events', index)}) > 0 AS ${numbered('present', position)}`,
    ),
  ]
  const groups = sql`SELECT ${keys}, groupArray((bucket, ${join(cell, sql`, `)})) AS cells, ${join(parts, sql`, `)} FROM (${cells}) GROUP BY ${keys}`
  const merged = valuesOf((component, index) =>
    component.merge(sql`tupleElement(cell, ${param(int64Codec, index + 2)})`),
  )
  const values = query.series.map((_, position) => merged[used.indexOf(position)] ?? sql`0.`)
  return select(
    {
      line: column(int64Codec, sql`tupleElement(line, 1) AS position`),
      ...rankColumns(breakdown),
      rank: column(int64Codec, sql`tupleElement(line, 2) AS rank`),
      bucketMs: column(int64Codec, sql`tupleElement(cell, 1) AS bucket`),
      values: column(float64ArrayCodec, sql`[${join(values, sql`, `)}]`),
    },
    sql`FROM (${linesOfGroups(query, groups)}) ARRAY JOIN cells AS cell GROUP BY position, rank, bucket`,
  )
}

/** `SELECT keys, cells, line`: each group for each line that has events of it, with the position of the line and the rank. */
function linesOfGroups({ lines, breakdown, given }: LinesQuery, groups: Sql): Sql {
  const keys = keyNames(breakdown)
  const limit = param(int64Codec, breakdown.limit + 1)
  const ranks = lines.flatMap(({ named, rankBy }, position) => {
    // A formula of numbers alone has no values.
    if (named.length === 0) return []
    const isPresent = anyOf(named.map((one) => numbered('present', one)))
    const value = rankBy((one) => numbered('total', one))
    const values = given?.[position]
    const rank = values
      ? givenRank(values, breakdown)
      : sql`toInt64(least(row_number() OVER (ORDER BY ${isPresent} DESC, ${value} DESC, ${keys}), ${limit}))`
    return [sql`(${param(int64Codec, position)}, ${rank}, toUInt8(${isPresent}))`]
  })
  const ranked = sql`SELECT ${keys}, cells, [${join(ranks, sql`, `)}] AS ranks FROM (${groups})`
  return sql`SELECT ${keys}, cells, line FROM (${ranked}) ARRAY JOIN arrayFilter(ranked -> tupleElement(ranked, 3) = 1, ranks) AS line`
}

/** ` AND ...`, or nothing: the events that at least one of the series counts, of those that match any. */
export function whereAnyCounts(series: readonly Series[], context: InsightContext): Sql {
  const counted = series.map(({ metric }) => countedSql(metric, context))
  if (counted.every((condition) => condition === undefined)) return sql``
  const [first] = counted
  if (counted.every((condition) => condition !== undefined) && first) return sql` AND ${first}`
  return sql` AND ${anyOf(series.map((one) => conditionAmong(series, one, context) ?? matchSql(one, context)))}`
}
