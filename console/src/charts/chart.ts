import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import type { GoodDirection } from '../format/change.ts'
import type { Unit } from '../format/unit.ts'

/** The view of an answer. */
export type View = 'line' | 'area' | 'bars' | 'grouped' | 'kpi' | 'chart' | 'pie' | 'table'

/** The position of the legend of a chart over time; a table below it also has values and changes. */
export type LegendPosition = 'below' | 'above' | 'right' | 'table' | 'hidden'

/** The steps that the rates of a funnel are shown from. */
export const RATES = ['previous', 'first'] as const
/** The step that the rates of a funnel are shown from. */
export type RateFrom = (typeof RATES)[number]

/** Display options of a chart, apart from its view. */
export interface ChartOptions {
  readonly unit: Unit
  readonly good: GoodDirection
  readonly rules: readonly ThresholdRule[]
  readonly scale: 'linear' | 'logarithmic'
  readonly legend: LegendPosition
  readonly sparkline: 'shown' | 'hidden'
  /** Shares of the total beside the values of countries, for values that add up to it. */
  readonly shares: 'shown' | 'hidden'
  /** Shares beside the values of a pie. */
  readonly pieLabels: 'shown' | 'hidden'
  /** The step that the rates in the bars of a funnel are shown from; the previous one by default. */
  readonly rate?: RateFrom
}

/** A part of a chart whose people can be listed. */
export type ChartTarget =
  | { readonly kind: 'point'; readonly series: number; readonly startMs: number; readonly endMs: number }
  | {
      readonly kind: 'step'
      readonly series: number
      readonly step: number
      readonly part: 'continued' | 'dropped'
    }
  /** A series over the whole range, or a single number. */
  | { readonly kind: 'total'; readonly series: number }
  | {
      readonly kind: 'cell'
      readonly series: number
      readonly cohort: string
      readonly period: number
      /** Absent for those who came back. */
      readonly part?: 'absent'
    }
  | {
      readonly kind: 'activity'
      readonly series: number
      /** Active buckets. */
      readonly buckets: number
      /** Whether people with more of them belong to it. */
      readonly orMore: boolean
    }
  | { readonly kind: 'row'; readonly value: string; readonly isOthers: boolean }
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'link'; readonly source: string; readonly target: string }

/** The props of the chart of an insight type, by the result that it draws. */
export interface ChartProps<Result> {
  readonly result: Result
  /** The result of the previous period, to compare with. */
  readonly previous: Result | undefined
  /** The values of series over the whole range. */
  readonly totals?: readonly SeriesTotal[] | undefined
  /** Lists the people of a part; without it nothing can be opened. */
  readonly onOpen?: ((target: ChartTarget) => void) | undefined
  /** The part whose people are listed. */
  readonly opened?: ChartTarget | undefined
  readonly view: View
  readonly timeZone: string
  /** The query, where the numbers of its answer do not name what they are. */
  readonly spec?: InsightQuerySpec | undefined
  readonly options: ChartOptions
  /** In pixels; absent fills the surrounding box. */
  readonly height?: number | undefined
}
