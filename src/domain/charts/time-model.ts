import type { ThresholdRule } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { type BucketScale, type BucketWidth, findIncomplete, widthOfBuckets } from './buckets.ts'
import { keysOf } from './series-keys.ts'
import type { Unit } from './value-axis.ts'

/** One series of a chart over time. */
export interface ChartSeries {
  readonly label: string
  /** A value for each time; `null` where nothing was collected. */
  readonly values: readonly (number | null)[]
  /** Its bars hang below the others of a stack, from 0. */
  readonly isBelow?: boolean
  /** It is in the legend only, until it is ticked. */
  readonly isHidden?: boolean
}

/** The style of values over time: `bars` are stacked, `grouped` bars stand side by side. */
export type SeriesStyle = 'line' | 'area' | 'bars' | 'grouped'

/** The data of a chart over time. */
export interface TimeData {
  /** Starts of buckets in milliseconds since the Unix epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  /** The previous period, each value at the time of its counterpart. */
  readonly previous?: readonly ChartSeries[]
  /** Starts of the buckets of the previous period. */
  readonly previousTimes?: readonly number[]
  readonly style: SeriesStyle
  readonly timeZone: string
  /** By default what the times suggest. */
  readonly bucket?: BucketWidth
  readonly unit: Unit
  readonly rules?: readonly ThresholdRule[]
  readonly scale?: 'linear' | 'logarithmic'
}

/** The viewer's choices in a chart. */
export interface TimeChoice {
  /** Buckets that are shown, both included; `undefined` for all. */
  readonly zoom: Span | undefined
  readonly hidden: ReadonlySet<string>
  readonly slots: ReadonlyMap<string, number>
  readonly nowMs: number
}

/** A span of buckets, both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A series as it is drawn. */
export interface Line {
  readonly key: string
  readonly label: string
  /** Its slot of the palette. */
  readonly slot: number
  readonly values: readonly (number | null)[]
  /** The lower ends of the bars of a stack; absent without a stack. */
  readonly bases: readonly number[] | undefined
  /** Whether its bars hang from 0; the values stay positive. */
  readonly isBelow?: boolean
  /** Its previous period; empty without. */
  readonly previous: readonly (number | null)[]
}

/** A chart over time, ready to be drawn. */
export interface TimeModel extends BucketScale {
  readonly times: readonly number[]
  readonly previousTimes: readonly number[]
  readonly style: SeriesStyle
  readonly unit: Unit
  readonly rules: readonly ThresholdRule[]
  readonly axis: 'linear' | 'logarithmic'
  /** Those that are not hidden, in the order of the legend. */
  readonly lines: readonly Line[]
  /** The one line of the previous period that is drawn: of a single series, or of a whole stack. */
  readonly previousLine: readonly (number | null)[] | undefined
  /** The index of the bucket that is not over. */
  readonly incomplete: number | undefined
  /** The index of the first bucket among all. */
  readonly offset: number
}

/** Prepares a chart over time for drawing. */
export function modelOf(data: TimeData, { zoom, hidden, slots, nowMs }: TimeChoice): TimeModel {
  const { style, unit, timeZone, rules = [], previous = [] } = data
  const width = data.bucket ?? widthOfBuckets(data.times)
  const offset = Math.max(0, zoom?.from ?? 0)
  const end = zoom ? zoom.to + 1 : data.times.length
  const keys = keysOf(data.series.map(({ label }) => label))
  const previousOf = pairPrevious(data.series, previous)
  const shown = data.series.flatMap((series, at) => {
    const key = keys[at] ?? series.label
    if (hidden.has(key)) return []
    const values = series.values.slice(offset, end)
    const before = previousOf(at)?.slice(offset, end) ?? []
    const line = { key, label: series.label, slot: slots.get(key) ?? at, values, previous: before }
    return [{ ...line, bases: undefined, ...(series.isBelow && { isBelow: true }) }]
  })
  const lines = style === 'bars' ? stack(shown) : shown
  const incomplete = findIncomplete(data.times, { width, timeZone, nowMs })
  return {
    width,
    timeZone,
    times: data.times.slice(offset, end),
    previousTimes: (data.previousTimes ?? []).slice(offset, end),
    style,
    unit,
    rules,
    axis: data.scale ?? 'linear',
    lines,
    previousLine: previousLineOf(lines, style),
    incomplete: incomplete === undefined || incomplete >= end ? undefined : incomplete - offset,
    offset,
  }
}

/** The values of the previous period of the nth series: of the same label, and the same position among equal labels. */
function pairPrevious(
  series: readonly ChartSeries[],
  previous: readonly ChartSeries[],
): (at: number) => readonly (number | null)[] | undefined {
  const keys = keysOf(series.map(({ label }) => label))
  const previousKeys = keysOf(previous.map(({ label }) => label))
  const byKey = new Map(previous.map(({ values }, at) => [previousKeys[at] ?? '', values]))
  return (at) => byKey.get(keys[at] ?? '')
}

/** Each on top of the one before, or below the one before that hangs from 0. */
function stack(lines: readonly Line[]): readonly Line[] {
  const [tops, floors]: readonly [number[], number[]] = [[], []]
  return lines.map((line) => {
    const ends = line.isBelow ? floors : tops
    const bases = line.values.map((_, at) => ends[at] ?? 0)
    for (const at of line.values.keys()) ends[at] = topOf({ ...line, bases }, at) ?? ends[at] ?? 0
    return { ...line, bases }
  })
}

/** With several series apart, lines of the previous period would double the drawing: the tooltip and the legend compare them. */
function previousLineOf(lines: readonly Line[], style: SeriesStyle): TimeModel['previousLine'] {
  const [only, ...others] = lines
  if (only && others.length === 0) return only.previous.length > 0 ? only.previous : undefined
  if (style !== 'bars' || lines.every(({ previous }) => previous.length === 0)) return undefined
  const count = Math.max(...lines.map(({ previous }) => previous.length))
  return Array.from({ length: count }, (_, at) =>
    lines.reduce((sum, { previous }) => sum + (previous[at] ?? 0), 0),
  )
}

/** The end of a series in a bucket: the upper one of its bar in a stack, the lower one of a bar below 0, else its value. */
export function topOf(
  { values, bases, isBelow = false }: Pick<Line, 'values' | 'bases' | 'isBelow'>,
  at: number,
): number | null {
  const value = values[at]
  return typeof value === 'number' ? (bases?.[at] ?? 0) + (isBelow ? -value : value) : null
}

/** The lowest and the highest drawn value. */
export function boundsOf({ lines, previousLine = [] }: Pick<TimeModel, 'lines' | 'previousLine'>): {
  readonly min: number
  readonly max: number
  readonly isWhole: boolean
} {
  let [min, max, isWhole] = [0, 0, true]
  const include = (value: number | null): void => {
    if (value === null) return
    if (value < min) min = value
    if (value > max) max = value
    isWhole &&= Number.isInteger(value)
  }
  for (const line of lines) {
    for (const at of line.values.keys()) include(topOf(line, at))
  }
  for (const value of previousLine) include(value)
  return { min, max, isWhole }
}

/** Whether a style draws bars. */
export function isBars(style: SeriesStyle): boolean {
  return style === 'bars' || style === 'grouped'
}
