import type { ChartFormats } from '../../../domain/charts/formats.ts'
import { writeTick } from '../../../domain/charts/formats.ts'
import {
  AREA_BOTTOM_OPACITY,
  AREA_TOP_OPACITY,
  axisWidth,
  barBox,
  type Drawn,
  LABEL_FONT,
  LINE_WIDTH,
  marginOf,
  PADDING_RIGHT,
  PADDING_TOP,
  type PlotSpace,
  PREVIOUS_BAR_OPACITY,
  PREVIOUS_DASH,
  PREVIOUS_WIDTH,
  paintedBar,
  runsOf,
  slotCount,
  slotOf,
  ticksOf,
  X_AXIS,
} from '../../../domain/charts/plot-layout.ts'
import { timeLabeller } from '../../../domain/charts/time-axis.ts'
import { isBars, type Line, type TimeModel, topOf } from '../../../domain/charts/time-model.ts'
import { COLORS, seriesColor } from './palette.ts'

/** The size of a chart in a mail, in pixels of its layout. */
export const CHART_SIZE = { width: 536, height: 190 } as const

/** Shorter lines than this many points are marked at each point. */
const MARKED_MAX = 1

/** The drawing area of a chart. */
interface Plot extends PlotSpace {
  readonly left: number
  readonly right: number
  readonly bottom: number
}

/** Draws a chart over time as SVG, with the layout of the console's charts. */
export function drawChart(model: TimeModel, formats: ChartFormats): string {
  const { width, height } = CHART_SIZE
  const ticks = ticksOf(model, height)
  const names = ticks.map((tick) => writeTick(tick, model.unit, formats))
  const plot = layOut(model, { ticks, left: axisWidth(names) })
  const parts = [
    `<rect width="${width}" height="${height}" fill="${COLORS.surface}"/>`,
    ...drawValueAxis(plot, ticks, names),
    ...drawTimeAxis(plot, model, formats),
    ...drawPrevious(plot, model),
    ...model.lines.flatMap((line, at) =>
      isBars(model.style) ? drawBars(plot, model, { line, at }) : drawLine(plot, model, line),
    ),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter" font-size="${LABEL_FONT}">${parts.join('')}</svg>`
}

function layOut(
  model: TimeModel,
  { ticks, left }: { readonly ticks: readonly number[]; readonly left: number },
): Plot {
  const { width, height } = CHART_SIZE
  const [right, bottom] = [width - PADDING_RIGHT, height - X_AXIS]
  const margin = marginOf(model)
  const buckets = Math.max(1e-9, model.times.length - 1 + 2 * margin)
  const place = model.axis === 'logarithmic' ? Math.asinh : (value: number): number => value
  const [low, high] = [place(ticks[0] ?? 0), place(ticks.at(-1) ?? 1)]
  return {
    left,
    right,
    bottom,
    ratio: 1,
    xOf: (index) => left + ((index + margin) / buckets) * (right - left),
    yOf: (value) => bottom - ((place(value) - low) / (high - low || 1)) * (bottom - PADDING_TOP),
  }
}

function drawValueAxis(plot: Plot, ticks: readonly number[], names: readonly string[]): readonly string[] {
  return ticks.flatMap((tick, at) => {
    const y = Math.round(plot.yOf(tick)) + 0.5
    const color = tick === 0 ? COLORS['line-2'] : COLORS.grid
    return [
      `<path d="M${plot.left} ${y}H${plot.right}" stroke="${color}"/>`,
      `<text x="${plot.left - 8}" y="${y + 3.5}" text-anchor="end" fill="${COLORS['text-3']}">${escapeXml(names[at] ?? '')}</text>`,
    ]
  })
}

function drawTimeAxis(plot: Plot, model: TimeModel, formats: ChartFormats): readonly string[] {
  const labels = timeLabeller(model.times, { ...model, formats })
  const y = plot.bottom + 6 + LABEL_FONT
  return labels((plot.right - plot.left) / Math.max(1, model.times.length)).map(
    ({ index, text }) =>
      `<text x="${write(plot.xOf(index))}" y="${y}" text-anchor="middle" fill="${COLORS['text-3']}">${escapeXml(text)}</text>`,
  )
}

function drawPrevious(plot: Plot, model: TimeModel): readonly string[] {
  if (!model.previousLine) return []
  const drawn = { values: model.previousLine.slice(0, model.times.length), bases: undefined }
  if (isBars(model.style)) {
    const slot = { index: 0, count: slotCount(model) }
    const bars = drawn.values.map((_, at) => drawBar(plot, drawn, { at, slot }))
    return [`<g fill="${COLORS.prev}" fill-opacity="${PREVIOUS_BAR_OPACITY}">${bars.join('')}</g>`]
  }
  const path = runsOf(drawn).map((run) => pathOf(plot, drawn, run))
  const dash = `stroke-dasharray="${PREVIOUS_DASH} ${PREVIOUS_DASH}" stroke-width="${PREVIOUS_WIDTH}"`
  return [`<path d="${path.join('')}" fill="none" stroke="${COLORS.prev}" ${dash}/>`]
}

function drawBars(
  plot: Plot,
  model: TimeModel,
  { line, at }: { readonly line: Line; readonly at: number },
): readonly string[] {
  const slot = slotOf(model, at)
  const bars = line.values.map((_, bucket) => drawBar(plot, line, { at: bucket, slot }))
  return [`<g fill="${seriesColor(line.slot)}">${bars.join('')}</g>`]
}

function drawBar(plot: Plot, drawn: Drawn, place: Parameters<typeof barBox>[2]): string {
  const box = barBox(plot, drawn, place)
  if (box.height === 0) return ''
  const { left, top, width, height, radius } = paintedBar(box, 1)
  return `<rect x="${write(left)}" y="${write(top)}" width="${write(width)}" height="${write(height)}" rx="${write(radius)}"/>`
}

function drawLine(plot: Plot, model: TimeModel, line: Line): readonly string[] {
  const color = seriesColor(line.slot)
  const runs = runsOf(line)
  const stroke = `<path d="${runs.map((run) => pathOf(plot, line, run)).join('')}" fill="none" stroke="${color}" stroke-width="${LINE_WIDTH}" stroke-linejoin="round"/>`
  const alone = runs.filter(({ length }) => length <= MARKED_MAX).flat()
  const points = alone.map(
    (at) =>
      `<circle cx="${write(plot.xOf(at))}" cy="${write(plot.yOf(topOf(line, at) ?? 0))}" r="3.5" fill="${color}"/>`,
  )
  const isFilled = model.style === 'area' && model.lines.length === 1
  return [...(isFilled ? drawArea(plot, line, color) : []), stroke, ...points]
}

function drawArea(plot: Plot, line: Line, color: string): readonly string[] {
  const floor = write(plot.yOf(0))
  const areas = runsOf(line).map((run) => {
    const [first, last] = [run[0] ?? 0, run.at(-1) ?? 0]
    return `${pathOf(plot, line, run)}L${write(plot.xOf(last))} ${floor}L${write(plot.xOf(first))} ${floor}Z`
  })
  const stops = [
    `<stop offset="0" stop-color="${color}" stop-opacity="${AREA_TOP_OPACITY.light}"/>`,
    `<stop offset="1" stop-color="${color}" stop-opacity="${AREA_BOTTOM_OPACITY}"/>`,
  ]
  const gradient = `<linearGradient id="area" x2="0" y2="1">${stops.join('')}</linearGradient>`
  return [gradient, `<path d="${areas.join('')}" fill="url(#area)"/>`]
}

function pathOf(plot: Plot, drawn: Drawn, run: readonly number[]): string {
  return run
    .map((at, n) => `${n === 0 ? 'M' : 'L'}${write(plot.xOf(at))} ${write(plot.yOf(topOf(drawn, at) ?? 0))}`)
    .join('')
}

function write(pixels: number): string {
  return pixels.toFixed(1)
}

function escapeXml(text: string): string {
  // The font has no narrow spaces.
  return text.replaceAll(/[\u2009\u202f]/g, ' ').replaceAll(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)
}
