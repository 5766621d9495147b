import { type MeasureDraft, propertyOf, type SessionMetric, type SubjectDraft } from './draft.ts'

/** Whether the values of parts add up to the value of the whole. A person, a session or a value may be in several parts. */
const ADDS_UP = {
  AGGREGATION_TYPE_TOTAL: true,
  AGGREGATION_TYPE_UNIQUE_USERS: false,
  AGGREGATION_TYPE_PER_USER_AVG: false,
  AGGREGATION_TYPE_UNIQUE_SESSIONS: false,
  AGGREGATION_TYPE_ROLLING_7_DAY_USERS: false,
  AGGREGATION_TYPE_ROLLING_30_DAY_USERS: false,
  AGGREGATION_TYPE_SUM: true,
  AGGREGATION_TYPE_AVG: false,
  AGGREGATION_TYPE_MIN: false,
  AGGREGATION_TYPE_MAX: false,
  AGGREGATION_TYPE_MEDIAN: false,
  AGGREGATION_TYPE_P75: false,
  AGGREGATION_TYPE_P90: false,
  AGGREGATION_TYPE_P95: false,
  AGGREGATION_TYPE_P99: false,
  AGGREGATION_TYPE_DISTINCT_VALUES: false,
} as const satisfies Record<MeasureDraft['aggregation'], boolean>

const SESSIONS_ADD_UP = {
  SESSION_METRIC_SESSIONS: true,
  SESSION_METRIC_AVG_DURATION: false,
  SESSION_METRIC_BOUNCE_RATE: false,
  SESSION_METRIC_AVG_EVENTS_PER_SESSION: false,
  SESSION_METRIC_ENTRY: true,
  SESSION_METRIC_EXIT: true,
} as const satisfies Record<SessionMetric, boolean>

/** Whether the values of parts add up to the value of the whole. */
export function addsUp({ aggregation }: MeasureDraft): boolean {
  return ADDS_UP[aggregation]
}

/**
 * Whether each number of a bucket counts once: series with one measure that adds up, of different events. `kinds` are the
 * events of the answer, for readers who do not get those of the query.
 */
export function arePartsOfWhole(
  subject: SubjectDraft,
  kinds: readonly string[] = subject.of === 'events' ? subject.series.map(({ kind }) => kind) : [],
): boolean {
  if (subject.of === 'sessions') return SESSIONS_ADD_UP[subject.metric]
  if ((subject.formulas ?? []).length > 0) return false
  const [first, ...others] = subject.series
  if (!first) return true
  const isOneMeasure = others.every(
    ({ measure }) =>
      measure.aggregation === first.measure.aggregation && propertyOf(measure) === propertyOf(first.measure),
  )
  const areDisjoint = others.length === 0 || (new Set(kinds).size === kinds.length && !kinds.includes(''))
  return addsUp(first.measure) && isOneMeasure && areDisjoint
}
