import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { RangeMetric, Series } from '../../../domain/insights/series.ts'
import { float64ArrayCodec, float64Codec, int64Codec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { allOf, join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import {
  keyNames,
  keyTexts,
  type RankedBreakdown,
  rankColumns,
  rankedGroups,
  selectKeys,
  withKeys,
} from '../breakdown.ts'
import { groupedBucket } from '../bucket-sql.ts'
import { dayCellsOf } from '../day-cells-of.ts'
import { countedSql, eventsOf, matchSql, whereCounted } from '../event-sql.ts'
import { mergeStates, metricSql } from '../metric-sql.ts'
import type { BrokenDownRow } from '../series-points.ts'

/** The values of all series in one bucket. */
export interface BucketRow {
  readonly bucketMs: number
  /** By series. */
  readonly values: readonly number[]
}

/** A day of 25 hours is short, and a week is not. */
const SHORT_BUCKET_MS = 36 * 3_600_000

/** Whether each bucket has the cells of one or two days in UTC, or of their hours. */
function hasShortBuckets({ range }: InsightContext, starts: readonly number[]): boolean {
  return range.toMs - range.fromMs <= starts.length * SHORT_BUCKET_MS
}

/** Compiles all series without a breakdown, in one scan. */
export function compileTotals(
  { series, starts }: { readonly series: readonly Series<RangeMetric>[]; readonly starts: readonly number[] },
  context: InsightContext,
): CompiledQuery<BucketRow> {
  const metrics = series.map((one) => ({
    ...metricSql(one.metric),
    condition: conditionAmong(series, one, context),
  }))
  const values = metrics.map(({ components, value, condition }) =>
    value(...components.map(({ direct }) => direct(condition))),
  )
  const ofCells = mergeStates(metrics, hasShortBuckets(context, starts) ? 'few' : 'many')
  const bucket = groupedBucket(sql`time`, starts)
  return {
    ...select(
      {
        bucketMs: column(int64Codec, sql`${bucket.start} AS bucket`),
        values: column(float64ArrayCodec, sql`[${join(values, sql`, `)}]`),
      },
      sql`${eventsOf(series, context)} GROUP BY ${bucket.key}`,
    ),
    days: dayCellsOf(
      {
        matches: series,
        starts,
        components: ofCells.components,
        over: (cells) =>
          sql`SELECT bucket, [${join(ofCells.values, sql`, `)}] FROM (${cells}) GROUP BY bucket`,
        isByBucket: true,
      },
      context,
    ),
  }
}

/**
 * Compiles one series by breakdown value, in one scan: cells of (values, bucket) with metric states, grouped by values
 * and ranked over the whole range; values that rank below the limit are merged.
 */
export function compileBrokenDown(
  {
    series,
    breakdown,
    starts,
  }: {
    readonly series: Series<RangeMetric>
    readonly breakdown: RankedBreakdown
    readonly starts: readonly number[]
  },
  context: InsightContext,
): CompiledQuery<BrokenDownRow> {
  const { components, value } = metricSql(series.metric)
  const states = components.map((_, index) => numbered('state', index))
  const keys = keyNames(breakdown)
  const selected = components.map(({ state }, index) => sql`${state()} AS ${numbered('state', index)}`)
  const bucket = groupedBucket(sql`time`, starts)
  const cells = sql`SELECT ${selectKeys(breakdown)}, ${bucket.start} AS bucket, ${join(selected, sql`, `)} ${eventsOf([series], withKeys(context, breakdown))}${whereCounted(series.metric, context)} GROUP BY ${keys}, ${bucket.key}`
  const total = value(...components.map(({ merge }, index) => merge(numbered('state', index))))
  const merged = components.map(({ merge }, index) =>
    merge(sql`tupleElement(cell, ${param(int64Codec, index + 2)})`),
  )
  const ranked = (rows: Sql): Sql =>
    rankedGroups(breakdown, {
      rows,
      cell: sql`(bucket, ${join(states, sql`, `)})`,
      total: { value: total, name: sql`total` },
    })
  const over = (rows: Sql) =>
    select(
      {
        ...rankColumns(breakdown),
        bucketMs: column(int64Codec, sql`tupleElement(cell, 1) AS bucket`),
        value: column(float64Codec, value(...merged)),
      },
      sql`${ranked(rows)}, bucket`,
    )
  return {
    ...over(cells),
    days: dayCellsOf(
      {
        matches: [series],
        where: whereCounted(series.metric, context),
        properties: breakdown.properties,
        keys: keyTexts(breakdown),
        starts,
        components: components.map((component) => ({ component })),
        over: (rows) => over(rows).statement,
      },
      context,
    ),
  }
}

/** Whether the metric of one of several series counts the row's event; `undefined` when it counts every row. */
export function conditionAmong(
  all: readonly Series[],
  one: Series,
  context: InsightContext,
): Sql | undefined {
  const conditions = [
    all.length > 1 ? matchSql(one, context) : undefined,
    countedSql(one.metric, context),
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : allOf(conditions)
}
