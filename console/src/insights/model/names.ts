import type { View } from '../../charts/chart.ts'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { Calculation, Granularity, MeasureDraft, SessionMetric } from './draft.ts'

/** The names of measures of events; those of calculations are followed by a property. */
export const MEASURE_NAMES = {
  AGGREGATION_TYPE_TOTAL: 'insights.totalEvents',
  AGGREGATION_TYPE_UNIQUE_USERS: 'insights.uniquePeople',
  AGGREGATION_TYPE_PER_USER_AVG: 'insights.eventsPerPerson',
  AGGREGATION_TYPE_UNIQUE_SESSIONS: 'insights.uniqueSessions',
  AGGREGATION_TYPE_ROLLING_7_DAY_USERS: 'insights.rolling7',
  AGGREGATION_TYPE_ROLLING_30_DAY_USERS: 'insights.rolling30',
  AGGREGATION_TYPE_SUM: 'insights.sum',
  AGGREGATION_TYPE_AVG: 'insights.average',
  AGGREGATION_TYPE_MIN: 'insights.minimum',
  AGGREGATION_TYPE_MAX: 'insights.maximum',
  AGGREGATION_TYPE_MEDIAN: 'insights.median',
  AGGREGATION_TYPE_P75: 'insights.percentile75',
  AGGREGATION_TYPE_P90: 'insights.percentile90',
  AGGREGATION_TYPE_P95: 'insights.percentile95',
  AGGREGATION_TYPE_P99: 'insights.percentile99',
  AGGREGATION_TYPE_DISTINCT_VALUES: 'insights.distinctValues',
} as const satisfies Record<MeasureDraft['aggregation'], NameKey>

/** The words of calculations with their property. */
export const CALCULATION_PHRASES = {
  AGGREGATION_TYPE_SUM: 'insights.sumOf',
  AGGREGATION_TYPE_AVG: 'insights.averageOf',
  AGGREGATION_TYPE_MIN: 'insights.minimumOf',
  AGGREGATION_TYPE_MAX: 'insights.maximumOf',
  AGGREGATION_TYPE_MEDIAN: 'insights.medianOf',
  AGGREGATION_TYPE_P75: 'insights.percentile75Of',
  AGGREGATION_TYPE_P90: 'insights.percentile90Of',
  AGGREGATION_TYPE_P95: 'insights.percentile95Of',
  AGGREGATION_TYPE_P99: 'insights.percentile99Of',
  AGGREGATION_TYPE_DISTINCT_VALUES: 'insights.distinctValuesOf',
} as const satisfies Record<Calculation, string>

/** The names of measures of sessions. */
export const SESSION_METRIC_NAMES = {
  SESSION_METRIC_SESSIONS: 'insights.sessions',
  SESSION_METRIC_AVG_DURATION: 'insights.averageDuration',
  SESSION_METRIC_BOUNCE_RATE: 'insights.bounceRate',
  SESSION_METRIC_AVG_EVENTS_PER_SESSION: 'insights.eventsPerSession',
  SESSION_METRIC_ENTRY: 'insights.firstValues',
  SESSION_METRIC_EXIT: 'insights.lastValues',
} as const satisfies Record<SessionMetric, NameKey>

/** The names of widths of buckets. */
export const GRANULARITY_NAMES = {
  GRANULARITY_MINUTE: 'insights.minute',
  GRANULARITY_HOUR: 'insights.hour',
  GRANULARITY_DAY: 'insights.day',
  GRANULARITY_WEEK: 'insights.week',
  GRANULARITY_MONTH: 'insights.month',
} as const satisfies Record<Granularity, NameKey>

const VIEWS = {
  line: 'insights.viewLine',
  area: 'insights.viewArea',
  bars: 'insights.viewStackedBars',
  grouped: 'insights.viewBars',
  kpi: 'insights.viewNumber',
  chart: 'insights.viewChart',
  pie: 'insights.viewPie',
  table: 'insights.viewTable',
} as const satisfies Record<View, NameKey>

/** The name of a view. */
export function viewName(view: View): string {
  return t(VIEWS[view])
}
