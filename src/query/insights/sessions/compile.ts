import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { SessionQuery, SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { float64Codec, int64Codec, uuidArrayCodec } from '../../sql/codec.ts'
import { EVENT_ORDER } from '../../sql/event-order.ts'
import { HAS_SESSION, instant } from '../../sql/events-table.ts'
import { type CompiledQuery, column, select } from '../../sql/select.ts'
import { join, numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { fromRows, type OtherSessions, type VisitRows } from '../../visit-rows/find-rows.ts'
import {
  keyNames,
  keyTexts,
  type RankedBreakdown,
  rankColumns,
  rankedGroups,
  withKeys,
} from '../breakdown.ts'
import { bucketOf } from '../bucket-sql.ts'
import { type EventContext, eventsOf } from '../event-sql.ts'
import type { BrokenDownRow } from '../series-points.ts'
import type { Reach } from './reach.ts'
import { SESSION_METRICS } from './session-metric.ts'
import type { BrokenDownQuery, SessionSource } from './session-source.ts'

/** Compiles the value over the whole range. */
export function compileSessionTotal(
  query: SessionQuery,
  context: InsightContext,
  source: SessionSource,
): CompiledQuery<{ readonly total: number }> {
  const total = SESSION_METRICS[query.metric].value(sql`count()`, sql`sum(part)`)
  return select({ total: column(float64Codec, total) }, sql`FROM (${sessionsOf(query, context, source)})`)
}

/** Compiles the value per bucket. */
export function compileSessionBuckets(
  query: SessionTrendsQuery,
  context: InsightContext,
  source: SessionSource,
): CompiledQuery<{ readonly bucketMs: number; readonly value: number }> {
  return select(
    {
      bucketMs: column(int64Codec, sql`${bucketOf(sql`began`, query.starts)} AS bucket`),
      value: column(float64Codec, SESSION_METRICS[query.metric].value(sql`count()`, sql`sum(part)`)),
    },
    sql`FROM (${sessionsOf(query, context, source)}) GROUP BY bucket`,
  )
}

/**
 * Compiles the value per breakdown value and bucket: cells of (values, bucket) grouped by values and ranked over the
 * whole range; values that rank below the limit are merged.
 */
export function compileSessionBreakdown(
  query: SessionTrendsQuery & { readonly breakdown: RankedBreakdown },
  context: InsightContext,
  source: SessionSource,
): CompiledQuery<BrokenDownRow> {
  const { value } = SESSION_METRICS[query.metric]
  const keys = keyNames(query.breakdown)
  const sessions = sessionsOf(query, context, source)
  const bucket = bucketOf(sql`began`, query.starts)
  const counted = sql`SELECT ${keys}, ${bucket} AS bucket, count() AS session_count, sum(part) AS parts FROM (${sessions}) GROUP BY ${keys}, bucket`
  const ranked = rankedGroups(query.breakdown, {
    rows: counted,
    cell: sql`(bucket, session_count, parts)`,
    total: { value: value(sql`sum(session_count)`, sql`sum(parts)`), name: sql`total` },
  })
  return select(
    {
      ...rankColumns(query.breakdown),
      bucketMs: column(int64Codec, sql`tupleElement(cell, 1) AS bucket`),
      value: column(float64Codec, value(sql`sum(tupleElement(cell, 2))`, sql`sum(tupleElement(cell, 3))`)),
    },
    sql`${ranked}, bucket`,
  )
}

/** One row for each session that began in the range: `began, part, key0, ...`. */
function sessionsOf(query: BrokenDownQuery, context: InsightContext, { rows, rest }: SessionSource): Sql {
  const { breakdown } = query
  const keys = breakdown ? valuesOfSession({ ...query, breakdown }) : sql``
  const ofEvents = (range: RangeMs, reach: Reach): Sql =>
    measured(query, { ...withKeys(context, breakdown), range }, reach, keys)
  const parts = [
    ...(rows ? [measuredRows(query, rows)] : []),
    ...(rows?.others ? [ofEvents(rows.range, reachOf(rows.others))] : []),
    ...(rest ? [ofEvents(rest.range, rest.reach)] : []),
  ]
  return join(parts, sql` UNION ALL `)
}

/** The same columns of rows of visits. */
function measuredRows({ metric, breakdown }: BrokenDownQuery, rows: VisitRows): Sql {
  const texts = metric === SessionMetric.EXIT ? [sql`last_pathname`] : breakdown ? keyTexts(breakdown) : []
  const keys = texts.map((text, index) => sql`, ${text} AS ${numbered('key', index)}`)
  return sql`SELECT began, ${SESSION_METRICS[metric].partOfRow} AS part${join(keys, sql``)} ${fromRows(rows)}`
}

/** Of sessions that are known, all events are in their extent. */
function reachOf({ sessionIds, extent }: OtherSessions): Reach {
  return { range: extent, condition: sql`session_id IN ${param(uuidArrayCodec, sessionIds)}` }
}

/** One row for each session that began in the range: `began, part`, and further columns over its events. */
export function measured(query: SessionQuery, context: EventContext, reach: Reach, more: Sql = sql``): Sql {
  const { fromMs, toMs } = context.range
  return sql`SELECT min(time) AS began, ${SESSION_METRICS[query.metric].part} AS part${more} ${sessionEvents(query, context, reach)} GROUP BY session_id HAVING began >= ${instant(fromMs)} AND began < ${instant(toMs)}`
}

/** `FROM events ...`: the events that take part, of all sessions within reach. */
export function sessionEvents(
  { scope }: SessionQuery,
  context: EventContext,
  { range, condition }: Reach,
): Sql {
  return sql`${eventsOf([scope], context, range)} AND ${HAS_SESSION}${condition ? sql` AND ${condition}` : sql``}`
}

/**
 * `, value AS key0, ...`: the values of the event that the session is broken down by. Each value is picked separately
 * from the same event: picking an array of them costs half as much again.
 */
export function valuesOfSession({
  metric,
  breakdown,
}: {
  readonly metric: SessionMetric
  readonly breakdown: Breakdown
}): Sql {
  const pick = metric === SessionMetric.EXIT ? sql`argMax` : sql`argMin`
  const values = keyTexts(breakdown).map(
    (text, index) => sql`${pick}(${text}, ${EVENT_ORDER}) AS ${numbered('key', index)}`,
  )
  return sql`, ${join(values, sql`, `)}`
}
