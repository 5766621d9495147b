import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { EventFilter } from '../../src/contract/gen/common/v1/filter_pb.js'
import type {
  TopKResultSchema,
  TopKRowSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import {
  type TopKQuery,
  TopKQuery_Dimension,
} from '../../src/contract/gen/shared/insights/v1/top_k_query_pb.js'
import { matchesEventFilter } from './filters.ts'
import { countedEvents, type Metric, measureEvents } from './metrics.ts'
import type { People, ReferenceEvent } from './model.ts'
import { eventsInQuestion, type Question, subjectOf } from './question.ts'
import { OTHERS, rankGroups } from './ranking.ts'
import { eventsOfPersons, findProfile, shownUser } from './users.ts'
import { propertyText } from './values.ts'

type Row = MessageInitShape<typeof TopKRowSchema>

/** Answers a top-K question. */
export function answerTopK(question: Question): MessageInitShape<typeof TopKResultSchema> {
  const query = question.spec.topK
  if (query === undefined) throw new RangeError('a top-K question without its settings')
  const { people } = question.world
  const metric = metricOf(question, query)
  const measure = (items: readonly ReferenceEvent[]): number => measureEvents(items, { metric, people })
  const { top, rest } = rankGroups(countedEvents(eventsRanked(question, query), metric), {
    valuesOf: (event) => [dimensionValue(event, { query, people })],
    measure,
    limit: query.limit || 10,
  })
  const rows = top.map(({ values: [dimensionValue = ''], items }) => ({
    dimensionValue,
    value: measure(items),
    ...profileOf(items, { query, people }),
  }))
  if (query.omitOthers || rest.length === 0) return { rows }
  return { rows: [...rows, { dimensionValue: OTHERS, value: measure(rest), isOthers: true }] }
}

/** Events of a question that a scope lets in. */
export function eventsInScope(question: Question, scope: EventFilter | undefined): readonly ReferenceEvent[] {
  return eventsInQuestion(question).filter((event) => matchesEventFilter(subjectOf(question, event), scope))
}

/** How a ranking counts. */
export function metricOf(
  { spec: { includeCookieless } }: Question,
  query: Pick<TopKQuery, 'metric' | 'metricProperty'>,
): Metric {
  return { aggregation: query.metric, property: query.metricProperty, includeCookieless }
}

/** By user, cookieless visitors are left out whatever the metric. */
function eventsRanked(question: Question, query: TopKQuery): readonly ReferenceEvent[] {
  const events = eventsInScope(question, query.scope)
  return query.dimension === TopKQuery_Dimension.USER ? eventsOfPersons(events, question.spec) : events
}

interface DimensionInputs {
  readonly query: TopKQuery
  readonly people: People
}

function dimensionValue(event: ReferenceEvent, { query, people }: DimensionInputs): string {
  switch (query.dimension) {
    case TopKQuery_Dimension.PROPERTY:
      return propertyText(event, query.property)
    case TopKQuery_Dimension.EVENT_KIND:
      return event.kind
    case TopKQuery_Dimension.USER:
      return shownUser(people, event.distinctId)
    case TopKQuery_Dimension.UNSPECIFIED:
      throw new RangeError('a top-K question without a dimension')
    default:
      return query.dimension satisfies never
  }
}

function profileOf(
  [event]: readonly ReferenceEvent[],
  { query, people }: DimensionInputs,
): Pick<Row, 'profile'> {
  if (query.dimension !== TopKQuery_Dimension.USER || event === undefined) return {}
  const profile = findProfile(people, event.distinctId)
  if (profile === undefined) return {}
  const properties: JsonObject = Object.fromEntries(profile.traits)
  return { profile: { id: profile.profileId, externalId: profile.externalId, properties } }
}
