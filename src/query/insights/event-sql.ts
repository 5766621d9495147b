import type { Condition } from '../../domain/insights/condition.ts'
import type { InsightContext } from '../../domain/insights/insight-context.ts'
import type { EventMatch } from '../../domain/insights/parse-filters.ts'
import { countsUsers, type Metric } from '../../domain/insights/series.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { stringCodec, uint64ArrayCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { allOf, anyOf, param, Sql, sql } from '../sql/sql.ts'
import { NOT_COOKIELESS, USER_KEY } from '../users/user-sql.ts'

/** The union of the kinds that the matches need; `undefined` when one matches every kind. */
export function kindsOf(matches: readonly EventMatch[]): readonly string[] | undefined {
  const kinds = [...new Set(matches.map(({ kind }) => kind))]
  return kinds.includes('') ? undefined : kinds
}

/** The parts of the context that decide which events a query covers. */
export type EventContext = Pick<InsightContext, 'projectId' | 'range' | 'filters' | 'excludeBots' | 'users'>

/** Whether the row's event is not marked as sent by a bot; an event without the mark is not. */
export const NOT_BOT: Sql = sql`NOT bools['$bot']`

/** Whether the row's event satisfies the match: 0 or 1. */
export function matchSql(
  { kind, condition }: EventMatch,
  { projectId }: Pick<EventContext, 'projectId'>,
): Sql {
  const conditions = [
    ...(kind === '' ? [] : [sql`kind = ${param(stringCodec, kind)}`]),
    ...(isTrivial(condition) ? [] : [conditionSql(condition, { projectId, user: USER_KEY })]),
  ]
  return allOf(conditions)
}

/** ` AND ...`, or nothing: leaves out the events of cookieless visitors where users count, unless the query includes them. */
export function excludeCookieless({ includeCookieless }: Pick<InsightContext, 'includeCookieless'>): Sql {
  return includeCookieless ? sql`` : sql` AND ${NOT_COOKIELESS}`
}

/** ` AND ...`, or nothing: the events that the metric counts. */
export function whereCounted(metric: Metric, context: InsightContext): Sql {
  return countsUsers(metric) ? excludeCookieless(context) : sql``
}

/** Whether the metric counts the row's event: `undefined` when it counts every event. */
export function countedSql(metric: Metric, { includeCookieless }: InsightContext): Sql | undefined {
  return countsUsers(metric) && !includeCookieless ? NOT_COOKIELESS : undefined
}

/**
 * `FROM events` with the range and the filters of the query, restricted to events that satisfy any of the matches. Ends in a
 * `WHERE` that `AND` extends.
 */
export function eventsOf(
  matches: readonly EventMatch[],
  context: EventContext,
  range: RangeMs = context.range,
): Sql {
  const { projectId, filters, excludeBots, users } = context
  const { fromMs, toMs } = range
  const scope = scopedEvents({ projectId, fromMs, toMs, kinds: kindsOf(matches) })
  const from = users ? sql`${scope} AND ${USER_KEY} IN ${param(uint64ArrayCodec, users)}` : scope
  const own = matches.some(({ condition }) => !isTrivial(condition))
    ? [anyOf(matches.map((match) => matchSql(match, context)))]
    : []
  const conditions = [
    ...(excludeBots ? [NOT_BOT] : []),
    ...(isTrivial(filters) ? [] : [conditionSql(filters, { projectId, user: USER_KEY })]),
    ...own,
  ]
  return conditions.length === 0 ? from : sql`${from} AND ${allOf(conditions)}`
}

function isTrivial(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.every(isTrivial)
}

/** The engine sorts UUIDs by their second half first; this number sorts like the text. */
const ID_NUMBER: Sql = sql`bitOr(bitShiftLeft(reinterpretAsUInt128(event_id), 64), bitShiftRight(reinterpretAsUInt128(event_id), 64))`

/**
 * Sort key of the row's event: by time, then by the text of its id. A single 170-bit number (`UInt256`), because tuples
 * and texts cost several times as much to compare.
 */
export const EVENT_ORDER: Sql = sql`${shiftLeft256(sql`toUInt64(toUnixTimestamp64Milli(time))`, 128)} + ${ID_NUMBER}`

/** Shifts a non-negative number left by `bits`, as a `UInt256`: the engine multiplies twice as fast as it shifts. */
export function shiftLeft256(value: Sql, bits: number): Sql {
  const power = Sql.of([`toUInt256('${2n ** BigInt(bits)}')`], [])
  return sql`${value} * ${power}`
}
