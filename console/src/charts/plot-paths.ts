import type uPlot from 'uplot'
import { type Line, type TimeModel, topOf } from './time-model.ts'

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

/** A straight line through the complete buckets, and the area below it. Gaps stay open. */
export function linePaths(drawn: Drawn, incomplete: number | undefined): uPlot.Series.PathBuilder {
  return (plot) => {
    const [stroke, fill] = [new Path2D(), new Path2D()]
    const floor = plot.valToPos(0, 'y', true)
    for (const run of runsOf(drawn)) {
      const points = run.map((at) => pointOf(plot, drawn, at))
      const [first] = points
      const last = points.at(-1)
      if (!first || !last) continue
      for (const [at, { x, y }] of points.entries()) {
        if (run[at] !== incomplete) stroke[at === 0 ? 'moveTo' : 'lineTo'](x, y)
        fill[at === 0 ? 'moveTo' : 'lineTo'](x, y)
      }
      fill.lineTo(last.x, floor)
      fill.lineTo(first.x, floor)
      fill.closePath()
    }
    return { stroke, fill }
  }
}

/** Runs of buckets with values. */
function runsOf({ values }: Drawn): readonly (readonly number[])[] {
  const runs: number[][] = []
  for (const [at, value] of values.entries()) {
    if (value === null) continue
    if (at === 0 || values[at - 1] === null) runs.push([])
    runs.at(-1)?.push(at)
  }
  return runs
}

/** A point of a series in pixels of the canvas. */
export function pointOf(plot: uPlot, drawn: Drawn, at: number): { readonly x: number; readonly y: number } {
  return { x: plot.valToPos(at, 'x', true), y: plot.valToPos(topOf(drawn, at) ?? 0, 'y', true) }
}

/** Bars, those of one bucket side by side, without the bucket that is not over. */
export function barPaths(
  drawn: Drawn,
  {
    slot,
    incomplete,
    scale,
  }: { readonly slot: BarSlot; readonly incomplete: number | undefined; readonly scale: number },
): uPlot.Series.PathBuilder {
  return (plot) => {
    const fill = new Path2D()
    for (const at of drawn.values.keys()) {
      if (at !== incomplete) addBar(fill, barBox(plot, drawn, { at, slot, scale }), scale)
    }
    return { fill, stroke: null }
  }
}

/** The box of a bar in pixels of the canvas. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The box of a bar; without a value it has no height. */
export function barBox(
  plot: uPlot,
  drawn: Drawn,
  { at, slot, scale }: { readonly at: number; readonly slot: BarSlot; readonly scale: number },
): Box {
  const step = Math.abs(plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true))
  const ratio = scale * devicePixelRatio
  const group = Math.min(step * SHARE, WIDTH_MAX * ratio * slot.count)
  const width = group / slot.count
  const gap = width > 4 * GAP * ratio ? GAP * ratio : 0
  const value = drawn.values[at]
  const base = plot.valToPos(drawn.bases?.[at] ?? 0, 'y', true)
  const top = typeof value === 'number' ? plot.valToPos(topOf(drawn, at) ?? 0, 'y', true) : base
  const left = plot.valToPos(at, 'x', true) - group / 2 + slot.index * width
  return {
    left: left + gap / 2,
    top: Math.min(top, base),
    width: Math.max(1, width - gap),
    height: Math.abs(base - top),
  }
}

/** Adds a bar to a path; a stack keeps a gap between its bars. */
export function addBar(path: Path2D, { left, top, width, height }: Box, scale: number): void {
  if (height === 0) return
  const ratio = scale * devicePixelRatio
  const inner = height > 3 * GAP * ratio ? height - GAP * ratio : height
  path.roundRect(left, top, width, inner, Math.min(RADIUS * ratio, width / 2, inner / 2))
}

/** The number of bars of a bucket that stand side by side. */
export function slotCount({ style, lines, previousLine }: TimeModel): number {
  return (style === 'bars' ? 1 : lines.length) + (previousLine ? 1 : 0)
}

/** The position of the bar of the nth series. */
export function slotOf(model: TimeModel, at: number): BarSlot {
  return { index: (model.style === 'bars' ? 0 : at) + (model.previousLine ? 1 : 0), count: slotCount(model) }
}
