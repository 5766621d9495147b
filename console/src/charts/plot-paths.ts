import {
  type BarSlot,
  type Box,
  barBox,
  type Drawn,
  type PlotSpace,
  paintedBar,
  runsOf,
} from '@domain/charts/plot-layout.ts'
import { topOf } from '@domain/charts/time-model.ts'
import type uPlot from 'uplot'

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
      if (at !== incomplete) addBar(fill, barBox(spaceOf(plot, scale), drawn, { at, slot }), scale)
    }
    return { fill, stroke: null }
  }
}

/** The positions on the canvas of a plot. */
export function spaceOf(plot: uPlot, scale: number): PlotSpace {
  return {
    xOf: (index) => plot.valToPos(index, 'x', true),
    yOf: (value) => plot.valToPos(value, 'y', true),
    ratio: scale * devicePixelRatio,
  }
}

/** Adds a bar to a path. */
export function addBar(path: Path2D, box: Box, scale: number): void {
  if (box.height === 0) return
  const { left, top, width, height, radius } = paintedBar(box, scale * devicePixelRatio)
  path.roundRect(left, top, width, height, radius)
}
