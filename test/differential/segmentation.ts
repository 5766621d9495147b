import type { MessageInitShape } from '@bufbuild/protobuf'
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
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { answerSessionSegmentation } from './session-metrics.ts'
import { eventsOfEntry, listEntries } from './trends.ts'

/** Segmentation in the differential tests. */
export const SEGMENTATION: InsightTypeEntry = {
  answer: (query) => {
    const { session } = query.spec
    const value =
      session === undefined ? answerSegmentation(query) : answerSessionSegmentation(query, session)
    return { case: 'segmentation', value }
  },
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
