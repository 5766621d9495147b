import type { Condition } from '../filter/condition.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import type { EventMatch } from '../filter/parse-filters.ts'
import { stringCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { allOf, anyOf, param, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-key.ts'
import type { Frame } from './insight.ts'
import { countsUsers, type Metric } from './metric.ts'
import type { RangeMs } from './time-range.ts'

/** The kinds that any of the matches needs; `undefined` when one takes every kind. */
export function kindsOf(matches: readonly EventMatch[]): readonly string[] | undefined {
  const kinds = [...new Set(matches.map(({ kind }) => kind))]
  return kinds.includes('') ? undefined : kinds
}

/** What decides which events take part in a question. */
export type EventFrame = Pick<Frame, 'projectId' | 'range' | 'filters'>

/** Whether the row's event belongs to the match: 0 or 1. */
export function matchSql({ kind, condition }: EventMatch, { projectId }: EventFrame): Sql {
  const conditions = [
    ...(kind === '' ? [] : [sql`kind = ${param(stringCodec, kind)}`]),
    ...(isTrivial(condition) ? [] : [conditionSql(condition, { projectId, user: USER_KEY })]),
  ]
  return allOf(conditions)
}

/** Whether the row's event is counted by the metric: `undefined` when every event is. */
export function countedSql(metric: Metric, { includeCookieless }: Frame): Sql | undefined {
  return countsUsers(metric) && !includeCookieless ? sql`NOT cookieless` : undefined
}

/**
 * `FROM events` with a range and the frame's filters, narrowed to events that belong to any of the matches. Ends in a
 * `WHERE` that `AND` extends.
 */
export function eventsOf(
  matches: readonly EventMatch[],
  frame: EventFrame,
  range: RangeMs = frame.range,
): Sql {
  const { projectId, filters } = frame
  const { fromMs, toMs } = range
  const from = scopedEvents({ projectId, fromMs, toMs, kinds: kindsOf(matches) })
  const own = matches.some(({ condition }) => !isTrivial(condition))
    ? [anyOf(matches.map((match) => matchSql(match, frame)))]
    : []
  const conditions = isTrivial(filters) ? own : [conditionSql(filters, { projectId, user: USER_KEY }), ...own]
  return conditions.length === 0 ? from : sql`${from} AND ${allOf(conditions)}`
}

function isTrivial(condition: Condition): boolean {
  return condition.kind === 'all' && condition.of.every(isTrivial)
}
