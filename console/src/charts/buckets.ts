import { type BucketScale, type BucketWidth, endOfBucket } from '@domain/charts/buckets.ts'
import { formatMonth, formatRange, formatShortDay, formatShortTime, formatWeekday } from '../format/values.ts'
import { type MessageKey, t } from '../i18n/translate.ts'

const SO_FAR = {
  minute: 'chart.minuteSoFar',
  hour: 'chart.hourSoFar',
  day: 'chart.daySoFar',
  week: 'chart.weekSoFar',
  month: 'chart.monthSoFar',
} as const satisfies Record<BucketWidth, MessageKey>

/** The name of the bucket that is not over yet. */
export function nameIncomplete(width: BucketWidth): string {
  return t(SO_FAR[width])
}

/** The messages with the names of widths over a column of starts. */
export const WIDTH_NAMES = {
  minute: 'chart.minute',
  hour: 'chart.hour',
  day: 'chart.day',
  week: 'chart.weekOf',
  month: 'chart.month',
} as const satisfies Record<BucketWidth, MessageKey>

const NTH = {
  minute: 'chart.nthMinute',
  hour: 'chart.nthHour',
  day: 'chart.nthDay',
  week: 'chart.nthWeek',
  month: 'chart.nthMonth',
} as const satisfies Record<BucketWidth, MessageKey>

/** The name of a period after a start: `Week 3`. */
export function namePeriod(width: BucketWidth, number: number): string {
  return t(NTH[width], { number })
}

/** A bucket in words: a day without a time, a week by its days. */
export function describeBucket(startMs: number, scale: BucketScale): string {
  const { width, timeZone } = scale
  if (width === 'month') return formatMonth(startMs, timeZone)
  if (width === 'week') return formatRange({ fromMs: startMs, toMs: endOfBucket(startMs, scale) }, timeZone)
  if (width === 'day') return formatWeekday(startMs, timeZone)
  return `${formatWeekday(startMs, timeZone)}, ${formatShortTime(startMs, timeZone)}`
}

/** A bucket in the least words, beside another one. */
export function shortenBucket(startMs: number, { width, timeZone }: BucketScale): string {
  if (width === 'month') return formatMonth(startMs, timeZone)
  const day = formatShortDay(startMs, timeZone)
  return width === 'day' || width === 'week' ? day : `${day}, ${formatShortTime(startMs, timeZone)}`
}

/** The bucket that a time falls into; `undefined` outside all of them. */
export function bucketOf(times: readonly number[], timeMs: number | undefined): number | undefined {
  const [first, second] = times
  const last = times.at(-1)
  if (timeMs === undefined || first === undefined || last === undefined || timeMs < first) return undefined
  const widthMs = second === undefined ? Number.POSITIVE_INFINITY : second - first
  if (timeMs >= last + widthMs) return undefined
  return times.findLastIndex((start) => start <= timeMs)
}

/** The bucket nearest to a position. */
export function bucketAt(
  frame: { readonly xOf: (index: number) => number } | undefined,
  x: number,
  count: number,
): number {
  if (!frame || count < 2) return 0
  const first = frame.xOf(0)
  return Math.max(0, Math.min(count - 1, Math.round((x - first) / (frame.xOf(1) - first))))
}
