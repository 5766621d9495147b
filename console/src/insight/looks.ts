import {
  VisualizationOptions_LegendPosition as LegendPosition,
  type ThresholdRule,
  VisualizationOptions_YAxisFormat as ValueFormat,
  type VisualizationOptions,
} from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import type { LegendPlace } from '../charts/time-series.tsx'
import type { Unit } from '../charts/unit.ts'
import { addsUp } from './parts.ts'
import { draftOf } from './spec-json.ts'

/** How an answer looks, besides its view. */
export interface Looks {
  readonly unit: Unit
  readonly rules: readonly ThresholdRule[]
  readonly scale: 'linear' | 'logarithmic'
  readonly legend: LegendPlace
  readonly sparkline: 'shown' | 'hidden'
  /** Shares of the sum beside the numbers of countries, where they are parts of it. */
  readonly shares: 'shown' | 'hidden'
  /** Shares beside the numbers of a pie. */
  readonly pieLabels: 'shown' | 'hidden'
}

const UNIT_OF_METRIC: Readonly<Partial<Record<SessionMetric, Unit>>> = {
  [SessionMetric.AVG_DURATION]: 'seconds',
  [SessionMetric.BOUNCE_RATE]: 'percent',
}

const UNIT_OF_FORMAT: Readonly<Partial<Record<ValueFormat, Unit>>> = {
  [ValueFormat.NUMBER]: 'number',
  [ValueFormat.PERCENT]: 'percent',
  [ValueFormat.DURATION_MS]: 'milliseconds',
  [ValueFormat.COMPACT]: 'compact',
}

const LEGEND_PLACES: Readonly<Record<LegendPosition, LegendPlace>> = {
  [LegendPosition.UNSPECIFIED]: 'below',
  [LegendPosition.BOTTOM]: 'below',
  [LegendPosition.RIGHT]: 'right',
  [LegendPosition.TOP]: 'above',
}

/** How the answer to a spec looks: as suits it, and as a tile wishes. */
export function looksOf(
  spec: InsightQuerySpec | undefined,
  wishes: {
    readonly rules?: readonly ThresholdRule[]
    readonly options?: VisualizationOptions | undefined
  } = {},
): Looks {
  const { rules = [], options } = wishes
  return {
    unit: UNIT_OF_FORMAT[options?.yAxisFormat ?? 0] ?? UNIT_OF_METRIC[spec?.session?.metric ?? 0] ?? 'number',
    rules,
    scale: options?.logScale ? 'logarithmic' : 'linear',
    legend: options?.hideLegend ? 'nowhere' : LEGEND_PLACES[options?.legendPosition ?? 0],
    sparkline: options?.hideSparkline ? 'hidden' : 'shown',
    shares: spec && addsUp(draftOf(spec).scope.aggregation) ? 'shown' : 'hidden',
    pieLabels: options?.hidePieLabels ? 'hidden' : 'shown',
  }
}
