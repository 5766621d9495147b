import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type uPlot from 'uplot'
import type { ChartSeries, TimeSeriesProps } from './time-series.tsx'

/** Margin around a single time: without it uPlot shows the following years. */
const MARGIN_SECONDS = 3600

/** A bound further above the highest value than this factor is not shown: it would flatten the chart. */
const BOUND_REACH = 2

/** The label of the previous period. */
export const PREVIOUS_PERIOD = 'Previous period'

/** The label of a line of the previous period; a single series needs no name. */
export function previousLabel(label: string, seriesCount: number): string {
  return seriesCount === 1 ? PREVIOUS_PERIOD : `${label}, previous period`
}

/** Stacked bars are drawn as cumulative sums, the highest first. */
export function dataOf(props: TimeSeriesProps): uPlot.AlignedData {
  const { times, series, style } = props
  const seconds = times.map((ms) => ms / 1000)
  const drawn = style === 'bars' ? stackOf(series, times).reverse() : series.map(({ values }) => values)
  const previous = previousLines(props).map(({ values }) => times.map((_, at) => values[at] ?? null))
  return [seconds, ...drawn.map((values) => [...values]), ...previous]
}

function stackOf(series: readonly ChartSeries[], times: readonly number[]): (readonly number[])[] {
  return series.map((_, index) =>
    times.map((__, at) => series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  )
}

/** Stacked bars are compared by their totals. */
export function previousLines({ previous = [], style, times }: TimeSeriesProps): readonly ChartSeries[] {
  if (style !== 'bars' || previous.length < 2) return previous
  return [{ label: PREVIOUS_PERIOD, values: stackOf(previous, times).at(-1) ?? [] }]
}

/** From 0 to a little above the highest value or nearby bound. */
export function valueRange(
  { min, max }: { readonly min: number; readonly max: number },
  rules: readonly ThresholdRule[],
): [number, number] {
  const near = rules.map(({ value }) => value).filter((value) => value <= max * BOUND_REACH)
  const high = Math.max(max, ...near)
  const low = Math.min(0, min)
  return [low * 1.08, high > 0 ? high * 1.08 : low < 0 ? 0 : 1]
}

/** From the first time to the last, with room for half a bar at both ends. */
export function timeRange(
  { times, style }: TimeSeriesProps,
  { min, max }: { readonly min: number; readonly max: number },
): [number, number] {
  const [first = 0, second] = times
  if (second === undefined) return [first / 1000 - MARGIN_SECONDS, first / 1000 + MARGIN_SECONDS]
  const margin = isBars(style) ? (second - first) / 2000 : 0
  return [min - margin, max + margin]
}

/** Whether a style draws bars. */
export function isBars(style: TimeSeriesProps['style']): boolean {
  return style === 'bars' || style === 'grouped'
}
