import { LogicalOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import { AggregationType, type EventQuery } from '../../../contract/gen/shared/insights/v1/event_query_pb.js'
import type { InsightQuerySpec } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { BucketWidth } from '../buckets.ts'
import { notYet } from '../query-insight.ts'
import { parseGranularity, parseTimeRange, type RangeMs } from '../time-range.ts'

/** A trends question: how many events of each kind, bucket by bucket. */
export interface TrendsQuestion {
  readonly range: RangeMs
  readonly granularity: BucketWidth
  /** One series each, in the order of the answer; an empty kind is every kind. */
  readonly kinds: readonly string[]
}

/** Reads a trends question. Throws `invalid_argument`, or `unimplemented` for an option that is not served yet. */
export function parseTrends(request: QueryRequest): TrendsQuestion {
  const range = parseTimeRange(request.timeRange, 'INVALID_INSIGHT_QUERY')
  const granularity = parseGranularity(request.granularity, range)
  if (request.timezone !== '' && request.timezone !== 'UTC') throw notYet('a time zone other than UTC')
  const option = request.spec && unservedOption(request.spec)
  if (option) throw notYet(option)
  const kinds = (request.spec?.events ?? []).map(parseKind)
  return { range, granularity, kinds: kinds.length === 0 ? [''] : kinds }
}

function unservedOption(spec: InsightQuerySpec): string | undefined {
  const operator = spec.filterGroupsOperator
  const options: Readonly<Record<string, boolean>> = {
    'a breakdown': spec.breakdowns.length > 0 || spec.breakdownLimit !== 0,
    'a filter': spec.filterGroups.length > 0 || operator === LogicalOperator.OR,
    'a session metric': spec.session !== undefined,
  }
  return Object.keys(options).find((option) => options[option])
}

function parseKind(query: EventQuery): string {
  const { aggregation } = query
  if (aggregation !== AggregationType.UNSPECIFIED && aggregation !== AggregationType.TOTAL) {
    throw notYet(`aggregation ${AggregationType[aggregation]}`)
  }
  if (query.event && query.event.filters.length > 0) throw notYet('a filter')
  return query.event?.kind ?? ''
}
