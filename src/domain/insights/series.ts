import { AggregationType, type EventQuery } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { type CohortLookup, parseCohortFilters, withCohorts } from './cohort-filters.ts'
import { type InsightContext, invalidSpec } from './insight-context.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'
import { type EventProperty, isPropertyName, resolveEventProperty } from './property.ts'

/** An aggregation of events into a number. */
export type Metric =
  | { readonly kind: 'total' | 'unique_users' | 'per_user_avg' }
  | { readonly kind: 'sum' | 'avg' | 'min' | 'max'; readonly property: EventProperty }

type MetricKind = Metric['kind']

const KINDS = {
  [AggregationType.UNSPECIFIED]: 'total',
  [AggregationType.TOTAL]: 'total',
  [AggregationType.UNIQUE_USERS]: 'unique_users',
  [AggregationType.PER_USER_AVG]: 'per_user_avg',
  [AggregationType.SUM]: 'sum',
  [AggregationType.AVG]: 'avg',
  [AggregationType.MIN]: 'min',
  [AggregationType.MAX]: 'max',
} as const satisfies Record<AggregationType, MetricKind>

/**
 * Parses an aggregation with its property, which counting aggregations ignore. `field` is the property's path, for
 * errors.
 */
export function parseMetric(input: {
  readonly type: AggregationType
  readonly property: string
  readonly field: string
}): Metric {
  const kind = KINDS[input.type]
  if (kind === undefined) throw invalidSpec(input.field, 'belongs to an unknown aggregation')
  if (kind === 'total' || kind === 'unique_users' || kind === 'per_user_avg') return { kind }
  return { kind, property: parseEventProperty(input.property, input.field) }
}

/** Parses the name of an event property. */
export function parseEventProperty(name: string, field: string): EventProperty {
  checkPropertyName(name, field)
  return resolveEventProperty(name)
}

/** Throws `invalid_argument` for a text that is no name of a property. */
export function checkPropertyName(name: string, field: string): void {
  if (name === '') throw invalidSpec(field, 'is required')
  if (!isPropertyName(name)) throw invalidSpec(field, 'is not a property name')
}

/** Whether the metric counts users, and so excludes cookieless visitors unless the query includes them. */
export function countsUsers({ kind }: Metric): boolean {
  return kind === 'unique_users' || kind === 'per_user_avg'
}

/** One line of a query: which events it covers, and how they are aggregated. */
export interface Series extends EventMatch {
  readonly metric: Metric
}

/** Maximum series or steps of one query. */
const EVENTS_MAX = 50

/** Parses the events of trends and segmentation; an empty list makes one series that counts every event. */
export function parseSeries(
  queries: readonly EventQuery[],
  { cohorts }: Pick<InsightContext, 'cohorts'>,
): readonly Series[] {
  if (queries.length === 0)
    return [{ kind: '', condition: { kind: 'all', of: [] }, metric: { kind: 'total' } }]
  checkCount(queries)
  return queries.map((query, index) => ({
    ...parseMatch(query, `spec.events[${index}]`, cohorts),
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
export function parseSteps(
  queries: readonly EventQuery[],
  { cohorts }: Pick<InsightContext, 'cohorts'>,
): readonly EventMatch[] {
  checkCount(queries)
  return queries.map((query, index) => {
    if (!UNCOUNTED.includes(query.aggregation)) {
      throw invalidSpec(`events[${index}].aggregation`, 'must be unset, TOTAL or UNIQUE_USERS here')
    }
    return parseMatch(query, `spec.events[${index}]`, cohorts)
  })
}

function checkCount(queries: readonly EventQuery[]): void {
  if (queries.length > EVENTS_MAX) throw invalidSpec('events', `must be at most ${EVENTS_MAX}`)
}

/** Parses the events that a series or step covers; `field` is the path of the query. Throws `invalid_argument`. */
export function parseMatch(query: EventQuery, field: string, lookup: CohortLookup): EventMatch {
  const reason = 'INVALID_INSIGHT_QUERY'
  const { kind, condition } = parseEventFilter(query.event, { field: `${field}.event`, reason })
  const cohorts = parseCohortFilters(query.cohorts, { field: `${field}.cohorts`, reason }, lookup)
  return { kind, condition: withCohorts(condition, cohorts) }
}
