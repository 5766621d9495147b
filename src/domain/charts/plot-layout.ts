import { boundsOf, type Line, type TimeModel, topOf } from './time-model.ts'
import { logTicks, valueTicks } from './value-axis.ts'

/** Room of the time axis below a chart, and above its highest tick, in pixels. */
export const X_AXIS = 26
export const PADDING_TOP = 10
/** The last label of the time axis reaches beyond the last bucket. */
export const PADDING_RIGHT = 24
/** Size of the labels of axes. */
export const LABEL_FONT = 11
/** Widths of the lines of series, and of the previous period with its dashes. */
export const LINE_WIDTH = 2
export const PREVIOUS_WIDTH = 1.5
export const PREVIOUS_DASH = 4
export const PREVIOUS_BAR_OPACITY = 0.45
/** Opacity of an area at its top, and at its bottom: dark grounds need more. */
export const AREA_TOP_OPACITY = { light: 0.17, dark: 0.22 } as const
export const AREA_BOTTOM_OPACITY = 0.015

/** The room of a tick of the value axis. */
const TICK_ROOM = 34
const STEPS_MAX = 5

/** A bound further above the highest value than this factor is not shown: it would flatten the chart. */
const BOUND_REACH = 2

/** The ticks of the value axis of a chart with a height in pixels. */
export function ticksOf(model: TimeModel, height: number): readonly number[] {
  const { max, ...bounds } = boundsOf(model)
  const near = model.rules.map(({ value }) => value).filter((value) => value <= max * BOUND_REACH)
  const high = Math.max(max, ...near)
  const stepsMax = Math.min(STEPS_MAX, Math.floor((height - X_AXIS - PADDING_TOP) / TICK_ROOM))
  if (model.axis === 'logarithmic') return logTicks(high, stepsMax)
  return valueTicks({ ...bounds, max: high, stepsMax, unit: model.unit })
}

/** Approximate width of a digit, and the room on both sides of a label. */
const DIGIT = 6.6
const LABEL_MARGIN = 14

/** The width of a value axis with these labels. */
export function axisWidth(names: readonly string[]): number {
  return Math.max(28, Math.max(...names.map(({ length }) => length)) * DIGIT + LABEL_MARGIN)
}

/** Buckets to the left of the first and to the right of the last: bars and a single bucket need room. */
export function marginOf({ style, times }: TimeModel): number {
  return style === 'bars' || style === 'grouped' || times.length === 1 ? 0.5 : 0
}

/** Of the room between two times, the share that bars take. */
const SHARE = 0.72
const WIDTH_MAX = 44
/** The least room between bars, and the rounding of their corners. */
const GAP = 1
const RADIUS = 2

/** The position of a bar among those of its bucket. */
export interface BarSlot {
  readonly index: number
  readonly count: number
}

/** The values of a drawn series. */
export type Drawn = Pick<Line, 'values' | 'bases' | 'isBelow'>

/** The positions of buckets and values on a canvas. */
export interface PlotSpace {
  readonly xOf: (index: number) => number
  readonly yOf: (value: number) => number
  /** Units of the canvas per pixel. */
  readonly ratio: number
}

/** Runs of buckets with values. */
export function runsOf({ values }: Pick<Drawn, 'values'>): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    if (at === 0 || values[at - 1] === null) runs.push([])
    runs.at(-1)?.push(at)
  }
  return runs
}

/** The box of a bar, with the rounding of its corners. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The box of a bar; without a value it has no height. */
export function barBox(
  { xOf, yOf, ratio }: PlotSpace,
  drawn: Drawn,
  { at, slot }: { readonly at: number; readonly slot: BarSlot },
): Box {
  const step = Math.abs(xOf(1) - xOf(0))
  const group = Math.min(step * SHARE, WIDTH_MAX * ratio * slot.count)
  const width = group / slot.count
  const gap = width > 4 * GAP * ratio ? GAP * ratio : 0
  const value = drawn.values[at]
  const base = yOf(drawn.bases?.[at] ?? 0)
  const top = typeof value === 'number' ? yOf(topOf(drawn, at) ?? 0) : base
  const left = xOf(at) - group / 2 + slot.index * width
  return {
    left: left + gap / 2,
    top: Math.min(top, base),
    width: Math.max(1, width - gap),
    height: Math.abs(base - top),
  }
}

/** A bar as it is painted: a stack keeps a gap between its bars. */
export function paintedBar(
  { left, top, width, height }: Box,
  ratio: number,
): Box & { readonly radius: number } {
  const inner = height > 3 * GAP * ratio ? height - GAP * ratio : height
  return { left, top, width, height: inner, radius: Math.min(RADIUS * ratio, width / 2, inner / 2) }
}

/** The number of bars of a bucket that stand side by side. */
export function slotCount({ style, lines, previousLine }: TimeModel): number {
  return (style === 'bars' ? 1 : lines.length) + (previousLine ? 1 : 0)
}

/** The position of the bar of the nth series. */
export function slotOf(model: TimeModel, at: number): BarSlot {
  return { index: (model.style === 'bars' ? 0 : at) + (model.previousLine ? 1 : 0), count: slotCount(model) }
}
