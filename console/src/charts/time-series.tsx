import { createEffect, type JSX, on, onCleanup, onMount } from 'solid-js'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatCompact, formatMoment, formatNumber, formatShortDay, formatShortTime } from '../app/format.ts'
import { isDark } from '../app/theme.ts'
import { seriesColor } from './palette.ts'

const DAY_SECONDS = 86_400

/** One line. */
export interface ChartSeries {
  readonly label: string
  /** A value for each time. */
  readonly values: readonly number[]
}

/** How values over time are drawn. */
export type SeriesLook = 'line' | 'area' | 'bars'

interface TimeSeriesProps {
  /** Milliseconds since the Unix epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly look: SeriesLook
  readonly timeZone: string
  readonly height?: number
}

/** Values over time, with the moment under the pointer; a table beside it says the same in words. */
export function TimeSeries(props: TimeSeriesProps): JSX.Element {
  let box: HTMLDivElement | undefined
  onMount(() => {
    let plot: uPlot | undefined
    const draw = (): void => {
      plot?.destroy()
      if (box && box.clientWidth > 0) plot = new uPlot(optionsOf(props, box.clientWidth), dataOf(props), box)
    }
    // Which colours there are is asked here, so that the chart is drawn again in others.
    createEffect(on([isDark, () => ({ ...props })], draw))
    const observer = new ResizeObserver(() => {
      if (box && plot) plot.setSize({ width: box.clientWidth, height: props.height ?? 300 })
      else draw()
    })
    if (box) observer.observe(box)
    onCleanup(() => {
      observer.disconnect()
      plot?.destroy()
    })
  })
  const summary = (): string =>
    `Chart of ${props.series.map(({ label }) => label).join(', ')}, times in ${props.timeZone}`
  return (
    <figure class="time-series">
      <div ref={box} class="chart" role="img" aria-label={summary()} />
      <figcaption class="quiet small">Times in {props.timeZone}</figcaption>
    </figure>
  )
}

/** Bars stand on each other: each is drawn as high as itself and all below it, the highest first. */
function dataOf({ times, series, look }: TimeSeriesProps): uPlot.AlignedData {
  const seconds = times.map((ms) => ms / 1000)
  if (look !== 'bars') return [seconds, ...series.map(({ values }) => [...values])]
  const sums = series.map((_, index) =>
    times.map((__, at) => series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  )
  return [seconds, ...sums.reverse()]
}

function optionsOf(props: TimeSeriesProps, width: number): uPlot.Options {
  const { series, look, timeZone } = props
  const style = getComputedStyle(document.documentElement)
  const grid = style.getPropertyValue('--line')
  const axis = {
    stroke: style.getPropertyValue('--quiet'),
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1 },
    font: '12px system-ui',
  }
  const order = series.map((_, index) => (look === 'bars' ? series.length - 1 - index : index))
  return {
    width,
    height: props.height ?? 300,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    legend: { show: true, live: true },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { range: (_, min, max) => [min - halfBar(props), max + halfBar(props)] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        space: 80,
        values: (_, ticks, __, ___, step) => ticks.map((tick) => formatTick(tick, step, timeZone)),
      },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(formatCompact) },
    ],
    series: [
      {
        label: 'Time',
        value: (_, seconds) => (seconds === null ? '–' : formatMoment(seconds * 1000, timeZone)),
      },
      ...order.map((index) => lineOf(props, index)),
    ],
  }
}

/** Seconds that the first and the last bar reach beyond their times. */
function halfBar({ times, look }: TimeSeriesProps): number {
  const [first = 0, second = first] = times
  return look === 'bars' ? (second - first) / 2000 : 0
}

/** A tick in the viewer's way: a day, or a time where ticks are closer than that. */
function formatTick(seconds: number, step: number, timeZone: string): string {
  return step < DAY_SECONDS
    ? formatShortTime(seconds * 1000, timeZone)
    : formatShortDay(seconds * 1000, timeZone)
}

function lineOf({ series, look, times }: TimeSeriesProps, index: number): uPlot.Series {
  const color = seriesColor(index)
  const { bars } = uPlot.paths
  return {
    label: series[index]?.label ?? '',
    stroke: color,
    width: 2,
    points: { show: look !== 'bars' && times.length < 40, size: 5 },
    value: (_, __, ___, at) => (at === null ? '–' : formatNumber(series[index]?.values[at] ?? 0)),
    ...(look === 'area' && { fill: `${color}33` }),
    ...(look === 'bars' && { fill: color, width: 0, ...(bars && { paths: bars({ size: [0.7, 60] }) }) }),
  }
}
