import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { EventFilter } from '../../src/contract/gen/common/v1/filter_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  TopKResultSchema,
  TopKRowSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import {
  type TopKQuery,
  TopKQuery_Dimension,
} from '../../src/contract/gen/shared/insights/v1/top_k_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { matchesEventFilter } from './filters.ts'
import { COUNTS, generateLimit, maybeScope, rankingMetric } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import { aggregationOf, NUMERIC, WINDOWED } from './invalid-parts.ts'
import { countedEvents, type Metric, measureEvents } from './metrics.ts'
import type { People, ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { OTHERS, rankGroups } from './ranking.ts'
import { eventsOfPersons, findProfile, shownUser } from './users.ts'
import { propertyText } from './values.ts'
import { EVENT_NAMES } from './vocabulary.ts'

type Row = MessageInitShape<typeof TopKRowSchema>

const BY_KIND = { dimension: 'DIMENSION_EVENT_KIND' }
const BY_USER = { dimension: 'DIMENSION_USER' }
const BROKEN: readonly (readonly [name: string, topK: JsonObject])[] = [
  ['needs a dimension', {}],
  ['needs a known dimension', { dimension: 99 }],
  ['by property needs a property', { dimension: 'DIMENSION_PROPERTY' }],
  ['by property needs a valid name', { dimension: 'DIMENSION_PROPERTY', property: 'a b' }],
  ['by kind has no property', { ...BY_KIND, property: 'plan' }],
  ['by user has no property', { ...BY_USER, property: 'plan' }],
  ['needs a known metric', { ...BY_KIND, metric: 99 }],
  ...['UNIQUE_USERS', 'PER_USER_AVG'].map(
    (name) => [`by user does not take ${name}`, { ...BY_USER, metric: aggregationOf(name) }] as const,
  ),
  ...NUMERIC.map(
    (name) => [`by ${name} needs a property`, { ...BY_KIND, metric: aggregationOf(name) }] as const,
  ),
  ...WINDOWED.map((name) => [`does not take ${name}`, { ...BY_KIND, metric: aggregationOf(name) }] as const),
  ['by SUM needs a valid name', { ...BY_KIND, metric: aggregationOf('SUM'), metricProperty: 'a b' }],
  ...[-1, 101].map((limit) => [`has no ${limit} rows`, { ...BY_KIND, limit }] as const),
]

/** Rankings in the differential tests. */
export const TOP_K: InsightTypeEntry = {
  answer: (query) => ({ case: 'topK', value: answerTopK(query) }),
  points: topKPoints,
  generate: generateTopK,
  smallest: { topK: BY_KIND },
  fields: { topK: BY_KIND },
  broken: [
    { name: 'a ranking needs its settings', fields: { topK: null } },
    { name: 'a ranking has no breakdown limit', fields: { breakdownLimit: 1 } },
    ...BROKEN.map(([name, topK]) => ({ name: `a ranking ${name}`, fields: { topK } })),
  ],
}

function generateTopK(rng: Prng, generated: GeneratedWorld): Spec {
  const rest = { limit: generateLimit(rng), omitOthers: rng.chance(0.3), ...maybeScope(rng, generated) }
  switch (rng.below(3)) {
    case 0: {
      const metric = rankingMetric(rng, [
        AggregationType.UNSPECIFIED,
        AggregationType.TOTAL,
        AggregationType.UNIQUE_SESSIONS,
      ])
      return { topK: { dimension: TopKQuery_Dimension.USER, ...metric, ...rest } }
    }
    case 1:
      return { topK: { dimension: TopKQuery_Dimension.EVENT_KIND, ...rankingMetric(rng, COUNTS), ...rest } }
    default: {
      const property = rng.pick(EVENT_NAMES)
      return {
        topK: { dimension: TopKQuery_Dimension.PROPERTY, property, ...rankingMetric(rng, COUNTS), ...rest },
      }
    }
  }
}

function answerTopK(query: Query): MessageInitShape<typeof TopKResultSchema> {
  const settings = query.spec.topK
  if (settings === undefined) throw new RangeError('a top-K query without its settings')
  const { people } = query.world
  const metric = metricOf(query, settings)
  const measure = (items: readonly ReferenceEvent[]): number => measureEvents(items, { metric, people })
  const { top, rest } = rankEvents(query, settings)
  const rows = top.map(({ values: [dimensionValue = ''], items }) => ({
    dimensionValue,
    value: measure(items),
    ...profileOf(items, { settings, people }),
  }))
  if (settings.omitOthers || rest.length === 0) return { rows }
  return { rows: [...rows, { dimensionValue: OTHERS, value: measure(rest), isOthers: true }] }
}

/** The events of each row, and those of the rest. */
function rankEvents(query: Query, settings: TopKQuery): ReturnType<typeof rankGroups<ReferenceEvent>> {
  const { people } = query.world
  const metric = metricOf(query, settings)
  return rankGroups(countedEvents(eventsRanked(query, settings), metric), {
    valuesOf: (event) => [dimensionValue(event, { settings, people })],
    measure: (items) => measureEvents(items, { metric, people }),
    limit: settings.limit || 10,
  })
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

/** By user, cookieless visitors are excluded for every metric. */
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

function topKPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { topK } = query.spec
  if (!topK || result.case !== 'topK') return []
  const { top, rest } = rankEvents(query, topK)
  const values =
    topK.metric === AggregationType.UNIQUE_USERS ? result.value.rows.map(({ value }) => value) : []
  const rows = top.map(({ values: [value = ''], items }, index) => ({
    point: pointOf('row', { value }),
    events: items,
    users: values[index],
  }))
  if (topK.omitOthers || rest.length === 0) return rows
  return [...rows, { point: pointOf('row', { others: true }), events: rest, users: values[top.length] }]
}
