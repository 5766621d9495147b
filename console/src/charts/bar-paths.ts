import type uPlot from 'uplot'

/** Of the room between two times, what bars take. */
const SHARE = 0.7
const WIDTH_MAX = 60

/** Where a bar stands among those of its time. */
export interface BarSlot {
  readonly index: number
  readonly count: number
}

/** Bars, those of one time side by side. The caller scales pixels. */
export function barPaths({ index, count }: BarSlot, scale: number): uPlot.Series.PathBuilder {
  return (plot, seriesIndex, first, last) => {
    const [times = [], values = []] = [plot.data[0], plot.data[seriesIndex]]
    const group = groupWidth(plot, times, scale)
    const width = group / count
    const floor = plot.valToPos(0, 'y', true)
    const fill = new Path2D()
    for (let at = first; at <= last; at++) {
      const value = values[at]
      const time = times[at]
      if (value === null || value === undefined || time === undefined) continue
      const left = plot.valToPos(time, 'x', true) - group / 2 + index * width
      const top = plot.valToPos(value, 'y', true)
      const gap = count > 1 ? Math.min(scale, width / 8) : 0
      fill.rect(left + gap / 2, Math.min(top, floor), Math.max(1, width - gap), Math.abs(floor - top))
    }
    return { fill, stroke: fill }
  }
}

function groupWidth(plot: uPlot, times: ArrayLike<number | null | undefined>, scale: number): number {
  const [first, second] = [times[0], times[1]]
  if (typeof first !== 'number' || typeof second !== 'number') return WIDTH_MAX * scale
  const step = plot.valToPos(second, 'x', true) - plot.valToPos(first, 'x', true)
  return Math.min(step * SHARE, WIDTH_MAX * scale * 2)
}
