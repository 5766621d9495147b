import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { bandsOf, type ToneName, toneOfRule } from '@domain/thresholds.ts'
import uPlot from 'uplot'
import { formatMoment } from '../app/format.ts'
import { barPaths } from './bar-paths.ts'
import { createToggle, pressShown } from './legend.ts'
import { readColor, seriesColor } from './palette.ts'
import type { ChartSeries, TimeSeriesProps } from './time-series.tsx'
import { labelOnly, labelTicks } from './time-ticks.ts'
import { formatTick, formatValue } from './unit.ts'

/** Seconds beside the only time there is: uPlot would show the years after it. */
const MARGIN_SECONDS = 3600

/** How far beyond the highest value a bound may be and still be shown: further away it would make the chart flat. */
const BOUND_REACH = 2

/** Points are drawn while there are fewer times. */
const POINTS_MAX = 40

/** How large a chart is drawn; everything in it is `scale` times its usual size. */
export interface PlotSize {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** Bars stand on each other: each is drawn as high as itself and all below it, the highest first. */
export function dataOf(props: TimeSeriesProps): uPlot.AlignedData {
  const { times, series, look } = props
  const seconds = times.map((ms) => ms / 1000)
  const drawn = look === 'bars' ? stackOf(series, times).reverse() : series.map(({ values }) => values)
  const before = linesBefore(props).map(({ values }) => times.map((_, at) => values[at] ?? null))
  return [seconds, ...drawn.map((values) => [...values]), ...before]
}

function stackOf(series: readonly ChartSeries[], times: readonly number[]): (readonly number[])[] {
  return series.map((_, index) =>
    times.map((__, at) => series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  )
}

/** What stood on each other is compared as a whole. */
function linesBefore({ before = [], look, times }: TimeSeriesProps): readonly ChartSeries[] {
  if (look !== 'bars' || before.length < 2) return before
  return [{ label: 'All, before', values: stackOf(before, times).at(-1) ?? [] }]
}

/** Everything that uPlot is told about a chart. What stands on each other stays: above a gap it would show wrong heights. */
export function plotOptions(props: TimeSeriesProps, size: PlotSize): uPlot.Options {
  const { series, look, timeZone } = props
  const { width, height, scale } = size
  const order = series.map((_, index) => (look === 'bars' ? series.length - 1 - index : index))
  const rules = props.rules ?? []
  return {
    width: width * scale,
    height: height * scale,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: props.legend !== 'nowhere', live: true },
    cursor: { drag: { x: false, y: false }, ...(look === 'bars' && { bind: { click: () => null } }) },
    scales: {
      x: { range: (_, min, max) => timeRange(props, { min, max }) },
      y: {
        ...(props.scale === 'logarithmic' && { distr: 4 as const, asinh: 1 }),
        range: (_, min, max) => valueRange({ min, max }, rules),
      },
    },
    axes: axesOf(props, scale),
    hooks: {
      drawClear: [(plot) => drawBands(plot, rules)],
      drawAxes: [(plot) => drawBounds(plot, rules)],
      setSeries: [pressShown],
    },
    series: [
      {
        label: 'Time',
        value: (_, seconds) => (seconds === null ? '' : formatMoment(seconds * 1000, timeZone)),
      },
      ...order.map((index) => lineOf(props, { index, scale })),
      ...linesBefore(props).map((line, index) => lineBefore(props, { line, index, scale })),
    ],
  }
}

function axesOf({ times, timeZone, unit }: TimeSeriesProps, scale: number): uPlot.Axis[] {
  const grid = { stroke: readColor('line'), width: scale }
  const axis = {
    stroke: readColor('quiet'),
    grid,
    ticks: { ...grid, size: 6 * scale },
    gap: 5 * scale,
    font: `${12 * scale}px system-ui`,
  }
  return [
    {
      ...axis,
      space: 80 * scale,
      size: 46 * scale,
      values: (_, ticks, __, ___, stepSeconds) => labelTicks(ticks, { stepSeconds, timeZone }),
      ...(times.length === 1 && {
        splits: () => times.map((ms) => ms / 1000),
        values: (_: uPlot, ticks: number[]) => ticks.map((tick) => labelOnly(tick, timeZone)),
      }),
    },
    {
      ...axis,
      space: 36 * scale,
      size: 60 * scale,
      values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : formatTick(tick, unit))),
    },
  ]
}

/** From 0 to a little above the highest value, or bound that is near it. */
function valueRange(
  { min, max }: { readonly min: number; readonly max: number },
  rules: readonly ThresholdRule[],
): [number, number] {
  const near = rules.map(({ value }) => value).filter((value) => value <= max * BOUND_REACH)
  const high = Math.max(max, ...near)
  const low = Math.min(0, min)
  return [low * 1.08, high > 0 ? high * 1.08 : low < 0 ? 0 : 1]
}

const BAND_OPACITY = 0.1

/** What the rules say about values lies behind them. */
function drawBands(plot: uPlot, rules: readonly ThresholdRule[]): void {
  const { ctx, bbox, scales } = plot
  const { min, max } = scales.y ?? {}
  if (typeof min !== 'number' || typeof max !== 'number') return
  ctx.save()
  ctx.globalAlpha = BAND_OPACITY
  for (const { from, to, tone } of bandsOf(rules, { min, max })) {
    const [top, bottom] = [plot.valToPos(to, 'y', true), plot.valToPos(from, 'y', true)]
    ctx.fillStyle = readColor(TONE_COLORS[tone])
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top)
  }
  ctx.restore()
}

function drawBounds(plot: uPlot, rules: readonly ThresholdRule[]): void {
  const { ctx, bbox, scales } = plot
  const { min = 0, max = 0 } = scales.y ?? {}
  ctx.save()
  ctx.setLineDash([6, 4])
  for (const rule of rules.filter(({ value }) => value >= min && value <= max)) {
    const y = Math.round(plot.valToPos(rule.value, 'y', true)) + 0.5
    ctx.strokeStyle = readColor(TONE_COLORS[toneOfRule(rule)])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

const TONE_COLORS = { good: 'good', warn: 'warn', bad: 'bad', neutral: 'quiet' } as const satisfies Record<
  ToneName,
  Parameters<typeof readColor>[0]
>

/** From the first time to the last, with room for half a bar at both. */
function timeRange(
  { times, look }: TimeSeriesProps,
  { min, max }: { readonly min: number; readonly max: number },
): [number, number] {
  const [first = 0, second] = times
  if (second === undefined) return [first / 1000 - MARGIN_SECONDS, first / 1000 + MARGIN_SECONDS]
  const margin = isBars(look) ? (second - first) / 2000 : 0
  return [min - margin, max + margin]
}

function isBars(look: TimeSeriesProps['look']): boolean {
  return look === 'bars' || look === 'grouped'
}

/** A series in the order of the data, and how large it is drawn. */
interface Drawn {
  readonly index: number
  readonly scale: number
}

/** What stands on each other cannot be hidden. */
function labelOf(name: string, look: TimeSeriesProps['look']): string | HTMLElement {
  return look === 'bars' ? name : createToggle(name)
}

function lineOf({ series, look, times, unit }: TimeSeriesProps, { index, scale }: Drawn): uPlot.Series {
  const color = seriesColor(index)
  const slot = look === 'grouped' ? { index, count: series.length } : { index: 0, count: 1 }
  return {
    label: labelOf(series[index]?.label ?? '', look),
    stroke: color,
    width: 2 * scale,
    points: { show: !isBars(look) && times.length < POINTS_MAX, size: 5 * scale },
    value: (_, __, ___, at) => (at === null ? '' : formatValue(series[index]?.values[at] ?? 0, unit)),
    ...(look === 'area' && { fill: `${color}33` }),
    ...(isBars(look) && { fill: color, width: 0, paths: barPaths(slot, scale) }),
    ...(look === 'bars' && { class: 'stays' }),
  }
}

/** Dashed and faint: it is there to be compared with. */
function lineBefore(
  { series, look, unit, before = [] }: TimeSeriesProps,
  { line, index, scale }: Drawn & { readonly line: ChartSeries },
): uPlot.Series {
  const isWhole = look === 'bars' && before.length > 1
  const at = series.findIndex(({ label }) => label === line.label)
  return {
    label: labelOf(isWhole ? line.label : `${line.label}, before`, look),
    stroke: isWhole ? readColor('quiet') : `${seriesColor(at < 0 ? index : at)}b3`,
    width: 1.5 * scale,
    dash: [5 * scale, 4 * scale],
    points: { show: false },
    value: (_, __, ___, shown) => (shown === null ? '' : formatValue(line.values[shown] ?? 0, unit)),
  }
}
