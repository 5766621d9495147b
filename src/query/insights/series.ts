import { AggregationType, type EventQuery } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import type { Condition } from '../filter/condition.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { parseEventFilter } from '../filter/parse-filters.ts'
import { stringCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { allOf, anyOf, param, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-key.ts'
import { invalidSpec } from './frame.ts'
import type { Frame } from './insight.ts'
import { countsUsers, type Metric, parseMetric } from './metric.ts'
import type { RangeMs } from './time-range.ts'

/** The events of a series, a step, a scope: a kind (empty: every kind) narrowed by a condition. */
export interface EventMatch {
  readonly kind: string
  readonly condition: Condition
}

/** One line of a question: which events, and how they become a number. */
export interface Series extends EventMatch {
  readonly metric: Metric
}

/** Reads the events of trends and segmentation; none at all make one series that counts every event. */
export function parseSeries(queries: readonly EventQuery[]): readonly Series[] {
  if (queries.length === 0)
    return [{ kind: '', condition: { kind: 'all', of: [] }, metric: { kind: 'total' } }]
  return queries.map((query, index) => ({
    ...parseMatch(query, `events[${index}]`),
    metric: parseMetric({
      type: query.aggregation,
      property: query.aggregationProperty,
      field: `events[${index}].aggregationProperty`,
    }),
  }))
}

const UNCOUNTED: readonly AggregationType[] = [
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.UNIQUE_USERS,
]

/** Reads the steps of a funnel or the ends of retention, which have no aggregation of their own. */
export function parseSteps(queries: readonly EventQuery[]): readonly EventMatch[] {
  return queries.map((query, index) => {
    if (!UNCOUNTED.includes(query.aggregation)) {
      throw invalidSpec(`events[${index}].aggregation`, 'must be unset, TOTAL or UNIQUE_USERS here')
    }
    return parseMatch(query, `events[${index}]`)
  })
}

function parseMatch(query: EventQuery, field: string): EventMatch {
  return parseEventFilter(query.event, { field: `spec.${field}.event`, reason: 'INVALID_INSIGHT_QUERY' })
}

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
