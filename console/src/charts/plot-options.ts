import {
  AREA_BOTTOM_OPACITY,
  AREA_TOP_OPACITY,
  axisWidth,
  LABEL_FONT,
  LINE_WIDTH,
  marginOf,
  PADDING_RIGHT,
  PADDING_TOP,
  PREVIOUS_BAR_OPACITY,
  PREVIOUS_DASH,
  PREVIOUS_WIDTH,
  slotCount,
  slotOf,
  ticksOf,
  X_AXIS,
} from '@domain/charts/plot-layout.ts'
import { timeLabeller } from '@domain/charts/time-axis.ts'
import { isBars, type Line, type TimeModel, topOf } from '@domain/charts/time-model.ts'
import type uPlot from 'uplot'
import { isDark } from '../context/theme.ts'
import { formatTick } from '../format/unit.ts'
import { formats } from '../format/values.ts'
import { readColor, readFont, readTransparent } from './canvas-colors.ts'
import { seriesColor } from './palette.ts'
import { drawBands, drawBase, drawBounds, drawUnfinished } from './plot-marks.ts'
import { barPaths, linePaths } from './plot-paths.ts'

/** The size of a chart in pixels; everything in it is drawn `scale` times as large. */
export interface PlotSize {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** The uPlot options of a chart. Its buckets stand at 0, 1, 2, so that months and days of 23 hours are as wide as others. */
export function plotOptions(model: TimeModel, { width, height, scale }: PlotSize): uPlot.Options {
  const ticks = ticksOf(model, height)
  const last = model.times.length - 1
  const margin = marginOf(model)
  return {
    width: width * scale,
    height: height * scale,
    padding: [PADDING_TOP * scale, PADDING_RIGHT * scale, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [-margin, last + margin] },
      y: {
        ...(model.axis === 'logarithmic' && { distr: 4 as const, asinh: 1 }),
        range: () => [ticks[0] ?? 0, ticks.at(-1) ?? 1],
      },
    },
    axes: axesOf(model, { ticks, scale }),
    hooks: {
      drawClear: [(plot) => drawBands(plot, model.rules)],
      drawAxes: [(plot) => drawBase(plot, scale), (plot) => drawBounds(plot, model.rules)],
      draw: [(plot) => drawUnfinished(plot, model, scale)],
    },
    series: [
      {},
      ...previousSeries(model, scale),
      ...model.lines.map((line, at) => seriesOf(model, { line, at, scale })),
    ],
  }
}

/** The data of a chart, in the order of its options. */
export function plotData({ times, lines, previousLine }: TimeModel): uPlot.AlignedData {
  const previous = previousLine ? [times.map((_, at) => previousLine[at] ?? null)] : []
  return [
    times.map((_, at) => at),
    ...previous,
    ...lines.map((line) => times.map((_, at) => topOf(line, at))),
  ]
}

const NO_TICKS = { show: false } as const

function axesOf(
  model: TimeModel,
  { ticks, scale }: { readonly ticks: readonly number[]; readonly scale: number },
): uPlot.Axis[] {
  const axis = { stroke: readColor('var(--text-3)'), font: readFont(LABEL_FONT * scale), ticks: NO_TICKS }
  const names = ticks.map((tick) => formatTick(tick, model.unit))
  const labelsAt = timeLabeller(model.times, { ...model, formats })
  let labels: ReturnType<typeof labelsAt> = []
  return [
    {
      ...axis,
      grid: NO_TICKS,
      size: X_AXIS * scale,
      gap: 6 * scale,
      splits: (plot) => {
        labels = labelsAt(plot.bbox.width / devicePixelRatio / scale / Math.max(1, model.times.length))
        return labels.map(({ index }) => index)
      },
      values: () => labels.map(({ text }) => text),
    },
    {
      ...axis,
      grid: { stroke: readColor('var(--grid)'), width: scale },
      size: axisWidth(names) * scale,
      gap: 8 * scale,
      splits: () => [...ticks],
      values: () => names,
    },
  ]
}

/** The previous period, behind the series. */
function previousSeries(model: TimeModel, scale: number): uPlot.Series[] {
  if (!model.previousLine) return []
  const drawn = { values: model.previousLine, bases: undefined }
  const points = { show: false }
  if (isBars(model.style)) {
    const slot = { index: 0, count: slotCount(model) }
    const fill = readTransparent('var(--prev)', PREVIOUS_BAR_OPACITY)
    return [{ points, fill, width: 0, paths: barPaths(drawn, { slot, incomplete: undefined, scale }) }]
  }
  const stroke = readColor('var(--prev)')
  const dash = [PREVIOUS_DASH * scale, PREVIOUS_DASH * scale]
  return [{ points, stroke, dash, width: PREVIOUS_WIDTH * scale, paths: linePaths(drawn, undefined) }]
}

function seriesOf(
  model: TimeModel,
  { line, at, scale }: { readonly line: Line; readonly at: number; readonly scale: number },
): uPlot.Series {
  const color = readColor(seriesColor(line.slot))
  const points = { show: false }
  if (isBars(model.style)) {
    const paths = barPaths(line, { slot: slotOf(model, at), incomplete: model.incomplete, scale })
    return { points, fill: color, width: 0, paths }
  }
  const paths = linePaths(line, model.incomplete)
  const isFilled = model.style === 'area' && model.lines.length === 1
  const fill = isFilled ? { fill: (plot: uPlot) => gradientOf(plot, seriesColor(line.slot)) } : {}
  return { points, stroke: color, width: LINE_WIDTH * scale, paths, ...fill }
}

function gradientOf({ ctx, bbox }: uPlot, color: string): CanvasGradient {
  const gradient = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height)
  gradient.addColorStop(0, readTransparent(color, AREA_TOP_OPACITY[isDark() ? 'dark' : 'light']))
  gradient.addColorStop(1, readTransparent(color, AREA_BOTTOM_OPACITY))
  return gradient
}
