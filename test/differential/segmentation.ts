import type { MessageInitShape } from '@bufbuild/protobuf'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { SegmentationResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { matchesEntry } from './cohorts.ts'
import { MEASURED_SESSIONS, maybeScope, queries } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import {
  aggregationRules,
  cohortRulesOfEvents,
  SHARED_VALUES,
  sessionRules,
  splitRules,
} from './invalid-parts.ts'
import { countedEvents, measureEvents } from './metrics.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { answerSessionSegmentation, breakDownSessions } from './session-metrics.ts'
import { eventsOfEntry, listEntries } from './trends.ts'

/** Segmentation in the differential tests. */
export const SEGMENTATION: InsightTypeEntry = {
  answer: (query) => {
    const { session } = query.spec
    const value =
      session === undefined ? answerSegmentation(query) : answerSessionSegmentation(query, session)
    return { case: 'segmentation', value }
  },
  points: segmentationPoints,
  generate: (rng, generated) =>
    rng.chance(0.4)
      ? { session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) } }
      : { events: queries(rng, { generated, count: rng.below(4) }) },
  smallest: {},
  fields: {
    events: SHARED_VALUES.events,
    breakdownCohortIds: SHARED_VALUES.breakdownCohortIds,
    session: SHARED_VALUES.session,
  },
  broken: [
    ...aggregationRules('SEGMENTATION'),
    ...cohortRulesOfEvents('SEGMENTATION'),
    ...splitRules('SEGMENTATION', false),
    ...sessionRules('SEGMENTATION'),
    ...['ENTRY', 'EXIT'].map((name) => ({
      name: `${name} is not for segmentation`,
      fields: { session: { metric: `SESSION_METRIC_${name}` } },
    })),
  ],
}

/** Answers a segmentation query: the first entry's metric over the events that match any entry, and each entry's own. */
function answerSegmentation(query: Query): MessageInitShape<typeof SegmentationResultSchema> {
  const entries = listEntries(query)
  const [first] = entries
  if (first === undefined) throw new RangeError('a query without entries')
  const matching = eventsInQuery(query).filter((event) =>
    entries.some((entry) => matchesEntry(subjectOf(query, event), entry)),
  )
  const { metric } = first
  const { people } = query.world
  const values = entries.map((entry) =>
    measureEvents(eventsOfEntry(query, entry), { metric: entry.metric, people }),
  )
  return { total: measureEvents(countedEvents(matching, metric), { metric, people }), values }
}

function segmentationPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { session } = query.spec
  if (session) {
    const events = breakDownSessions(query, session).flatMap(({ items }) =>
      items.flatMap((each) => each.events),
    )
    return [{ point: pointOf('segmentation', {}), events }]
  }
  const values = result.case === 'segmentation' ? result.value.values : []
  return listEntries(query).map((entry, series) => ({
    point: pointOf('segmentation', { series }),
    events: eventsOfEntry(query, entry),
    users: entry.metric.aggregation === AggregationType.UNIQUE_USERS ? values[series] : undefined,
  }))
}
