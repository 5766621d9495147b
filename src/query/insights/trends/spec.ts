import type { InsightQuerySpec } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type Breakdown, parseBreakdown } from '../breakdown.ts'
import { bucketStarts } from '../buckets.ts'
import type { Frame } from '../insight.ts'
import { parseSeries, type Series } from '../series.ts'
import { parseSessionTrends, type SessionTrendsQuestion } from '../sessions/spec.ts'

/** A trends query over events: one line per series, or per series and breakdown value. */
export interface TrendsQuestion {
  readonly series: readonly Series[]
  readonly breakdown: Breakdown | undefined
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
}

/** Parses a trends query, which may be about sessions. Throws `invalid_argument`. */
export function parseTrends(spec: InsightQuerySpec, frame: Frame): TrendsQuestion | SessionTrendsQuestion {
  if (spec.session) return parseSessionTrends(spec, spec.session, frame)
  return {
    series: parseSeries(spec.events),
    breakdown: parseBreakdown(spec),
    starts: bucketStarts({ ...frame.range, width: frame.granularity, zone: frame.zone }),
  }
}
