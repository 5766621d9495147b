import type { EventFilter } from '../../contract/gen/common/v1/filter_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type TopKQuery, TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { type InsightRules, invalidSpec } from './insight-context.ts'
import { type EventMatch, parseEventFilter } from './parse-filters.ts'
import type { EventProperty } from './property.ts'
import { countsUsers, parseEventProperty, parseRangeMetric, type RangeMetric } from './series.ts'

/** The dimension whose values a ranking ranks. */
export type Dimension =
  | { readonly kind: 'property'; readonly property: EventProperty }
  | { readonly kind: 'event_kind' }
  | { readonly kind: 'user' }

/** A ranking of the values of a dimension by a metric. */
export interface RankingQuery {
  readonly dimension: Dimension
  readonly match: EventMatch
  readonly metric: RangeMetric
  /** Maximum rows besides the row of the others; when absent, every value has a row. */
  readonly limit: number | undefined
  /** Whether values beyond the limit share one row. */
  readonly others: 'one row' | 'left out'
  /** Whether events without a value form a row. */
  readonly emptyValue: 'a row' | 'left out'
}

const LIMIT_DEFAULT = 10

/** Maximum rows that a request may ask for; also the heap size of the statement for counts. */
const LIMIT_MAX = 100

/** The first values of a dimension. */
export const TOP_K_RULES: InsightRules<RankingQuery> = { fields: ['topK'], parse: parseTopK }

/** A value for each country. */
export const MAP_RULES: InsightRules<RankingQuery> = { fields: ['map'], parse: parseMap }

function parseTopK({ topK }: InsightQuerySpec): RankingQuery {
  if (!topK) throw invalidSpec('topK', 'is required')
  if (topK.limit < 0 || topK.limit > LIMIT_MAX) throw invalidSpec('topK.limit', `must be 0 to ${LIMIT_MAX}`)
  const dimension = parseDimension(topK)
  const metric = parseRangeMetric({
    type: topK.metric,
    property: topK.metricProperty,
    fields: { type: 'topK.metric', property: 'topK.metricProperty' },
  })
  if (dimension.kind === 'user' && countsUsers(metric)) {
    throw invalidSpec('topK.metric', 'must not count users where users are ranked')
  }
  return {
    dimension,
    match: parseScope(topK.scope, 'topK'),
    metric,
    limit: topK.limit || LIMIT_DEFAULT,
    others: topK.omitOthers ? 'left out' : 'one row',
    emptyValue: 'a row',
  }
}

/** Every country has a row. */
function parseMap({ map }: InsightQuerySpec): RankingQuery {
  if (!map) throw invalidSpec('map', 'is required')
  const metric = parseRangeMetric({
    type: map.metric,
    property: map.metricProperty,
    fields: { type: 'map.metric', property: 'map.metricProperty' },
  })
  if (!('property' in metric) && map.metricProperty !== '') {
    throw invalidSpec(
      'map.metricProperty',
      'belongs to SUM, AVG, MIN, MAX, MEDIAN, percentiles and DISTINCT_VALUES',
    )
  }
  return {
    dimension: { kind: 'property', property: parseEventProperty('$country', 'map') },
    match: parseScope(map.scope, 'map'),
    metric,
    limit: undefined,
    others: 'left out',
    emptyValue: 'left out',
  }
}

function parseDimension({ dimension, property }: TopKQuery): Dimension {
  if (dimension === TopKQuery_Dimension.PROPERTY) {
    return { kind: 'property', property: parseEventProperty(property, 'topK.property') }
  }
  if (property !== '') throw invalidSpec('topK.property', 'belongs to DIMENSION_PROPERTY')
  if (dimension === TopKQuery_Dimension.EVENT_KIND) return { kind: 'event_kind' }
  if (dimension === TopKQuery_Dimension.USER) return { kind: 'user' }
  throw invalidSpec('topK.dimension', 'is required')
}

function parseScope(scope: EventFilter | undefined, owner: 'topK' | 'map'): EventMatch {
  return parseEventFilter(scope, { field: `spec.${owner}.scope`, reason: 'INVALID_INSIGHT_QUERY' })
}
