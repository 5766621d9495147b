import type { Breakdown } from '../../spec/breakdown.ts'
import type { InsightContext } from '../../spec/insight-context.ts'
import type { Series } from '../../spec/series.ts'
import type { TrendsQuery } from '../../spec/trends.ts'
import { float64ArrayCodec, float64Codec, int64Codec, stringArrayCodec } from '../../sql/codec.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { allOf, join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { keyNames, selectKeys } from '../breakdown.ts'
import { bucketOf } from '../bucket-sql.ts'
import { countedSql, eventsOf, matchSql } from '../event-sql.ts'
import { metricSql } from '../metric-sql.ts'

/** The values of all series in one bucket. */
export interface BucketRow {
  readonly bucketMs: number
  /** By series. */
  readonly values: readonly number[]
}

/** Compiles all series without a breakdown, in one scan. */
export function compileTotals(
  { series, starts }: TrendsQuery,
  context: InsightContext,
): CompiledQuery<BucketRow> {
  const values = series.map((one) => {
    const { components, value } = metricSql(one.metric)
    const conditions = [
      series.length > 1 ? matchSql(one, context) : undefined,
      countedSql(one.metric, context),
    ]
    const condition = allOfDefined(conditions)
    return value(...components.map(({ direct }) => direct(condition)))
  })
  return select(
    {
      bucketMs: column(int64Codec, sql`${bucketOf(sql`time`, starts)} AS bucket`),
      values: column(float64ArrayCodec, sql`[${join(values, sql`, `)}]`),
    },
    sql`${eventsOf(series, context)} GROUP BY bucket`,
  )
}

/** The value of one series in one bucket, for one breakdown value or for the rest. */
export interface BrokenDownRow {
  /** Rank of the breakdown value, from 1; a rank above the limit is the rest. */
  readonly rank: number
  readonly keys: readonly string[]
  readonly bucketMs: number
  readonly value: number
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
  }: { readonly series: Series; readonly breakdown: Breakdown; readonly starts: readonly number[] },
  context: InsightContext,
): CompiledQuery<BrokenDownRow> {
  const { components, value } = metricSql(series.metric)
  const counted = countedSql(series.metric, context)
  const states = components.map((_, index) => numbered('state', index))
  const keys = keyNames(breakdown)
  const selected = components.map(({ state }, index) => sql`${state()} AS ${numbered('state', index)}`)
  const cells = sql`SELECT ${selectKeys(breakdown)}, ${bucketOf(sql`time`, starts)} AS bucket, ${join(selected, sql`, `)} ${eventsOf([series], context)}${counted ? sql` AND ${counted}` : sql``} GROUP BY ${keys}, bucket`
  const total = value(...components.map(({ merge }, index) => merge(numbered('state', index))))
  const gathered = sql`SELECT ${keys}, groupArray((bucket, ${join(states, sql`, `)})) AS cells, ${total} AS total FROM (${cells}) GROUP BY ${keys}`
  const rank = sql`least(row_number() OVER (ORDER BY total DESC, ${keys}), ${param(int64Codec, breakdown.limit + 1)})`
  const merged = components.map(({ merge }, index) =>
    merge(sql`tupleElement(cell, ${param(int64Codec, index + 2)})`),
  )
  return select(
    {
      rank: column(int64Codec, sql`toInt64(rank)`),
      keys: column(stringArrayCodec, sql`any([${keys}])`),
      bucketMs: column(int64Codec, sql`tupleElement(cell, 1) AS bucket`),
      value: column(float64Codec, value(...merged)),
    },
    sql`FROM (SELECT ${keys}, cells, ${rank} AS rank FROM (${gathered})) ARRAY JOIN cells AS cell GROUP BY rank, bucket`,
  )
}

function allOfDefined(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const defined = conditions.filter((condition) => condition !== undefined)
  return defined.length === 0 ? undefined : allOf(defined)
}
