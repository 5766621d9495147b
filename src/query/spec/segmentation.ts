import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { parseSeries, type Series } from './series.ts'
import { parseSessionSegmentation, type SessionQuery } from './sessions.ts'

/** One number: the metric of the first series, over the events of all series. */
export interface SegmentationQuery {
  readonly series: readonly Series[]
}

/** Parses a segmentation query, which may be about sessions. Throws `invalid_argument`. */
export function parseSegmentation(spec: InsightQuerySpec): SegmentationQuery | SessionQuery {
  return spec.session ? parseSessionSegmentation(spec, spec.session) : { series: parseSeries(spec.events) }
}
