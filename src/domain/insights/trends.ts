import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type Breakdown, parseBreakdown } from './breakdown.ts'
import { bucketStarts } from './buckets.ts'
import { type Formula, parseFormulas } from './formula.ts'
import type { InsightContext, InsightRules } from './insight-context.ts'
import { parseRangeSeries, parseTrendsSeries, type RangeMetric, type Series } from './series.ts'
import {
  parseSessionSegmentation,
  parseSessionTrends,
  type SessionQuery,
  type SessionTrendsQuery,
} from './sessions.ts'

/** A trends query over events: one line per series, or per series and breakdown value. */
export interface TrendsQuery {
  readonly measures: 'events'
  readonly series: readonly Series[]
  readonly formulas: readonly Formula[]
  readonly breakdown: Breakdown | undefined
  /** Starts of the buckets, ascending, in milliseconds since the Unix epoch. */
  readonly starts: readonly number[]
}

/** Trends over events or sessions. */
export const TRENDS_RULES: InsightRules<TrendsQuery | SessionTrendsQuery> = {
  fields: ['events', 'breakdowns', 'breakdownLimit', 'breakdownCohortIds', 'session', 'formulas'],
  parse: (spec, context) =>
    spec.session ? parseSessionTrends(spec, spec.session, context) : parseEventTrends(spec, context),
}

function parseEventTrends(spec: InsightQuerySpec, context: InsightContext): TrendsQuery {
  return {
    measures: 'events',
    series: parseTrendsSeries(spec.events, context),
    formulas: parseFormulas(spec.formulas, { seriesCount: spec.events.length }),
    breakdown: parseBreakdown(spec),
    starts: bucketStarts({ ...context.range, width: context.granularity, zone: context.zone }),
  }
}

/** One number: the metric of the first series, over the events of all series. */
export interface SegmentationQuery {
  readonly measures: 'events'
  readonly series: readonly Series<RangeMetric>[]
  readonly formulas: readonly Formula[]
}

/** One number over events or sessions. */
export const SEGMENTATION_RULES: InsightRules<SegmentationQuery | SessionQuery> = {
  fields: ['events', 'breakdownCohortIds', 'session', 'formulas'],
  parse: (spec, context) =>
    spec.session ? parseSessionSegmentation(spec, spec.session) : parseEventSegmentation(spec, context),
}

function parseEventSegmentation(spec: InsightQuerySpec, context: InsightContext): SegmentationQuery {
  return {
    measures: 'events',
    series: parseRangeSeries(spec.events, context),
    formulas: parseFormulas(spec.formulas, { seriesCount: spec.events.length }),
  }
}
