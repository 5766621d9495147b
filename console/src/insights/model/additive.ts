import type { Aggregation, Draft, SessionMetric } from './draft.ts'

/** Whether the values of parts add up to the value of the whole. */
const ADDS_UP = {
  AGGREGATION_TYPE_TOTAL: true,
  // A person may be in several parts.
  AGGREGATION_TYPE_UNIQUE_USERS: false,
  AGGREGATION_TYPE_PER_USER_AVG: false,
  AGGREGATION_TYPE_SUM: true,
  AGGREGATION_TYPE_AVG: false,
  AGGREGATION_TYPE_MIN: false,
  AGGREGATION_TYPE_MAX: false,
} as const satisfies Record<Aggregation, boolean>

const SESSIONS_ADD_UP = {
  SESSION_METRIC_SESSIONS: true,
  SESSION_METRIC_AVG_DURATION: false,
  SESSION_METRIC_BOUNCE_RATE: false,
  SESSION_METRIC_AVG_EVENTS_PER_SESSION: false,
  SESSION_METRIC_ENTRY: true,
  SESSION_METRIC_EXIT: true,
} as const satisfies Record<SessionMetric, boolean>

/** Whether the values of parts add up to the value of the whole. */
export function addsUp(aggregation: Aggregation): boolean {
  return ADDS_UP[aggregation]
}

/** The fields of a draft that decide whether its series are parts of a whole. */
export type SeriesOptions = Pick<Draft, 'measure' | 'events' | 'sessionMetric'>

/**
 * Whether each number of a bucket counts once: series with one aggregation that adds up, of different events. `kinds` are
 * the events of the answer, for readers who do not get those of the query.
 */
export function arePartsOfWhole(
  { measure, events, sessionMetric }: SeriesOptions,
  kinds: readonly string[] = events.map(({ kind }) => kind),
): boolean {
  if (measure === 'sessions') return SESSIONS_ADD_UP[sessionMetric]
  const [first, ...others] = events
  if (!first) return true
  const isOneMetric = others.every(
    ({ aggregation, property }) =>
      aggregation === first.aggregation &&
      (aggregation !== 'AGGREGATION_TYPE_SUM' || property === first.property),
  )
  const areDisjoint = others.length === 0 || (new Set(kinds).size === kinds.length && !kinds.includes(''))
  return ADDS_UP[first.aggregation] && isOneMetric && areDisjoint
}
