import type { ThresholdRule } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import { createEffect, type JSX, on, onCleanup, onMount } from 'solid-js'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { isDark } from '../context/theme.ts'
import type { Unit } from '../format/unit.ts'
import type { LegendPosition } from './chart.ts'
import { describePlot } from './legend.ts'
import { offerPicture } from './picture.ts'
import { type PlotSize, plotOptions } from './plot-options.ts'
import { dataOf } from './scales.ts'

/** One line. */
export interface ChartSeries {
  readonly label: string
  /** A value for each time. */
  readonly values: readonly number[]
}

/** How values over time are drawn: `bars` are stacked, `grouped` bars stand side by side. */
export type SeriesStyle = 'line' | 'area' | 'bars' | 'grouped'

export interface TimeSeriesProps {
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** The previous period, each value at the time of its counterpart. */
  readonly previous?: readonly ChartSeries[]
  readonly style: SeriesStyle
  readonly timeZone: string
  readonly unit: Unit
  readonly rules?: readonly ThresholdRule[]
  readonly scale?: 'linear' | 'logarithmic'
  readonly legend?: LegendPosition
  /** In pixels, without the legend; absent fills the surrounding box, legend included. */
  readonly height?: number
}

const LEGEND_WIDTH = 170
const HEIGHT_MIN = 80

/** Values over time, with a readout under the pointer; the table view holds the same values as text. */
export function TimeSeries(props: TimeSeriesProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const summary = (): string =>
    `Chart of ${props.series.map(({ label }) => label).join(', ')}, times in ${props.timeZone}`
  onMount(() => {
    if (!box) return
    const place = box
    let plot: uPlot | undefined
    const fit = (): void => {
      if (place.isConnected) plot?.setSize(sizeOf(place, props))
    }
    // uPlot sets its width after this task; the height of the legend is known only then.
    const fitToLegend = (): void => {
      if (props.height === undefined) queueMicrotask(fit)
    }
    const resize = (): void => {
      fit()
      fitToLegend()
    }
    const draw = (): void => {
      plot?.destroy()
      if (place.clientWidth === 0) return
      plot = new uPlot(plotOptions(props, { ...sizeOf(place, props), scale: 1 }), dataOf(props), place)
      describePlot(plot, summary())
      fitToLegend()
      offerPlot(plot, props)
    }
    // Reading the theme here draws the chart again when it changes.
    createEffect(on([isDark, () => ({ ...props })], draw))
    const observer = new ResizeObserver(() => (plot ? resize() : draw()))
    observer.observe(place)
    onCleanup(() => {
      observer.disconnect()
      plot?.destroy()
    })
  })
  return (
    <figure class="time-series" classList={{ fills: props.height === undefined }}>
      <div
        ref={box}
        class={`chart legend-${props.legend ?? 'below'}`}
        style={props.height === undefined ? {} : { 'min-height': `${props.height}px` }}
      />
    </figure>
  )
}

function sizeOf(box: HTMLElement, { height, legend }: TimeSeriesProps): Omit<PlotSize, 'scale'> {
  const width = box.clientWidth - (legend === 'right' ? LEGEND_WIDTH : 0)
  if (height !== undefined) return { width, height }
  const names = legend === 'right' ? undefined : box.querySelector<HTMLElement>('.u-legend')
  return { width, height: Math.max(HEIGHT_MIN, box.clientHeight - (names?.offsetHeight ?? 0)) }
}

/** A picture needs more pixels than the canvas on the screen has: it is drawn again. */
function offerPlot(plot: uPlot, props: TimeSeriesProps): void {
  offerPicture(plot.ctx.canvas, async (scale) => {
    const drawn = Promise.withResolvers<HTMLCanvasElement>()
    const options = plotOptions(props, { width: plot.width, height: plot.height, scale })
    const hooks = { ...options.hooks, draw: [(made: uPlot) => drawn.resolve(made.ctx.canvas)] }
    const made = new uPlot({ ...options, hooks, legend: { show: false } }, dataOf(props))
    const canvas = await drawn.promise
    made.destroy()
    return canvas
  })
}
