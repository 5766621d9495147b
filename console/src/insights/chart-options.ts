import {
  VisualizationOptions_LegendPosition as StoredPosition,
  type ThresholdRule,
  VisualizationOptions_YAxisFormat as ValueFormat,
  type VisualizationOptions,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import type { ChartOptions, LegendPosition } from '../charts/chart.ts'
import type { Unit } from '../format/unit.ts'
import { addsUp } from './model/additive.ts'
import { decodeSpec } from './spec.ts'

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

const LEGEND_POSITIONS: Readonly<Record<StoredPosition, LegendPosition>> = {
  [StoredPosition.UNSPECIFIED]: 'below',
  [StoredPosition.BOTTOM]: 'below',
  [StoredPosition.RIGHT]: 'right',
  [StoredPosition.TOP]: 'above',
}

/** The chart options of an answer: the defaults of its spec, and the settings of a tile. */
export function chartOptionsOf(
  spec: InsightQuerySpec | undefined,
  settings: {
    readonly rules?: readonly ThresholdRule[]
    readonly options?: VisualizationOptions | undefined
  } = {},
): ChartOptions {
  const { rules = [], options } = settings
  return {
    unit: UNIT_OF_FORMAT[options?.yAxisFormat ?? 0] ?? UNIT_OF_METRIC[spec?.session?.metric ?? 0] ?? 'number',
    good: spec && GOOD_DOWN.has(spec.session?.metric ?? 0) ? 'down' : 'up',
    rules,
    scale: options?.logScale ? 'logarithmic' : 'linear',
    legend: options?.hideLegend ? 'hidden' : LEGEND_POSITIONS[options?.legendPosition ?? 0],
    sparkline: options?.hideSparkline ? 'hidden' : 'shown',
    shares: spec && hasShares(spec) ? 'shown' : 'hidden',
    pieLabels: options?.hidePieLabels ? 'hidden' : 'shown',
  }
}

/** Whether the values of a ranking add up to a total. */
function hasShares(spec: InsightQuerySpec): boolean {
  const draft = decodeSpec(spec)
  return !('series' in draft) || addsUp(draft.series.measure)
}
