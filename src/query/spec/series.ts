import { AggregationType, type EventQuery } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { invalidSpec } from './insight-context.ts'
import { type Metric, parseMetric } from './metric.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'

/** One line of a query: which events it covers, and how they are aggregated. */
export interface Series extends EventMatch {
  readonly metric: Metric
}

/** Maximum series or steps of one query. */
const EVENTS_MAX = 50

/** Parses the events of trends and segmentation; an empty list makes one series that counts every event. */
export function parseSeries(queries: readonly EventQuery[]): readonly Series[] {
  if (queries.length === 0)
    return [{ kind: '', condition: { kind: 'all', of: [] }, metric: { kind: 'total' } }]
  checkCount(queries)
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

/** Parses the steps of a funnel or the two events of retention, which have no aggregation of their own. */
export function parseSteps(queries: readonly EventQuery[]): readonly EventMatch[] {
  checkCount(queries)
  return queries.map((query, index) => {
    if (!UNCOUNTED.includes(query.aggregation)) {
      throw invalidSpec(`events[${index}].aggregation`, 'must be unset, TOTAL or UNIQUE_USERS here')
    }
    return parseMatch(query, `events[${index}]`)
  })
}

function checkCount(queries: readonly EventQuery[]): void {
  if (queries.length > EVENTS_MAX) throw invalidSpec('events', `must be at most ${EVENTS_MAX}`)
}

function parseMatch(query: EventQuery, field: string): EventMatch {
  return parseEventFilter(query.event, { field: `spec.${field}.event`, reason: 'INVALID_INSIGHT_QUERY' })
}
