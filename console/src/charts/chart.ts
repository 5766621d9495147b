import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { Unit } from '../format/unit.ts'

/** How an answer is shown. */
export type View = 'line' | 'area' | 'bars' | 'grouped' | 'kpi' | 'chart' | 'pie' | 'table'

/** Where the legend of a chart over time stands. */
export type LegendPosition = 'below' | 'above' | 'right' | 'hidden'

/** What a chart looks like, apart from its view. */
export interface ChartOptions {
  readonly unit: Unit
  readonly rules: readonly ThresholdRule[]
  readonly scale: 'linear' | 'logarithmic'
  readonly legend: LegendPosition
  readonly sparkline: 'shown' | 'hidden'
  /** Shares of the total beside the values of countries, for values that add up to it. */
  readonly shares: 'shown' | 'hidden'
  /** Shares beside the values of a pie. */
  readonly pieLabels: 'shown' | 'hidden'
}

/** The props of the chart of an insight type, by the result that it draws. */
export interface ChartProps<Result> {
  readonly result: Result
  /** The result of the previous period, to compare with. */
  readonly previous: Result | undefined
  readonly view: View
  readonly timeZone: string
  readonly options: ChartOptions
  /** In pixels; absent fills the surrounding box. */
  readonly height?: number | undefined
}
