import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SegmentationResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { matchesEventFilter } from './filters.ts'
import { countedEvents, measureEvents } from './metrics.ts'
import { eventsInQuestion, type Question, subjectOf } from './question.ts'
import { listEntries } from './trends.ts'

/** Answers a segmentation question: the first entry's metric over the events that match any entry. */
export function answerSegmentation(question: Question): MessageInitShape<typeof SegmentationResultSchema> {
  const entries = listEntries(question)
  const [first] = entries
  if (first === undefined) throw new RangeError('a question without entries')
  const matching = eventsInQuestion(question).filter((event) =>
    entries.some((entry) => matchesEventFilter(subjectOf(question, event), entry.event)),
  )
  const { metric } = first
  const total = measureEvents(countedEvents(matching, metric), { metric, people: question.world.people })
  return { total }
}
