import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TopKResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { countedEvents, measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import type { Question } from './question.ts'
import { rankGroups } from './ranking.ts'
import { eventsInScope, metricOf } from './top-k.ts'
import { propertyText } from './values.ts'

/** Answers a map question: every country with its metric, and no others. */
export function answerMap(question: Question): MessageInitShape<typeof TopKResultSchema> {
  const query = question.spec.map
  if (query === undefined) throw new RangeError('a map question without its settings')
  const { people } = question.world
  const metric = metricOf(question, query)
  const measure = (items: readonly ReferenceEvent[]): number => measureEvents(items, { metric, people })
  const country = (event: ReferenceEvent): string => propertyText(event, '$country')
  const placed = eventsInScope(question, query.scope).filter((event) => country(event) !== '')
  const { top } = rankGroups(countedEvents(placed, metric), {
    valuesOf: (event) => [country(event)],
    measure,
    limit: Number.POSITIVE_INFINITY,
  })
  return {
    rows: top.map(({ values: [dimensionValue = ''], items }) => ({ dimensionValue, value: measure(items) })),
  }
}
