import { dateOf, rangeOfDays, shiftDate } from '@domain/calendar.ts'
import { formatDay, formatMinute } from '../app/format.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Days have 23 hours at least, weeks an hour less than seven of them may have, months more than four weeks less an hour. */
const WIDTHS = [
  { minMs: 28 * DAY_MS - HOUR_MS, name: 'Month from ', next: nextMonth },
  { minMs: 7 * DAY_MS - HOUR_MS, name: 'Week from ', next: (date: string) => shiftDate(date, 7) },
  { minMs: 23 * HOUR_MS, name: '', next: (date: string) => shiftDate(date, 1) },
] as const

/** A bucket by its place, and what it is called. */
export interface Bucket {
  readonly at: number
  readonly label: string
}

/**
 * The newest bucket that is over, since one that goes on has but a part of its number; the only bucket when there is no other.
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
  const at = Math.max(0, times.length - (endMs > nowMs ? 2 : 1))
  const startMs = times[at] ?? first
  const label = width ? `${width.name}${formatDay(startMs, timeZone)}` : formatMinute(startMs, timeZone)
  return { at, label }
}

function startOf(date: string, timeZone: string): number {
  return rangeOfDays({ from: date, to: date }, timeZone).fromMs
}

function nextMonth(date: string): string {
  return `${shiftDate(`${date.slice(0, 'YYYY-MM'.length)}-28`, 4).slice(0, 'YYYY-MM'.length)}-01`
}
