import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type Breakdown, parseBreakdown } from './breakdown.ts'
import { bucketStarts } from './buckets.ts'
import type { InsightContext } from './insight-context.ts'
import { parseSeries, type Series } from './series.ts'
import { parseSessionTrends, type SessionTrendsQuery } from './sessions.ts'

/** A trends query over events: one line per series, or per series and breakdown value. */
export interface TrendsQuery {
  readonly series: readonly Series[]
  readonly breakdown: Breakdown | undefined
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
}

/** Parses a trends query, which may be about sessions. Throws `invalid_argument`. */
export function parseTrends(
  spec: InsightQuerySpec,
  context: InsightContext,
): TrendsQuery | SessionTrendsQuery {
  if (spec.session) return parseSessionTrends(spec, spec.session, context)
  return {
    series: parseSeries(spec.events),
    breakdown: parseBreakdown(spec),
    starts: bucketStarts({ ...context.range, width: context.granularity, zone: context.zone }),
  }
}
