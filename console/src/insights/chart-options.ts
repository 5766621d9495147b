import {
  VisualizationOptions_LegendPosition as StoredPosition,
  type ThresholdRule,
  type VisualizationOptions,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { goodDirectionOf, unitOfChart } from '@domain/charts/chart-unit.ts'
import type { ChartOptions, LegendPosition } from '../charts/chart.ts'
import { addsUp } from './model/additive.ts'
import { decodeSpec } from './spec.ts'

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
    unit: unitOfChart(spec, options),
    good: goodDirectionOf(spec),
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
