import type { MessageInitShape } from '@bufbuild/protobuf'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { MapQuery } from '../../src/contract/gen/shared/insights/v1/map_query_pb.js'
import type { TopKResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { COUNTS, maybeScope, rankingMetric } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
import { aggregationOf, NUMERIC, WINDOWED } from './invalid-parts.ts'
import { countedEvents, measureEvents } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import type { Query } from './query.ts'
import { type Group, rankGroups } from './ranking.ts'
import { eventsInScope, metricOf } from './top-k.ts'
import { propertyText } from './values.ts'

const COUNTING = ['UNSPECIFIED', 'TOTAL', 'UNIQUE_USERS', 'PER_USER_AVG', 'UNIQUE_SESSIONS'] as const

/** Maps in the differential tests. */
export const MAP: InsightTypeEntry = {
  answer: (query) => ({ case: 'topK', value: answerMap(query) }),
  points: mapPoints,
  generate: (rng, generated) => ({ map: { ...rankingMetric(rng, COUNTS), ...maybeScope(rng, generated) } }),
  smallest: { map: {} },
  fields: { map: {} },
  broken: [
    { name: 'a map needs its settings', fields: { map: null } },
    { name: 'a map has no breakdown limit', fields: { breakdownLimit: 1 } },
    { name: 'a map needs a known metric', fields: { map: { metric: 99 } } },
    ...NUMERIC.map((name) => ({
      name: `a map of ${name} needs a property`,
      fields: { map: { metric: aggregationOf(name) } },
    })),
    {
      name: 'a map of SUM needs a valid name',
      fields: { map: { metric: aggregationOf('SUM'), metricProperty: 'a b' } },
    },
    ...WINDOWED.map((name) => ({
      name: `a map does not take ${name}`,
      fields: { map: { metric: aggregationOf(name) } },
    })),
    ...COUNTING.map((name) => ({
      name: `a map of ${name} has no property`,
      fields: { map: { metric: aggregationOf(name), metricProperty: 'n' } },
    })),
  ],
}

/** Answers a map query: every country with its metric, and no others. */
function answerMap(query: Query): MessageInitShape<typeof TopKResultSchema> {
  const settings = query.spec.map
  if (settings === undefined) throw new RangeError('a map query without its settings')
  const { people } = query.world
  const metric = metricOf(query, settings)
  return {
    rows: rankCountries(query, settings).map(({ values: [dimensionValue = ''], items }) => ({
      dimensionValue,
      value: measureEvents(items, { metric, people }),
    })),
  }
}

/** The events of each country. */
function rankCountries(query: Query, settings: MapQuery): readonly Group<ReferenceEvent>[] {
  const { people } = query.world
  const metric = metricOf(query, settings)
  const country = (event: ReferenceEvent): string => propertyText(event, '$country')
  const placed = eventsInScope(query, settings.scope).filter((event) => country(event) !== '')
  return rankGroups(countedEvents(placed, metric), {
    valuesOf: (event) => [country(event)],
    measure: (items) => measureEvents(items, { metric, people }),
    limit: Number.POSITIVE_INFINITY,
  }).top
}

function mapPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { map } = query.spec
  if (!map || result.case !== 'topK') return []
  const values =
    map.metric === AggregationType.UNIQUE_USERS ? result.value.rows.map(({ value }) => value) : []
  return rankCountries(query, map).map(({ values: [value = ''], items }, index) => ({
    point: pointOf('row', { value }),
    events: items,
    users: values[index],
  }))
}
