import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TopKResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { countedEvents, measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import type { Query } from './query.ts'
import { rankGroups } from './ranking.ts'
import { eventsInScope, metricOf } from './top-k.ts'
import { propertyText } from './values.ts'

/** Answers a map query: every country with its metric, and no others. */
export function answerMap(query: Query): MessageInitShape<typeof TopKResultSchema> {
  const settings = query.spec.map
  if (settings === undefined) throw new RangeError('a map query without its settings')
  const { people } = query.world
  const metric = metricOf(query, settings)
  const measure = (items: readonly ReferenceEvent[]): number => measureEvents(items, { metric, people })
  const country = (event: ReferenceEvent): string => propertyText(event, '$country')
  const placed = eventsInScope(query, settings.scope).filter((event) => country(event) !== '')
  const { top } = rankGroups(countedEvents(placed, metric), {
    valuesOf: (event) => [country(event)],
    measure,
    limit: Number.POSITIVE_INFINITY,
  })
  return {
    rows: top.map(({ values: [dimensionValue = ''], items }) => ({ dimensionValue, value: measure(items) })),
  }
}
