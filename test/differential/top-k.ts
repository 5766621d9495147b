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
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { OTHERS, rankGroups } from './ranking.ts'
import { eventsOfPersons, findProfile, shownUser } from './users.ts'
import { propertyText } from './values.ts'

type Row = MessageInitShape<typeof TopKRowSchema>

/** Answers a top-K query. */
export function answerTopK(query: Query): MessageInitShape<typeof TopKResultSchema> {
  const settings = query.spec.topK
  if (settings === undefined) throw new RangeError('a top-K query without its settings')
  const { people } = query.world
  const metric = metricOf(query, settings)
  const measure = (items: readonly ReferenceEvent[]): number => measureEvents(items, { metric, people })
  const { top, rest } = rankGroups(countedEvents(eventsRanked(query, settings), metric), {
    valuesOf: (event) => [dimensionValue(event, { settings, people })],
    measure,
    limit: settings.limit || 10,
  })
  const rows = top.map(({ values: [dimensionValue = ''], items }) => ({
    dimensionValue,
    value: measure(items),
    ...profileOf(items, { settings, people }),
  }))
  if (settings.omitOthers || rest.length === 0) return { rows }
  return { rows: [...rows, { dimensionValue: OTHERS, value: measure(rest), isOthers: true }] }
}

/** Events of a query that a scope lets in. */
export function eventsInScope(query: Query, scope: EventFilter | undefined): readonly ReferenceEvent[] {
  return eventsInQuery(query).filter((event) => matchesEventFilter(subjectOf(query, event), scope))
}

/** How a ranking counts. */
export function metricOf(
  { spec: { includeCookieless } }: Query,
  settings: Pick<TopKQuery, 'metric' | 'metricProperty'>,
): Metric {
  return { aggregation: settings.metric, property: settings.metricProperty, includeCookieless }
}

/** By user, cookieless visitors are left out whatever the metric. */
function eventsRanked(query: Query, settings: TopKQuery): readonly ReferenceEvent[] {
  const events = eventsInScope(query, settings.scope)
  return settings.dimension === TopKQuery_Dimension.USER ? eventsOfPersons(events, query.spec) : events
}

interface DimensionInputs {
  readonly settings: TopKQuery
  readonly people: People
}

function dimensionValue(event: ReferenceEvent, { settings, people }: DimensionInputs): string {
  switch (settings.dimension) {
    case TopKQuery_Dimension.PROPERTY:
      return propertyText(event, settings.property)
    case TopKQuery_Dimension.EVENT_KIND:
      return event.kind
    case TopKQuery_Dimension.USER:
      return shownUser(people, event.distinctId)
    case TopKQuery_Dimension.UNSPECIFIED:
      throw new RangeError('a top-K query without a dimension')
    default:
      return settings.dimension satisfies never
  }
}

function profileOf(
  [event]: readonly ReferenceEvent[],
  { settings, people }: DimensionInputs,
): Pick<Row, 'profile'> {
  if (settings.dimension !== TopKQuery_Dimension.USER || event === undefined) return {}
  const profile = findProfile(people, event.distinctId)
  if (profile === undefined) return {}
  const properties: JsonObject = Object.fromEntries(profile.traits)
  return { profile: { id: profile.profileId, externalId: profile.externalId, properties } }
}
