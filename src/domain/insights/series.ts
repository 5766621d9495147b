import { AggregationType, type EventQuery } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { BucketWidth } from './buckets.ts'
import { type CohortLookup, parseCohortFilters, withCohorts } from './cohort-filters.ts'
import { type InsightContext, invalidSpec } from './insight-context.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'
import { type EventProperty, isPropertyName, resolveEventProperty } from './property.ts'

/** An aggregation of events into a number: those of the range and of each bucket, or of a window that ends with a bucket. */
export type Metric = RangeMetric | RollingMetric

/** The users of the days that end with the last day of a bucket. */
export interface RollingMetric {
  readonly kind: 'rolling_users'
  readonly days: 7 | 30
}

/** An aggregation of any events. */
export type RangeMetric =
  | { readonly kind: CountKind }
  | { readonly kind: PropertyKind; readonly property: EventProperty }

/** Aggregations of the events themselves. */
type CountKind = 'total' | 'unique_users' | 'per_user_avg' | 'unique_sessions'

/** Aggregations of a property of the events. */
type PropertyKind = 'sum' | 'avg' | 'min' | 'max' | PercentileKind | 'distinct_values'

/** Exact percentiles of the numeric values of a property. */
export type PercentileKind = 'median' | 'p75' | 'p90' | 'p95' | 'p99'

const KINDS = {
  [AggregationType.UNSPECIFIED]: 'total',
  [AggregationType.TOTAL]: 'total',
  [AggregationType.UNIQUE_USERS]: 'unique_users',
  [AggregationType.PER_USER_AVG]: 'per_user_avg',
  [AggregationType.SUM]: 'sum',
  [AggregationType.AVG]: 'avg',
  [AggregationType.MIN]: 'min',
  [AggregationType.MAX]: 'max',
  [AggregationType.MEDIAN]: 'median',
  [AggregationType.P75]: 'p75',
  [AggregationType.P90]: 'p90',
  [AggregationType.P95]: 'p95',
  [AggregationType.P99]: 'p99',
  [AggregationType.DISTINCT_VALUES]: 'distinct_values',
  [AggregationType.UNIQUE_SESSIONS]: 'unique_sessions',
  [AggregationType.ROLLING_7_DAY_USERS]: 'rolling_users',
  [AggregationType.ROLLING_30_DAY_USERS]: 'rolling_users',
} as const satisfies Record<AggregationType, Metric['kind']>

const COUNT_KINDS: readonly Metric['kind'][] = [
  'total',
  'unique_users',
  'per_user_avg',
  'unique_sessions',
] satisfies readonly CountKind[]

/** An aggregation with its property, which aggregations of the events themselves ignore. */
interface MetricInput {
  readonly type: AggregationType
  readonly property: string
  /** Paths of both, for errors. */
  readonly fields: { readonly type: string; readonly property: string }
}

/** Parses an aggregation of any events. Throws `invalid_argument`. */
export function parseRangeMetric(input: MetricInput): RangeMetric {
  const metric = parseMetric(input)
  if (metric.kind !== 'rolling_users') return metric
  throw invalidSpec(input.fields.type, 'must not be that of rolling users, which belong to trends')
}

function parseMetric({ type, property, fields }: MetricInput): Metric {
  const kind = KINDS[type]
  if (kind === undefined) throw invalidSpec(fields.property, 'belongs to an unknown aggregation')
  if (kind === 'rolling_users') {
    return { kind, days: type === AggregationType.ROLLING_7_DAY_USERS ? 7 : 30 }
  }
  if (isCount(kind)) return { kind }
  return { kind, property: parseEventProperty(property, fields.property) }
}

function isCount(kind: Metric['kind']): kind is CountKind {
  return COUNT_KINDS.includes(kind)
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
  return kind === 'unique_users' || kind === 'per_user_avg' || kind === 'rolling_users'
}

/** One line of a query: which events it covers, and how they are aggregated. */
export interface Series<M extends Metric = Metric> extends EventMatch {
  readonly metric: M
}

/** The series with the metric that it has over a whole range: rolling users are the users of the range. */
export function overRange(series: Series): Series<RangeMetric> {
  const { metric } = series
  return { ...series, metric: metric.kind === 'rolling_users' ? { kind: 'unique_users' } : metric }
}

/** Maximum series or steps of one query. */
const EVENTS_MAX = 50

/** Parses the events of segmentation; an empty list makes one series that counts every event. Throws `invalid_argument`. */
export function parseRangeSeries(
  queries: readonly EventQuery[],
  { cohorts }: Pick<InsightContext, 'cohorts'>,
): readonly Series<RangeMetric>[] {
  return parseEach(queries, cohorts, parseRangeMetric)
}

/** Widths of buckets that have a last day. */
const ROLLING_WIDTHS: readonly BucketWidth[] = [Granularity.DAY, Granularity.WEEK, Granularity.MONTH]

/** Parses the events of trends in the same way; rolling users need buckets of days. Throws `invalid_argument`. */
export function parseTrendsSeries(
  queries: readonly EventQuery[],
  { cohorts, granularity }: Pick<InsightContext, 'cohorts' | 'granularity'>,
): readonly Series[] {
  return parseEach(queries, cohorts, (input) => {
    const metric = parseMetric(input)
    if (metric.kind === 'rolling_users' && !ROLLING_WIDTHS.includes(granularity)) {
      throw invalidSpec(input.fields.type, 'of rolling users needs a granularity of DAY, WEEK or MONTH')
    }
    return metric
  })
}

function parseEach<M extends Metric>(
  queries: readonly EventQuery[],
  cohorts: CohortLookup,
  parse: (input: MetricInput) => M,
): readonly Series<M | Extract<RangeMetric, { kind: CountKind }>>[] {
  if (queries.length === 0)
    return [{ kind: '', condition: { kind: 'all', of: [] }, metric: { kind: 'total' } }]
  checkCount(queries)
  return queries.map((query, index) => {
    const field = `events[${index}]`
    const fields = { type: `${field}.aggregation`, property: `${field}.aggregationProperty` }
    const input = { type: query.aggregation, property: query.aggregationProperty, fields }
    return { ...parseMatch(query, `spec.${field}`, cohorts), metric: parse(input) }
  })
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
  const match = parseEventFilter(query.event, { field: `${field}.event`, reason })
  const cohorts = parseCohortFilters(query.cohorts, { field: `${field}.cohorts`, reason }, lookup)
  return { ...match, condition: withCohorts(match.condition, cohorts) }
}
