import type { MessageInitShape } from '@bufbuild/protobuf'
import type { WebMetricsSchema } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'

/** The numbers behind the measures of some visits. */
export interface VisitTotals {
  readonly visitors: number
  readonly visits: number
  readonly views: number
  readonly bounces: number
  readonly spentMs: number
}

/** The totals of no visits. */
export const NO_VISITS: VisitTotals = { visitors: 0, visits: 0, views: 0, bounces: 0, spentMs: 0 }

/** The measures of some visits. */
export function toMetrics(totals: VisitTotals): MessageInitShape<typeof WebMetricsSchema> {
  const { visitors, visits, views, bounces, spentMs } = totals
  return {
    visitors: BigInt(visitors),
    visits: BigInt(visits),
    pageViews: BigInt(views),
    viewsPerVisit: ratio(views, visits),
    bounceRate: percent(bounces, visits),
    visitDurationSeconds: ratio(spentMs, visits * 1000),
  }
}

/** Percentage; 0 of 0 is 0. */
export function percent(part: number, whole: number): number {
  return ratio(100 * part, whole)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
