import {
  VisualizationOptions_YAxisFormat as ValueFormat,
  type VisualizationOptions,
} from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import type { Unit } from './value-axis.ts'

const UNIT_OF_METRIC: Readonly<Partial<Record<SessionMetric, Unit>>> = {
  [SessionMetric.AVG_DURATION]: 'seconds',
  [SessionMetric.BOUNCE_RATE]: 'percent',
}

/** Metrics whose fall is good news. */
const GOOD_DOWN: ReadonlySet<SessionMetric> = new Set([SessionMetric.BOUNCE_RATE])

const UNIT_OF_FORMAT: Readonly<Partial<Record<ValueFormat, Unit>>> = {
  [ValueFormat.NUMBER]: 'number',
  [ValueFormat.PERCENT]: 'percent',
  [ValueFormat.DURATION_MS]: 'milliseconds',
  [ValueFormat.COMPACT]: 'compact',
}

/** The unit of the values of an insight, as a tile shows them. */
export function unitOfChart(
  spec: InsightQuerySpec | undefined,
  options: VisualizationOptions | undefined,
): Unit {
  return UNIT_OF_FORMAT[options?.yAxisFormat ?? 0] ?? UNIT_OF_METRIC[spec?.session?.metric ?? 0] ?? 'number'
}

/** The direction of the values of an insight that is good news. */
export function goodDirectionOf(spec: InsightQuerySpec | undefined): 'up' | 'down' {
  return spec && GOOD_DOWN.has(spec.session?.metric ?? 0) ? 'down' : 'up'
}
