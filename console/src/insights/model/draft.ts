import type { InsightType as TypeNumber } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import type { FilterDraft, GroupDraft, Logic, PropertyRef } from '../../picker/filter-draft.ts'

/** Ways to count events and their people, as the contract names them. */
export const COUNTS = [
  'AGGREGATION_TYPE_TOTAL',
  'AGGREGATION_TYPE_UNIQUE_USERS',
  'AGGREGATION_TYPE_PER_USER_AVG',
  'AGGREGATION_TYPE_UNIQUE_SESSIONS',
] as const

/** Ways to count the people of the days that end with a bucket: only over time, by days. */
export const ROLLING_COUNTS = [
  'AGGREGATION_TYPE_ROLLING_7_DAY_USERS',
  'AGGREGATION_TYPE_ROLLING_30_DAY_USERS',
] as const

/** A way to count events, their people or their sessions. */
export type Count = (typeof COUNTS)[number] | (typeof ROLLING_COUNTS)[number]

/** Ways to make one number of the values of a property, as the contract names them. */
export const CALCULATIONS = [
  'AGGREGATION_TYPE_SUM',
  'AGGREGATION_TYPE_AVG',
  'AGGREGATION_TYPE_MIN',
  'AGGREGATION_TYPE_MAX',
  'AGGREGATION_TYPE_MEDIAN',
  'AGGREGATION_TYPE_P75',
  'AGGREGATION_TYPE_P90',
  'AGGREGATION_TYPE_P95',
  'AGGREGATION_TYPE_P99',
  'AGGREGATION_TYPE_DISTINCT_VALUES',
] as const
/** A way to make one number of the values of a property. */
export type Calculation = (typeof CALCULATIONS)[number]

/** Whether a calculation takes values of any type, and not only numbers. */
export function isOfAnyValues(aggregation: MeasureDraft['aggregation']): boolean {
  return aggregation === 'AGGREGATION_TYPE_DISTINCT_VALUES'
}

/** The measure of a series: a count, or a calculation with its property, which is empty until it is chosen. */
export type MeasureDraft =
  | { readonly aggregation: Count }
  | { readonly aggregation: Calculation; readonly property: string }

/** The measures of sessions, as the contract names them. */
export const SESSION_METRICS = [
  'SESSION_METRIC_SESSIONS',
  'SESSION_METRIC_AVG_DURATION',
  'SESSION_METRIC_BOUNCE_RATE',
  'SESSION_METRIC_AVG_EVENTS_PER_SESSION',
  'SESSION_METRIC_ENTRY',
  'SESSION_METRIC_EXIT',
] as const
/** A measure of sessions. */
export type SessionMetric = (typeof SESSION_METRICS)[number]

/** The widths of buckets, as the contract names them. */
export const GRANULARITIES = [
  'GRANULARITY_MINUTE',
  'GRANULARITY_HOUR',
  'GRANULARITY_DAY',
  'GRANULARITY_WEEK',
  'GRANULARITY_MONTH',
] as const
/** A width of buckets. */
export type Granularity = (typeof GRANULARITIES)[number]

/** The insight types, as the contract names them. */
export type InsightType = `INSIGHT_TYPE_${Exclude<keyof typeof TypeNumber, 'UNSPECIFIED'>}`

/** Events of one name, or of all for the empty one, that match all filters. */
export interface EventDraft {
  readonly kind: string
  readonly filters: readonly FilterDraft[]
  /** Of a series or a step that another client has written: the builder keeps them. */
  readonly cohorts?: readonly CohortFilterDraft[]
}

/** Events, and how they are counted. */
export interface SeriesDraft extends EventDraft {
  readonly measure: MeasureDraft
}

/** A series that is computed from others, which its expression names by their letters. */
export interface FormulaDraft {
  /** Empty until it is written; then it is no part of the query. */
  readonly expression: string
  /** Empty for the expression as its name. */
  readonly name: string
}

/** The subject of a measure over time: series of events, or sessions. */
export type SubjectDraft =
  | {
      readonly of: 'events'
      readonly series: readonly SeriesDraft[]
      /** Series that are computed from the others. */
      readonly formulas?: readonly FormulaDraft[]
    }
  | { readonly of: 'sessions'; readonly metric: SessionMetric; readonly scope: EventDraft }

/** The properties that answers are broken down by. */
export interface BreakdownDraft {
  readonly properties: readonly PropertyRef[]
  /** Values that have a series of their own; 0 for the default of the service. */
  readonly limit: number
  /** Cohorts that are compared, in place of properties. */
  readonly cohortIds?: readonly string[]
}

/** The points of paths: events, or the values of a property. */
export type NodesDraft = { readonly of: 'events' } | { readonly of: 'property'; readonly property: string }

/** Where paths start or end: at events, or at a value of a node. */
export type AnchorDraft =
  | { readonly of: 'event'; readonly event: EventDraft }
  | { readonly of: 'node'; readonly node: string }

/** A replacement in the values of nodes. */
export interface PathRuleDraft {
  readonly pattern: string
  readonly replacement: string
}

/** The subject of a ranking. */
export type RankedDraft =
  | { readonly of: 'events' }
  | { readonly of: 'people' }
  | { readonly of: 'property'; readonly property: string }

/** The part of a draft that only its type has: a file of `types` declares it, and {@link PartOf} needs one for each type. */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the types declare its members.
export interface Parts {}

/** The part of a draft that only its type has, with its type. */
export type PartOf<Type extends InsightType> = { readonly type: Type } & Parts[Type]

/** The part that drafts of all types share. */
export interface SharedDraft {
  readonly groups: readonly GroupDraft[]
  readonly groupsOperator: Logic
  readonly includeCookieless: boolean
  readonly excludeBots: boolean
  /** Absent: the events of everyone. */
  readonly cohorts?: readonly CohortFilterDraft[]
}

/** An insight query of a type that is being edited. */
export type DraftOf<Type extends InsightType> = PartOf<Type> & SharedDraft

/** An insight query that is being edited. It has the options of its type and no others. */
export type Draft = { readonly [Type in InsightType]: DraftOf<Type> }[InsightType]

/** The part of a draft of any type. */
export type AnyPart = { readonly [Type in InsightType]: PartOf<Type> }[InsightType]

/** Number of events; every event counts once. */
export const TOTAL: MeasureDraft = { aggregation: 'AGGREGATION_TYPE_TOTAL' }

/** Answers that are not broken down. */
export const NO_BREAKDOWN: BreakdownDraft = { properties: [], limit: 0 }

/** Events of a name without filters; all events by default. */
export function newEvent(kind = ''): EventDraft {
  return { kind, filters: [] }
}

/** A series that counts the events of a name; all events by default. */
export function newSeries(kind = ''): SeriesDraft {
  return { ...newEvent(kind), measure: TOTAL }
}

/** A query without filters. */
export const NO_FILTERS: SharedDraft = {
  groups: [],
  groupsOperator: 'LOGICAL_OPERATOR_AND',
  includeCookieless: false,
  excludeBots: false,
}

/** The query of a new insight: the number of events over time, of one name or all. */
export function newDraft(kind = ''): DraftOf<'INSIGHT_TYPE_TRENDS'> {
  return {
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'events', series: [newSeries(kind)] },
    breakdown: NO_BREAKDOWN,
    ...NO_FILTERS,
  }
}

/** A draft with the options of a type; `undefined` where it has another type. */
export function draftOf<Type extends InsightType>(draft: Draft, type: Type): DraftOf<Type> | undefined {
  // The comparison narrows a generic type no further.
  return draft.type === type ? (draft as unknown as DraftOf<Type>) : undefined
}

/** Whether a measure counts the people of the days that end with a bucket. */
export function isRolling({ aggregation }: MeasureDraft): boolean {
  return ROLLING_COUNTS.some((rolling) => rolling === aggregation)
}

/** A series as it is measured where there are no buckets: rolling people are the people of the range. */
export function withoutWindow(series: SeriesDraft): SeriesDraft {
  return isRolling(series.measure)
    ? { ...series, measure: { aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' } }
    : series
}

/** The property of a measure; `undefined` for one that counts. */
export function propertyOf(measure: MeasureDraft): string | undefined {
  return 'property' in measure ? measure.property : undefined
}
