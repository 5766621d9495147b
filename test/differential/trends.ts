import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { EventFilter } from '../../src/contract/gen/common/v1/filter_pb.js'
import { AggregationType, type EventQuery } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  TrendSeriesSchema,
  TrendsResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { bucketIndex, pointsOf } from './buckets.ts'
import { matchesEntry } from './cohorts.ts'
import { generateProperty } from './generate-filters.ts'
import { breakdowns, generateLimit, MEASURED_SESSIONS, maybeScope, queries } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import {
  aggregationRules,
  breakdownRules,
  cohortRulesOfEvents,
  SHARED_VALUES,
  sessionRules,
  splitRules,
} from './invalid-parts.ts'
import { countedEvents, type Metric, measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint, seriesName } from './points.ts'
import { bucketsOf, eventsInQuery, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'
import { answerSessionTrends, breakDownSessions } from './session-metrics.ts'

/** One entry of `events`: which events, and how they are counted. */
export interface Entry {
  readonly event: EventFilter | undefined
  readonly metric: Metric
}

const ENDS = [SessionMetric.ENTRY, SessionMetric.EXIT] as const

/** Trends in the differential tests. */
export const TRENDS: InsightTypeEntry = {
  answer: (query) => {
    const { session } = query.spec
    const value = session === undefined ? answerTrends(query) : answerSessionTrends(query, session)
    return { case: 'trends', value }
  },
  points: (query, response) => (query.spec.session ? sessionPoints(query) : trendsPoints(query, response)),
  generate: (rng, generated) =>
    rng.chance(0.3)
      ? generateSessionTrends(rng, generated)
      : { events: queries(rng, { generated, count: rng.below(4) }), ...breakdowns(rng) },
  smallest: {},
  fields: SHARED_VALUES,
  broken: [
    ...breakdownRules('TRENDS'),
    ...cohortRulesOfEvents('TRENDS'),
    ...splitRules('TRENDS', true),
    ...aggregationRules('TRENDS'),
    ...sessionRules('TRENDS'),
    ...ENDS.map((metric) => SessionMetric[metric]).flatMap((name) => {
      const session = { metric: `SESSION_METRIC_${name}` }
      return [
        { name: `${name} needs a breakdown`, fields: { session } },
        {
          name: `${name} takes one breakdown`,
          fields: { session, breakdowns: [{ property: 'a' }, { property: 'b' }] },
        },
      ]
    }),
  ],
}

function generateSessionTrends(rng: Prng, generated: GeneratedWorld): Spec {
  if (rng.chance(0.6)) {
    return {
      session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) },
      ...breakdowns(rng),
    }
  }
  const metric = rng.pick(ENDS)
  return {
    session: { metric, ...maybeScope(rng, generated) },
    breakdowns: [generateProperty(rng)],
    breakdownLimit: generateLimit(rng),
  }
}

/** The answer about events. */
function answerTrends(query: Query): MessageInitShape<typeof TrendsResultSchema> {
  const bucketStarts = bucketsOf(query)
  return {
    series: listEntries(query).flatMap((entry) => answerEntry(query, { ...entry, bucketStarts })),
  }
}

/** The entries of a query; without any, all events are counted. */
export function listEntries({ spec }: Query): readonly Entry[] {
  const { includeCookieless } = spec
  if (spec.events.length === 0) {
    return [
      { event: undefined, metric: { aggregation: AggregationType.TOTAL, property: '', includeCookieless } },
    ]
  }
  return spec.events.map(({ event, cohorts, aggregation, aggregationProperty }: EventQuery) => ({
    event,
    cohorts,
    metric: { aggregation, property: aggregationProperty, includeCookieless },
  }))
}

function answerEntry(
  query: Query,
  { bucketStarts, ...entry }: Entry & { readonly bucketStarts: readonly number[] },
): readonly MessageInitShape<typeof TrendSeriesSchema>[] {
  const measure = measureOf(query, entry)
  return breakDownEntry(query, entry).map(({ breakdown, items }) => ({
    eventKind: entry.event?.kind ?? '',
    breakdown,
    points: [...pointsOf(items, { bucketStarts, instantOf: ({ occurMs }) => occurMs, measure })],
  }))
}

/** The counted events of each series of an entry. */
export function breakDownEntry(query: Query, entry: Entry): readonly BrokenDown<ReferenceEvent>[] {
  return breakDown(eventsOfEntry(query, entry), query, {
    eventOf: (event) => event,
    measure: measureOf(query, entry),
  })
}

/** The events that an entry counts. */
export function eventsOfEntry(query: Query, entry: Entry): readonly ReferenceEvent[] {
  const matching = eventsInQuery(query).filter((event) => matchesEntry(subjectOf(query, event), entry))
  return countedEvents(matching, entry.metric)
}

function measureOf(query: Query, { metric }: Entry): (events: readonly ReferenceEvent[]) => number {
  return (events) => measureEvents(events, { metric, people: query.world.people })
}

function trendsPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'trends' ? result.value.series : []
  let position = 0
  return listEntries(query).flatMap((entry, series) =>
    breakDownEntry(query, entry).flatMap((group) => {
      const points = answered[position++]?.points
      const countsUsers = entry.metric.aggregation === AggregationType.UNIQUE_USERS
      const name = { series, ...seriesName(group) }
      const buckets = starts.map((startMs, index) => ({
        point: pointOf('trends', { ...name, bucket: timestampFromMs(startMs) }),
        events: group.items.filter(({ occurMs }) => bucketIndex(starts, occurMs) === index),
        users: countsUsers ? points?.[index]?.value : undefined,
      }))
      return [{ point: pointOf('trends', name), events: group.items }, ...buckets]
    }),
  )
}

function sessionPoints(query: Query): readonly ReferencePoint[] {
  const { session } = query.spec
  if (!session) return []
  const starts = bucketsOf(query)
  return breakDownSessions(query, session).flatMap((group) => {
    const name = seriesName(group)
    const buckets = starts.map((startMs, index) => ({
      point: pointOf('trends', { ...name, bucket: timestampFromMs(startMs) }),
      events: group.items
        .filter(({ first }) => bucketIndex(starts, first.occurMs) === index)
        .flatMap(({ events }) => events),
    }))
    return [
      { point: pointOf('trends', name), events: group.items.flatMap(({ events }) => events) },
      ...buckets,
    ]
  })
}
