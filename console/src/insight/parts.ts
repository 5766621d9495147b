import type { Aggregation, Draft, SessionMetric } from './draft.ts'

/** Whether the numbers of the parts add up to the number of the whole. */
const ADDS_UP = {
  AGGREGATION_TYPE_TOTAL: true,
  // One user may be in several parts.
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

/** True for numbers of which those of the parts make that of the whole. */
export function addsUp(aggregation: Aggregation): boolean {
  return ADDS_UP[aggregation]
}

/** What decides whether series are parts of a whole. */
export type Parts = Pick<Draft, 'measure' | 'events' | 'sessionMetric'>

/**
 * True for series of which each number of each bucket counts once: sums and counts of the same, of kinds of events that
 * differ. `kinds` are those of the answer, for who may not see the question.
 */
export function areParts(question: Parts, kinds: readonly string[] = kindsOf(question)): boolean {
  const { measure, events, sessionMetric } = question
  if (measure === 'sessions') return SESSIONS_ADD_UP[sessionMetric]
  const [first, ...others] = events
  if (!first) return true
  const isSame = others.every(
    ({ aggregation, property }) =>
      aggregation === first.aggregation &&
      (aggregation !== 'AGGREGATION_TYPE_SUM' || property === first.property),
  )
  const isApart = others.length === 0 || (new Set(kinds).size === kinds.length && !kinds.includes(''))
  return ADDS_UP[first.aggregation] && isSame && isApart
}

function kindsOf({ events }: Parts): readonly string[] {
  return events.map(({ kind }) => kind)
}
