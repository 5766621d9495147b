import { dateOf, rangeOfDays, shiftDate } from '../calendar.ts'

/** The width of the buckets of a chart over time. */
export type BucketWidth = 'minute' | 'hour' | 'day' | 'week' | 'month'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DAYS_OF_WEEK = 7

/** Shortest buckets of each width: an hour is lost when the clocks are set forward. */
const SHORTEST: readonly (readonly [BucketWidth, minMs: number])[] = [
  ['month', 28 * DAY_MS - HOUR_MS],
  ['week', DAYS_OF_WEEK * DAY_MS - HOUR_MS],
  ['day', DAY_MS - HOUR_MS],
  ['hour', HOUR_MS],
]

/** The width of buckets by their starts in milliseconds; days for a single one. */
export function widthOfBuckets([first, second]: readonly number[]): BucketWidth {
  if (first === undefined || second === undefined) return 'day'
  return SHORTEST.find(([, minMs]) => second - first >= minMs)?.[0] ?? 'minute'
}

/** The position of a chart's buckets in time. */
export interface BucketScale {
  readonly width: BucketWidth
  readonly timeZone: string
}

/** The end of a bucket, which is the start of the next one. */
export function endOfBucket(startMs: number, { width, timeZone }: BucketScale): number {
  if (width === 'minute') return startMs + MINUTE_MS
  if (width === 'hour') return startMs + HOUR_MS
  const date = dateOf(startMs, timeZone)
  const next = width === 'month' ? nextMonth(date) : shiftDate(date, width === 'week' ? DAYS_OF_WEEK : 1)
  return rangeOfDays({ from: next, to: next }, timeZone).fromMs
}

function nextMonth(date: string): string {
  const month = 'YYYY-MM'.length
  return `${shiftDate(`${date.slice(0, month)}-28`, 4).slice(0, month)}-01`
}

/** The index of the bucket that is not over yet; `undefined` if all are. */
export function findIncomplete(
  times: readonly number[],
  scale: BucketScale & { readonly nowMs: number },
): number | undefined {
  const last = times.at(-1)
  return last !== undefined && endOfBucket(last, scale) > scale.nowMs ? times.length - 1 : undefined
}
