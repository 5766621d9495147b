import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SegmentationResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { matchesEventFilter } from './filters.ts'
import { countedEvents, measureEvents } from './metrics.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { listEntries } from './trends.ts'

/** Answers a segmentation query: the first entry's metric over the events that match any entry. */
export function answerSegmentation(query: Query): MessageInitShape<typeof SegmentationResultSchema> {
  const entries = listEntries(query)
  const [first] = entries
  if (first === undefined) throw new RangeError('a query without entries')
  const matching = eventsInQuery(query).filter((event) =>
    entries.some((entry) => matchesEventFilter(subjectOf(query, event), entry.event)),
  )
  const { metric } = first
  const total = measureEvents(countedEvents(matching, metric), { metric, people: query.world.people })
  return { total }
}
