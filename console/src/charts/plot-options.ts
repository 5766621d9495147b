import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { bandsOf, type ToneName, toneOfRule } from '@domain/thresholds.ts'
import uPlot from 'uplot'
import { formatTick, formatValue } from '../format/unit.ts'
import { formatMoment } from '../format/values.ts'
import { barPaths } from './bar-paths.ts'
import { createToggle, pressShown } from './legend.ts'
import { readColor, seriesColor } from './palette.ts'
import { isBars, previousLabel, previousLines, timeRange, valueRange } from './scales.ts'
import type { ChartSeries, TimeSeriesProps } from './time-series.tsx'
import { labelOnly, labelTicks } from './time-ticks.ts'

/** Points are drawn only with fewer times than this. */
const POINTS_MAX = 40

/** The size of a chart; everything in it is drawn `scale` times as large. */
export interface PlotSize {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** The uPlot options of a chart. Stacked bars cannot be hidden: those above a gap would have wrong heights. */
export function plotOptions(props: TimeSeriesProps, size: PlotSize): uPlot.Options {
  const { series, style, timeZone } = props
  const { width, height, scale } = size
  const order = series.map((_, index) => (style === 'bars' ? series.length - 1 - index : index))
  const rules = props.rules ?? []
  return {
    width: width * scale,
    height: height * scale,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: props.legend !== 'hidden', live: true },
    cursor: { drag: { x: false, y: false }, ...(style === 'bars' && { bind: { click: () => null } }) },
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
      ...previousLines(props).map((line, index) => previousLine(props, { line, index, scale })),
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

const BAND_OPACITY = 0.1

/** Draws the bands of the threshold rules behind the values. */
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

/** The index of a series in the data, and its scale. */
interface Drawn {
  readonly index: number
  readonly scale: number
}

/** The label of a series; stacked bars have no toggle. */
function labelOf(name: string, style: TimeSeriesProps['style']): string | HTMLElement {
  return style === 'bars' ? name : createToggle(name)
}

function lineOf({ series, style, times, unit }: TimeSeriesProps, { index, scale }: Drawn): uPlot.Series {
  const color = seriesColor(index)
  const slot = style === 'grouped' ? { index, count: series.length } : { index: 0, count: 1 }
  return {
    label: labelOf(series[index]?.label ?? '', style),
    stroke: color,
    width: 2 * scale,
    points: { show: !isBars(style) && times.length < POINTS_MAX, size: 5 * scale },
    value: (_, __, ___, at) => (at === null ? '' : formatValue(series[index]?.values[at] ?? 0, unit)),
    ...(style === 'area' && { fill: `${color}33` }),
    ...(isBars(style) && { fill: color, width: 0, paths: barPaths(slot, scale) }),
    ...(style === 'bars' && { class: 'stays' }),
  }
}

/** A dashed, faint line of the previous period. */
function previousLine(
  { series, style, unit, previous = [] }: TimeSeriesProps,
  { line, index, scale }: Drawn & { readonly line: ChartSeries },
): uPlot.Series {
  const isWhole = style === 'bars' && previous.length > 1
  const at = series.findIndex(({ label }) => label === line.label)
  return {
    label: labelOf(isWhole ? line.label : previousLabel(line.label, series.length), style),
    stroke: isWhole ? readColor('quiet') : `${seriesColor(at < 0 ? index : at)}b3`,
    width: 1.5 * scale,
    dash: [5 * scale, 4 * scale],
    points: { show: false },
    value: (_, __, ___, shown) => (shown === null ? '' : formatValue(line.values[shown] ?? 0, unit)),
  }
}
