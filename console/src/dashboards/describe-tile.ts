import { decodeKindName } from '@domain/kind-name.ts'
import './messages.ts'
import '../cohorts/messages.ts'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { AggregationType, type EventQuery } from '@contract/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpec,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import { TopKQuery_Dimension as Dimension } from '@contract/shared/insights/v1/top_k_query_pb.js'
import { type NameKey, t } from '../i18n/translate.ts'
import '../insights/model/messages.ts'
import { CALCULATION_PHRASES, MEASURE_NAMES } from '../insights/model/names.ts'
import { sourceOfMessage } from '../picker/filter-draft.ts'
import { labelOfProperty } from '../picker/names.ts'
import type { BoardState } from './board-state.ts'
import { granularityOfTile, specOfTile } from './tile-view.ts'

const COUNTS: Readonly<Record<number, NameKey>> = {
  [AggregationType.UNSPECIFIED]: 'dashboards.countTotal',
  [AggregationType.TOTAL]: 'dashboards.countTotal',
  [AggregationType.UNIQUE_USERS]: 'dashboards.countPeople',
  [AggregationType.PER_USER_AVG]: 'dashboards.countPerPerson',
  [AggregationType.UNIQUE_SESSIONS]: MEASURE_NAMES.AGGREGATION_TYPE_UNIQUE_SESSIONS,
  [AggregationType.ROLLING_7_DAY_USERS]: MEASURE_NAMES.AGGREGATION_TYPE_ROLLING_7_DAY_USERS,
  [AggregationType.ROLLING_30_DAY_USERS]: MEASURE_NAMES.AGGREGATION_TYPE_ROLLING_30_DAY_USERS,
}

const SUMS = {
  [AggregationType.SUM]: 'dashboards.countSum',
  [AggregationType.AVG]: 'dashboards.countAverage',
  [AggregationType.MIN]: 'dashboards.countMin',
  [AggregationType.MAX]: 'dashboards.countMax',
  [AggregationType.MEDIAN]: CALCULATION_PHRASES.AGGREGATION_TYPE_MEDIAN,
  [AggregationType.P75]: CALCULATION_PHRASES.AGGREGATION_TYPE_P75,
  [AggregationType.P90]: CALCULATION_PHRASES.AGGREGATION_TYPE_P90,
  [AggregationType.P95]: CALCULATION_PHRASES.AGGREGATION_TYPE_P95,
  [AggregationType.P99]: CALCULATION_PHRASES.AGGREGATION_TYPE_P99,
  [AggregationType.DISTINCT_VALUES]: CALCULATION_PHRASES.AGGREGATION_TYPE_DISTINCT_VALUES,
} as const

const SESSIONS = {
  [SessionMetric.SESSIONS]: 'dashboards.sessions',
  [SessionMetric.AVG_DURATION]: 'dashboards.sessionDuration',
  [SessionMetric.BOUNCE_RATE]: 'dashboards.bounceRate',
  [SessionMetric.ENTRY]: 'dashboards.firstValues',
  [SessionMetric.EXIT]: 'dashboards.lastValues',
  [SessionMetric.AVG_EVENTS_PER_SESSION]: 'dashboards.eventsPerSession',
} as const satisfies Readonly<Record<number, NameKey>>

const BUCKETS = {
  [Granularity.MINUTE]: 'dashboards.byMinute',
  [Granularity.HOUR]: 'dashboards.byHour',
  [Granularity.DAY]: 'dashboards.byDay',
  [Granularity.WEEK]: 'dashboards.byWeek',
  [Granularity.MONTH]: 'dashboards.byMonth',
} as const satisfies Readonly<Record<number, NameKey>>

/** Insights whose values stand over time. */
const TIMED: readonly InsightType[] = [
  InsightType.TRENDS,
  InsightType.RETENTION,
  InsightType.LIFECYCLE,
  InsightType.STICKINESS,
]

function nameOf<Name extends NameKey>(
  names: Readonly<Record<number, Name>>,
  key: number,
  otherwise: Name,
): Name {
  return names[key] ?? otherwise
}

function nameKind(kind: string | undefined): string {
  return kind ? decodeKindName(kind) : t('dashboards.allEvents')
}

function nameProperty(property: string, stored = PropertySource.UNSPECIFIED): string {
  const source = sourceOfMessage(stored, property)
  return source ? labelOfProperty({ property, source }) : property
}

function nameCount(count: AggregationType, property: string): string {
  const sum = SUMS[count as keyof typeof SUMS]
  if (sum) return t(sum, { property: nameProperty(property) })
  return t(nameOf<NameKey>(COUNTS, count, 'dashboards.countTotal'))
}

/** The subject of each type of insight, in parts. */
const SUBJECTS: Readonly<Record<number, (spec: InsightQuerySpec) => readonly string[]>> = {
  [InsightType.TRENDS]: describeSeries,
  [InsightType.SEGMENTATION]: describeSeries,
  [InsightType.FUNNEL]: ({ events, conversionWindow }) => {
    const days = Math.round(Number(conversionWindow?.seconds ?? 0n) / 86_400)
    const within = days > 0 ? [t('dashboards.withinDays', { count: days })] : []
    return [t('dashboards.steps', { count: events.length }), ...within]
  },
  [InsightType.RETENTION]: ({ events: [first, back] }) => [
    [nameKind(first?.event?.kind), nameKind((back ?? first)?.event?.kind)].join(' → '),
  ],
  [InsightType.LIFECYCLE]: ({ events: [event] }) => [nameKind(event?.event?.kind)],
  [InsightType.STICKINESS]: ({ events }) => [events.map(({ event }) => nameKind(event?.kind)).join(', ')],
  [InsightType.USER_FLOW]: () => [t('dashboards.paths')],
  [InsightType.TOP_K]: ({ topK }) => [
    nameCount(topK?.metric ?? AggregationType.TOTAL, topK?.metricProperty ?? ''),
    ...(topK?.dimension === Dimension.PROPERTY ? [nameProperty(topK.property)] : []),
  ],
  [InsightType.MAP]: ({ map }) => [
    nameCount(map?.metric ?? AggregationType.TOTAL, map?.metricProperty ?? ''),
    nameKind(map?.scope?.kind),
  ],
}

function describeSeries({ session, events }: InsightQuerySpec): readonly string[] {
  if (session) return [t(nameOf<NameKey>(SESSIONS, session.metric, 'dashboards.sessions'))]
  const [first] = events
  if (!first) return [t('dashboards.allEvents')]
  return events.length > 1 ? [t('dashboards.series', { count: events.length })] : describeQuery(first)
}

function describeQuery({ aggregation, aggregationProperty, event }: EventQuery): readonly string[] {
  return [nameCount(aggregation, aggregationProperty), nameKind(event?.kind)]
}

/** Each line of an insight in words: its events, then its formulas. */
export function describeLines({ events, formulas }: InsightQuerySpec): readonly string[] {
  return [
    ...events.map((query) => describeQuery(query).join(' · ')),
    ...formulas.map(({ displayName, expression }) => displayName || expression),
  ]
}

/** The query of a tile in a line: `Unique people · page_view · by day`. */
export function describeInsight(spec: InsightQuerySpec, buckets: Granularity): string {
  const isByCohort = spec.breakdownCohortIds.length > 0
  const properties = spec.breakdowns.map(({ property, source }) => nameProperty(property, source))
  const by = isByCohort ? t('cohorts.usedByCohort') : properties.join(', ')
  const parts = [
    ...(SUBJECTS[spec.insightType]?.(spec) ?? []),
    ...(by === '' ? [] : [t('dashboards.brokenDownBy', { property: by })]),
    ...(TIMED.includes(spec.insightType) ? [t(nameOf<NameKey>(BUCKETS, buckets, 'dashboards.byDay'))] : []),
  ]
  return parts.join(' · ')
}

/** The settings of a tile that the dashboard replaces. */
export function listOverrides(
  tile: DashboardTile,
  shown: {
    readonly state: BoardState
    readonly buckets: Granularity
    readonly isComparable: boolean
  },
): readonly string[] {
  const own = granularityOfTile(tile)
  const stored = tile.compare === ComparePeriod.PRIOR ? 'previous' : 'none'
  const { compare, filters } = shown.state
  const isOtherCompare = shown.isComparable && compare !== 'tile' && compare !== stored
  return [
    ...(own !== Granularity.UNSPECIFIED && own !== shown.buckets ? [t('dashboards.overridesBuckets')] : []),
    ...(isOtherCompare ? [t('dashboards.overridesCompare')] : []),
    ...(filters.length > 0 && (specOfTile(tile)?.filterGroups.length ?? 0) > 0
      ? [t('dashboards.overridesFilters')]
      : []),
  ]
}
