import { dateOf, rangeOfDays, shiftDate } from '@domain/calendar.ts'
import { formatDay, formatMinute } from '../format/values.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Shortest days, weeks and months: an hour is lost when the clocks are set forward. */
const WIDTHS = [
  { minMs: 28 * DAY_MS - HOUR_MS, name: 'Month from ', next: nextMonth },
  { minMs: 7 * DAY_MS - HOUR_MS, name: 'Week from ', next: (date: string) => shiftDate(date, 7) },
  { minMs: 23 * HOUR_MS, name: '', next: (date: string) => shiftDate(date, 1) },
] as const

/** The index of a bucket and its label. */
export interface Bucket {
  readonly index: number
  readonly label: string
}

/**
 * The newest complete bucket, since the current one holds only a part of its events; the only bucket if there is just one.
 * `times` are the starts of buckets of one width, in milliseconds.
 */
export function newestBucket(
  times: readonly number[],
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): Bucket {
  const [first = 0, second] = times
  const lastMs = times.at(-1) ?? first
  const widthMs = second === undefined ? DAY_MS : second - first
  const width = WIDTHS.find(({ minMs }) => widthMs >= minMs)
  const endMs = width ? startOf(width.next(dateOf(lastMs, timeZone)), timeZone) : lastMs + widthMs
  const index = Math.max(0, times.length - (endMs > nowMs ? 2 : 1))
  const startMs = times[index] ?? first
  const label = width ? `${width.name}${formatDay(startMs, timeZone)}` : formatMinute(startMs, timeZone)
  return { index, label }
}

function startOf(date: string, timeZone: string): number {
  return rangeOfDays({ from: date, to: date }, timeZone).fromMs
}

function nextMonth(date: string): string {
  return `${shiftDate(`${date.slice(0, 'YYYY-MM'.length)}-28`, 4).slice(0, 'YYYY-MM'.length)}-01`
}
