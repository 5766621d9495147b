import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  SegmentationResultSchema,
  TrendSeriesSchema,
  TrendsResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import {
  SessionMetric,
  type SessionQuery,
} from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import { pointsOf } from './buckets.ts'
import { compareEvents } from './bytewise.ts'
import { matchesEventFilter } from './filters.ts'
import { divide } from './metrics.ts'
import { hasSession, type ReferenceEvent } from './model.ts'
import { bucketsOf, comparedQuery, eventsMeeting, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown, regroup } from './ranking.ts'

/** The participating events of one session id, of any user. */
export interface Session {
  readonly first: ReferenceEvent
  readonly last: ReferenceEvent
  readonly events: readonly ReferenceEvent[]
}

type Measure = (sessions: readonly Session[]) => number

const countSessions: Measure = (sessions) => sessions.length

const MEASURES = {
  [SessionMetric.UNSPECIFIED]: () => {
    throw new RangeError('a session query without a metric')
  },
  [SessionMetric.SESSIONS]: countSessions,
  [SessionMetric.AVG_DURATION]: (sessions) =>
    divide({
      part: sumOf(sessions, ({ first, last }) => last.occurMs - first.occurMs),
      whole: sessions.length * 1000,
    }),
  [SessionMetric.BOUNCE_RATE]: (sessions) =>
    divide({
      part: 100 * sessions.filter(({ events }) => events.length === 1).length,
      whole: sessions.length,
    }),
  [SessionMetric.ENTRY]: countSessions,
  [SessionMetric.EXIT]: countSessions,
  [SessionMetric.AVG_EVENTS_PER_SESSION]: (sessions) =>
    divide({ part: sumOf(sessions, ({ events }) => events.length), whole: sessions.length }),
} satisfies Record<SessionMetric, Measure>

/** Answers a trends query about sessions. */
export function answerSessionTrends(
  query: Query,
  metricQuery: SessionQuery,
): MessageInitShape<typeof TrendsResultSchema> {
  const series = breakDownSessions(query, metricQuery)
  const other = comparedQuery(query)
  if (other === undefined) return { series: shapeSeries(query, metricQuery, series) }
  const rule = { query: other, eventOf: eventOfSession(metricQuery) }
  const compared = regroup(listSessions(other, metricQuery), rule, series)
  return {
    series: [
      ...shapeSeries(query, metricQuery, series),
      ...shapeSeries(other, metricQuery, compared).map((one) => ({ ...one, isComparison: true })),
    ],
  }
}

function shapeSeries(
  query: Query,
  { metric, scope }: SessionQuery,
  series: readonly BrokenDown<Session>[],
): Exclude<MessageInitShape<typeof TrendSeriesSchema>, { $typeName: string }>[] {
  const [measure, bucketStarts] = [MEASURES[metric], bucketsOf(query)]
  return series.map(({ breakdown, items }) => ({
    eventKind: scope?.kind || '$session',
    breakdown,
    points: [...pointsOf(items, { bucketStarts, instantOf: ({ first }) => first.occurMs, measure })],
  }))
}

/** The event of a session that has its breakdown values. */
function eventOfSession({ metric }: SessionQuery): (session: Session) => ReferenceEvent {
  return metric === SessionMetric.EXIT ? ({ last }) => last : ({ first }) => first
}

/** The sessions of each series of a query. */
export function breakDownSessions(query: Query, metricQuery: SessionQuery): readonly BrokenDown<Session>[] {
  return breakDown(listSessions(query, metricQuery), query, {
    eventOf: eventOfSession(metricQuery),
    measure: MEASURES[metricQuery.metric],
  })
}

/** Answers a segmentation query about sessions. */
export function answerSessionSegmentation(
  query: Query,
  metricQuery: SessionQuery,
): MessageInitShape<typeof SegmentationResultSchema> {
  return { total: MEASURES[metricQuery.metric](listSessions(query, metricQuery)) }
}

/** Sessions whose first participating event is in the range; the range does not cut their events. */
function listSessions(query: Query, { scope }: SessionQuery): readonly Session[] {
  const { fromMs, toMs } = query.range
  const participating = eventsMeeting(query.world, query.spec).filter((event) =>
    matchesEventFilter(subjectOf(query, event), scope),
  )
  const bySession = Map.groupBy(participating.filter(hasSession), ({ sessionId }) => sessionId)
  return [...bySession.values()]
    .flatMap(describeSession)
    .filter(({ first }) => first.occurMs >= fromMs && first.occurMs < toMs)
}

function describeSession(events: readonly ReferenceEvent[]): readonly Session[] {
  const sorted = events.toSorted(compareEvents)
  const [first, last] = [sorted[0], sorted.at(-1)]
  return first === undefined || last === undefined ? [] : [{ first, last, events: sorted }]
}

function sumOf(sessions: readonly Session[], numberOf: (session: Session) => number): number {
  return sessions.reduce((total, session) => total + numberOf(session), 0)
}
