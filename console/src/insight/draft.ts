/** How events are counted, as the contract names it. */
export const AGGREGATIONS = {
  AGGREGATION_TYPE_TOTAL: 'Total events',
  AGGREGATION_TYPE_UNIQUE_USERS: 'Unique users',
  AGGREGATION_TYPE_PER_USER_AVG: 'Average per user',
  AGGREGATION_TYPE_SUM: 'Sum of',
  AGGREGATION_TYPE_AVG: 'Average of',
  AGGREGATION_TYPE_MIN: 'Minimum of',
  AGGREGATION_TYPE_MAX: 'Maximum of',
} as const
export type Aggregation = keyof typeof AGGREGATIONS

/** True for what is computed from a property. */
export function isNumeric(aggregation: Aggregation): boolean {
  return /_(SUM|AVG|MIN|MAX)$/.test(aggregation) && aggregation !== 'AGGREGATION_TYPE_PER_USER_AVG'
}

export const INSIGHT_TYPES = {
  INSIGHT_TYPE_TRENDS: 'Trends',
  INSIGHT_TYPE_SEGMENTATION: 'Single number',
  INSIGHT_TYPE_FUNNEL: 'Funnel',
  INSIGHT_TYPE_RETENTION: 'Retention',
  INSIGHT_TYPE_USER_FLOW: 'User flow',
  INSIGHT_TYPE_TOP_K: 'Top values',
  INSIGHT_TYPE_MAP: 'Countries',
} as const
export type InsightType = keyof typeof INSIGHT_TYPES

export const SESSION_METRICS = {
  SESSION_METRIC_SESSIONS: 'Sessions',
  SESSION_METRIC_AVG_DURATION: 'Average duration',
  SESSION_METRIC_BOUNCE_RATE: 'Bounce rate',
  SESSION_METRIC_AVG_EVENTS_PER_SESSION: 'Events per session',
  SESSION_METRIC_ENTRY: 'First values',
  SESSION_METRIC_EXIT: 'Last values',
} as const
export type SessionMetric = keyof typeof SESSION_METRICS

/** Operators, and how many values each takes. */
export const OPERATORS = {
  FILTER_OPERATOR_EQUALS: { label: 'is', takes: 'one' },
  FILTER_OPERATOR_NOT_EQUALS: { label: 'is not', takes: 'one' },
  FILTER_OPERATOR_CONTAINS: { label: 'contains', takes: 'one' },
  FILTER_OPERATOR_NOT_CONTAINS: { label: 'does not contain', takes: 'one' },
  FILTER_OPERATOR_IS_SET: { label: 'is set', takes: 'none' },
  FILTER_OPERATOR_IS_NOT_SET: { label: 'is not set', takes: 'none' },
  FILTER_OPERATOR_LT: { label: '<', takes: 'one' },
  FILTER_OPERATOR_LTE: { label: '≤', takes: 'one' },
  FILTER_OPERATOR_GT: { label: '>', takes: 'one' },
  FILTER_OPERATOR_GTE: { label: '≥', takes: 'one' },
  FILTER_OPERATOR_IN: { label: 'is one of', takes: 'many' },
  FILTER_OPERATOR_NOT_IN: { label: 'is none of', takes: 'many' },
  FILTER_OPERATOR_BETWEEN: { label: 'is between', takes: 'many' },
  FILTER_OPERATOR_NOT_BETWEEN: { label: 'is not between', takes: 'many' },
} as const
export type Operator = keyof typeof OPERATORS

/** What a form offers of them. */
export const OPERATOR_CHOICES = (Object.keys(OPERATORS) as Operator[]).map((value) => ({
  value,
  label: OPERATORS[value].label,
}))

export const DIMENSIONS = {
  DIMENSION_EVENT_KIND: 'Event kinds',
  DIMENSION_PROPERTY: 'Values of a property',
  DIMENSION_USER: 'Users',
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

export type Logic = 'LOGICAL_OPERATOR_AND' | 'LOGICAL_OPERATOR_OR'
export type Source = 'PROPERTY_SOURCE_AUTO' | 'PROPERTY_SOURCE_CUSTOM' | 'PROPERTY_SOURCE_PROFILE'

/** A condition that is being written. */
export interface FilterDraft {
  property: string
  operator: Operator
  /** One a line where the operator takes many. */
  value: string
  source: Source
}

/** True for a condition that says enough to be asked. */
export function isFinished({ property, operator, value }: FilterDraft): boolean {
  return property !== '' && (OPERATORS[operator].takes === 'none' || value.trim() !== '')
}

/** Where a condition is asked: those that are not finished are not, and have no place in the list. */
export function pathOfFilter(list: string, filters: readonly FilterDraft[], index: number): string {
  return `${list}[${filters.slice(0, index).filter(isFinished).length}]`
}

/** Which events, and how they are counted. */
export interface SeriesDraft {
  kind: string
  filters: FilterDraft[]
  aggregation: Aggregation
  property: string
}

/** Conditions that are combined. */
export interface GroupDraft {
  operator: Logic
  filters: FilterDraft[]
}

/** A question that is being written: a field for each option, whether the type of the insight has it or not. */
export interface Draft {
  type: InsightType
  measure: 'events' | 'sessions'
  events: SeriesDraft[]
  sessionMetric: SessionMetric
  /** Of session metrics, user flow, top values and countries, with the metric of the last two. */
  scope: SeriesDraft
  breakdowns: string[]
  breakdownLimit: number
  groups: GroupDraft[]
  groupsOperator: Logic
  /** 0 is no limit. */
  conversionWindowSeconds: number
  includeStepTiming: boolean
  flowProperty: string
  /** 0 leaves a limit to the service, here and below. */
  maxHops: number
  maxNodes: number
  maxLinks: number
  dimension: Dimension
  dimensionProperty: string
  limit: number
  omitOthers: boolean
  includeCookieless: boolean
}

/** A series of every event. */
export function newSeries(kind = ''): SeriesDraft {
  return { kind, filters: [], aggregation: 'AGGREGATION_TYPE_TOTAL', property: '' }
}

/** A condition without a property yet. */
export function newFilter(): FilterDraft {
  return { property: '', operator: 'FILTER_OPERATOR_EQUALS', value: '', source: 'PROPERTY_SOURCE_AUTO' }
}

/** The question that the builder begins with: how many events. */
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
    maxLinks: 50,
    dimension: 'DIMENSION_EVENT_KIND',
    dimensionProperty: '',
    limit: 10,
    omitOthers: false,
    includeCookieless: false,
  }
}

/** True where the measure is a choice between events and sessions. */
export function hasSessions(type: InsightType): boolean {
  return type === 'INSIGHT_TYPE_TRENDS' || type === 'INSIGHT_TYPE_SEGMENTATION'
}

/** True where the question is about a list of event kinds. */
export function hasEvents({ type, measure }: Pick<Draft, 'type' | 'measure'>): boolean {
  if (hasSessions(type)) return measure === 'events'
  return type === 'INSIGHT_TYPE_FUNNEL' || type === 'INSIGHT_TYPE_RETENTION'
}

/** True where answers are broken down by properties. */
export function hasBreakdowns(type: InsightType): boolean {
  return ['INSIGHT_TYPE_TRENDS', 'INSIGHT_TYPE_FUNNEL', 'INSIGHT_TYPE_RETENTION'].includes(type)
}
