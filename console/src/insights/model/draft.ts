import type { InsightType as TypeNumber } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { FilterDraft, GroupDraft, Logic } from '../../picker/filter-draft.ts'

/** How events are counted, as the contract names it. */
export const AGGREGATIONS = {
  AGGREGATION_TYPE_TOTAL: 'Total events',
  AGGREGATION_TYPE_UNIQUE_USERS: 'Unique people',
  AGGREGATION_TYPE_PER_USER_AVG: 'Events per person',
  AGGREGATION_TYPE_SUM: 'Sum of',
  AGGREGATION_TYPE_AVG: 'Average of',
  AGGREGATION_TYPE_MIN: 'Minimum of',
  AGGREGATION_TYPE_MAX: 'Maximum of',
} as const
export type Aggregation = keyof typeof AGGREGATIONS

/** Whether an aggregation is computed from a property. */
export function needsProperty(aggregation: Aggregation): boolean {
  return /_TYPE_(SUM|AVG|MIN|MAX)$/.test(aggregation)
}

export const SESSION_METRICS = {
  SESSION_METRIC_SESSIONS: 'Sessions',
  SESSION_METRIC_AVG_DURATION: 'Average duration',
  SESSION_METRIC_BOUNCE_RATE: 'Bounce rate',
  SESSION_METRIC_AVG_EVENTS_PER_SESSION: 'Events per session',
  SESSION_METRIC_ENTRY: 'First values',
  SESSION_METRIC_EXIT: 'Last values',
} as const
export type SessionMetric = keyof typeof SESSION_METRICS

export const DIMENSIONS = {
  DIMENSION_EVENT_KIND: 'Events',
  DIMENSION_PROPERTY: 'Values of a property',
  DIMENSION_USER: 'People',
} as const
export type Dimension = keyof typeof DIMENSIONS

export const GRANULARITIES = {
  GRANULARITY_MINUTE: 'Minute',
  GRANULARITY_HOUR: 'Hour',
  GRANULARITY_DAY: 'Day',
  GRANULARITY_WEEK: 'Week',
  GRANULARITY_MONTH: 'Month',
} as const
export type Granularity = keyof typeof GRANULARITIES

/** The insight types, as the contract names them. */
export type InsightType = `INSIGHT_TYPE_${Exclude<keyof typeof TypeNumber, 'UNSPECIFIED'>}`

/** The events of a series, and how they are counted. */
export interface SeriesDraft {
  kind: string
  filters: readonly FilterDraft[]
  aggregation: Aggregation
  property: string
}

/** An insight query that is being edited: a field for each option, whether the type of the insight has it or not. */
export interface Draft {
  type: InsightType
  measure: 'events' | 'sessions'
  events: SeriesDraft[]
  sessionMetric: SessionMetric
  /** Of session metrics, user flow, top values and countries; the last two also use its aggregation. */
  scope: SeriesDraft
  breakdowns: string[]
  breakdownLimit: number
  groups: GroupDraft[]
  groupsOperator: Logic
  /** 0 for no limit. */
  conversionWindowSeconds: number
  includeStepTiming: boolean
  flowProperty: string
  /** 0 for the default of the service, here and below. */
  maxHops: number
  maxNodes: number
  maxLinks: number
  dimension: Dimension
  dimensionProperty: string
  limit: number
  omitOthers: boolean
  includeCookieless: boolean
  excludeBots: boolean
}

/** A series of all events. */
export function newSeries(kind = ''): SeriesDraft {
  return { kind, filters: [], aggregation: 'AGGREGATION_TYPE_TOTAL', property: '' }
}

/** The query of a new insight: the number of events over time. */
export function newDraft(): Draft {
  return {
    type: 'INSIGHT_TYPE_TRENDS',
    measure: 'events',
    events: [newSeries()],
    sessionMetric: 'SESSION_METRIC_SESSIONS',
    scope: newSeries(),
    breakdowns: [],
    breakdownLimit: 0,
    groups: [],
    groupsOperator: 'LOGICAL_OPERATOR_AND',
    conversionWindowSeconds: 0,
    includeStepTiming: true,
    flowProperty: '',
    maxHops: 3,
    maxNodes: 10,
    // A chart draws the strongest links of each depth: the limit counts those of all depths together.
    maxLinks: 500,
    dimension: 'DIMENSION_EVENT_KIND',
    dimensionProperty: '',
    limit: 10,
    omitOthers: false,
    includeCookieless: false,
    excludeBots: false,
  }
}
