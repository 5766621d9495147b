import { dateOf, readWallClock, shiftDate } from '../calendar.ts'
import type { BucketWidth } from './buckets.ts'
import { type ChartFormats, writeShortDay, writeShortMonth, writeShortTime } from './formats.ts'

/** Least pixels from one label to the next. */
const LABEL_ROOM = 72

/** A label of the time axis, at the index of its bucket. */
export interface TimeLabel {
  readonly index: number
  readonly text: string
}

/** The start of the span that a wall clock time is in, as the beginning of a wall clock time. */
type SpanStart = (wall: string) => string

const DATE = 'YYYY-MM-DD'.length
const HOUR = 'YYYY-MM-DDTHH'.length

const inHours =
  (count: number): SpanStart =>
  (wall) =>
    `${wall.slice(0, DATE)}T${pad(Math.floor(Number(wall.slice(DATE + 1, HOUR)) / count) * count)}:00`

const inMinutes =
  (count: number): SpanStart =>
  (wall) =>
    `${wall.slice(0, HOUR)}:${pad(Math.floor(Number(wall.slice(HOUR + 1)) / count) * count)}`

const inDays: SpanStart = (wall) => wall.slice(0, DATE)
const inMonths: SpanStart = (wall) => `${wall.slice(0, 'YYYY-MM'.length)}-01`
const inQuarters: SpanStart = (wall) =>
  `${wall.slice(0, 5)}${pad(Math.floor((Number(wall.slice(5, 7)) - 1) / 3) * 3 + 1)}-01`
const inYears: SpanStart = (wall) => `${wall.slice(0, 4)}-01-01`
const inDecades: SpanStart = (wall) => `${wall.slice(0, 3)}0-01-01`

const inWeeks: SpanStart = (wall) => {
  const date = wall.slice(0, DATE)
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return shiftDate(date, -((weekday + 6) % 7))
}

type WriteTime = (ms: number, timeZone: string, formats: ChartFormats) => string

interface Level {
  readonly startOf: SpanStart
  readonly write: WriteTime
}

const times = (startOf: SpanStart): Level => ({ startOf, write: writeTime })
const days = (startOf: SpanStart): Level => ({ startOf, write: writeShortDay })
const months = (startOf: SpanStart): Level => ({ startOf, write: writeMonth })
const years = (startOf: SpanStart): Level => ({ startOf, write: writeYear })

const LONG_LEVELS = [months(inMonths), months(inQuarters), years(inYears), years(inDecades)] as const
const DAY_LEVELS = [days(inDays), days(inWeeks), ...LONG_LEVELS] as const
const HOUR_LEVELS = [1, 2, 3, 6, 12].map((count) => times(inHours(count)))

/** Spans whose starts may be labelled, from short to long, by the width of the buckets. */
const LEVELS = {
  minute: [...[1, 5, 10, 15, 30].map((count) => times(inMinutes(count))), ...HOUR_LEVELS, ...DAY_LEVELS],
  hour: [...HOUR_LEVELS, ...DAY_LEVELS],
  day: DAY_LEVELS,
  week: [days(inWeeks), ...LONG_LEVELS],
  month: LONG_LEVELS,
} as const satisfies Record<BucketWidth, readonly Level[]>

/** Fewer labels of one level leave the reader without a scale. */
const LABELS_MIN = 2

/** The buckets of an axis, and the language of its labels. */
export interface AxisOptions {
  readonly width: BucketWidth
  readonly timeZone: string
  readonly formats: ChartFormats
}

/** A function that labels the buckets of a chart for their width in pixels. */
export function timeLabeller(
  buckets: readonly number[],
  axis: AxisOptions,
): (bucketPixels: number) => readonly TimeLabel[] {
  const { width, timeZone, formats } = axis
  const walls = readWallClocks(buckets, timeZone)
  const startsOf = ({ startOf, write }: Level): readonly TimeLabel[] =>
    walls.flatMap((wall, index) =>
      isStart(startOf, wall, walls[index - 1])
        ? [{ index, text: write(buckets[index] ?? 0, timeZone, formats) }]
        : [],
    )
  const levels = LEVELS[width].map((level) => once(() => startsOf(level)))
  return (bucketPixels) => {
    const fitting = levels.find((starts) => gapOf(starts()) * bucketPixels >= LABEL_ROOM)?.() ?? []
    if (fitting.length >= Math.min(LABELS_MIN, buckets.length)) return fitting
    return everyNth(buckets, Math.max(1, Math.ceil(LABEL_ROOM / bucketPixels)), (ms) => writeAlone(ms, axis))
  }
}

/** Times apart by less than this with one offset have no change of the clocks between them. */
const STEADY_MS = 14 * 86_400_000
const MINUTE_MS = 60_000

/** The wall clock times of ascending times. Each look into the rules of a zone is slow, so only the ends of long spans are read. */
export function readWallClocks(ascending: readonly number[], timeZone: string): readonly string[] {
  const offsets = new Array<number>(ascending.length).fill(0)
  const offsetAt = (index: number): number => {
    const minute = Math.floor((ascending[index] ?? 0) / MINUTE_MS) * MINUTE_MS
    return Date.parse(`${readWallClock(minute, timeZone)}Z`) - minute
  }
  const fill = (first: number, last: number, [start, end]: readonly [number, number]): void => {
    const isSteady = start === end && (ascending[last] ?? 0) - (ascending[first] ?? 0) < STEADY_MS
    if (isSteady || last - first < 2) {
      offsets.fill(start, first, last).fill(end, last, last + 1)
      return
    }
    const middle = Math.floor((first + last) / 2)
    const offset = offsetAt(middle)
    fill(first, middle, [start, offset])
    fill(middle, last, [offset, end])
  }
  const last = ascending.length - 1
  if (last >= 0) fill(0, last, [offsetAt(0), offsetAt(last)])
  return ascending.map((ms, at) =>
    new Date(ms + (offsets[at] ?? 0)).toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length),
  )
}

function isStart(startOf: SpanStart, wall: string, previous: string | undefined): boolean {
  const start = startOf(wall)
  return previous === undefined ? wall.startsWith(start) : start !== startOf(previous)
}

/** Fewest buckets between two labels. */
function gapOf(labels: readonly TimeLabel[]): number {
  return Math.min(
    ...labels.map(({ index }, at) => index - (labels[at - 1]?.index ?? Number.NEGATIVE_INFINITY)),
  )
}

/** Labels from the first bucket on, where no calendar span fits. */
function everyNth(
  buckets: readonly number[],
  step: number,
  write: (ms: number) => string,
): readonly TimeLabel[] {
  return buckets.flatMap((ms, index) => (index % step === 0 ? [{ index, text: write(ms) }] : []))
}

function writeAlone(ms: number, { width, timeZone, formats }: AxisOptions): string {
  if (width === 'month') return writeMonth(ms, timeZone, formats)
  const write = width === 'day' || width === 'week' ? writeShortDay : writeTime
  return write(ms, timeZone, formats)
}

/** A time of day; midnight is the day that begins. */
function writeTime(ms: number, timeZone: string, formats: ChartFormats): string {
  const isMidnight = readWallClock(ms, timeZone).endsWith('T00:00')
  return (isMidnight ? writeShortDay : writeShortTime)(ms, timeZone, formats)
}

/** A month; January is the year that begins. */
function writeMonth(ms: number, timeZone: string, formats: ChartFormats): string {
  const date = dateOf(ms, timeZone)
  return date.slice(5, 7) === '01' ? date.slice(0, 4) : writeShortMonth(ms, timeZone, formats)
}

function writeYear(ms: number, timeZone: string): string {
  return dateOf(ms, timeZone).slice(0, 4)
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
