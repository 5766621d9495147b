import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import { Granularity as GranularityEnum } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { RANGE_MS_MAX } from '@service/contract/range-lengths.ts'
import { type Days, isDate, type RangeMs, rangeOfDays } from './days.ts'
import type { Granularity } from './draft.ts'
import { wholeRange } from './whole-range.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Ranges that end now, by the last part of the preset's name. */
export const RANGES = {
  LAST_1_HOUR: { label: 'Last hour', ms: HOUR_MS, granularity: 'GRANULARITY_MINUTE' },
  LAST_6_HOURS: { label: 'Last 6 hours', ms: 6 * HOUR_MS, granularity: 'GRANULARITY_MINUTE' },
  LAST_24_HOURS: { label: 'Last 24 hours', ms: DAY_MS, granularity: 'GRANULARITY_HOUR' },
  LAST_7_DAYS: { label: 'Last 7 days', ms: 7 * DAY_MS, granularity: 'GRANULARITY_DAY' },
  LAST_14_DAYS: { label: 'Last 14 days', ms: 14 * DAY_MS, granularity: 'GRANULARITY_DAY' },
  LAST_30_DAYS: { label: 'Last 30 days', ms: 30 * DAY_MS, granularity: 'GRANULARITY_DAY' },
  LAST_90_DAYS: { label: 'Last 90 days', ms: 90 * DAY_MS, granularity: 'GRANULARITY_WEEK' },
  LAST_180_DAYS: { label: 'Last 180 days', ms: 180 * DAY_MS, granularity: 'GRANULARITY_WEEK' },
  LAST_365_DAYS: { label: 'Last 365 days', ms: 365 * DAY_MS, granularity: 'GRANULARITY_MONTH' },
} as const satisfies Record<
  string,
  { readonly label: string; readonly ms: number; readonly granularity: Granularity }
>
export type RangeName = keyof typeof RANGES

/** What time is looked at: one that ends now, or the days between two. */
export type Period = RangeName | Days

/** Granularities as numbers of the contract. */
export const GRANULARITY_NUMBERS = {
  GRANULARITY_MINUTE: GranularityEnum.MINUTE,
  GRANULARITY_HOUR: GranularityEnum.HOUR,
  GRANULARITY_DAY: GranularityEnum.DAY,
  GRANULARITY_WEEK: GranularityEnum.WEEK,
  GRANULARITY_MONTH: GranularityEnum.MONTH,
} as const satisfies Record<Granularity, GranularityEnum>

/** Where a period that ends now ends: who asks within the same ten seconds asks the same, and is answered once. */
const STEP_MS = 10_000

/** True for the name of a range. */
export function isRangeName(text: unknown): text is RangeName {
  return typeof text === 'string' && Object.hasOwn(RANGES, text)
}

/** The period that a text of an address names: the name of a range, or two days with two dots between them. */
export function parsePeriod(text: string | null): Period | undefined {
  if (isRangeName(text)) return text
  const [from = '', to = '', ...rest] = (text ?? '').split('..')
  return isDate(from) && isDate(to) && rest.length === 0 ? { from, to } : undefined
}

/** The text of an address for a period. */
export function writePeriod(period: Period): string {
  return isRangeName(period) ? period : `${period.from}..${period.to}`
}

/** What a period is as of now. Days that are not over end now. */
export function rangeOf(
  period: Period,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): RangeMs {
  const toMs = Math.ceil(nowMs / STEP_MS) * STEP_MS
  if (isRangeName(period)) return { fromMs: toMs - RANGES[period].ms, toMs }
  const days = rangeOfDays(period, timeZone)
  return { fromMs: days.fromMs, toMs: days.fromMs < toMs ? Math.min(days.toMs, toMs) : days.toMs }
}

/** The range of a question, as of now: one that ends now begins with a whole bucket. */
export function wholeRangeOf(
  period: Period,
  now: { readonly nowMs: number; readonly timeZone: string },
): RangeMs {
  const { fromMs, toMs } = rangeOf(period, now)
  return isRangeName(period) ? wholeRange(RANGES[period], { toMs, timeZone: now.timeZone }) : { fromMs, toMs }
}

/** The time before that of a question: bucket beside bucket for one that ends now, whose last goes on. */
export function wholeRangeBefore(period: Period, { fromMs, toMs }: RangeMs, timeZone: string): RangeMs {
  if (!isRangeName(period)) return rangeBefore({ fromMs, toMs })
  return wholeRange(RANGES[period], { toMs: toMs - RANGES[period].ms, timeZone })
}

/** The time of the same length before. */
export function rangeBefore({ fromMs, toMs }: RangeMs): RangeMs {
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs }
}

/** A range as requests have it. */
export function toTimeRange({ fromMs, toMs }: RangeMs): TimeRange {
  return create(TimeRangeSchema, { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) })
}

/** Buckets that show a period well: some dozens of them. */
export function usualGranularity(period: Period): Granularity {
  if (isRangeName(period)) return RANGES[period].granularity
  const { fromMs, toMs } = rangeOfDays(period, 'UTC')
  const days = (toMs - fromMs) / DAY_MS
  if (days <= 3) return 'GRANULARITY_HOUR'
  if (days <= 62) return 'GRANULARITY_DAY'
  return days <= 366 ? 'GRANULARITY_WEEK' : 'GRANULARITY_MONTH'
}

/** What is wrong with a period, by the same limits as the service has; without a granularity, by the widest. */
export function problemOf(
  period: Period,
  { granularity, timeZone }: { readonly granularity?: Granularity; readonly timeZone: string },
): string | undefined {
  const maxMs = RANGE_MS_MAX[granularity ? GRANULARITY_NUMBERS[granularity] : GranularityEnum.MONTH]
  if (isRangeName(period)) return RANGES[period].ms <= maxMs ? undefined : tooLong(maxMs)
  if (!isDate(period.from) || !isDate(period.to)) return 'Choose two days.'
  const { fromMs, toMs } = rangeOfDays(period, timeZone)
  if (fromMs >= toMs) return 'The first day has to be before the last.'
  return toMs - fromMs <= maxMs ? undefined : tooLong(maxMs)
}

/** True for buckets that the service refuses for a period which wider ones may have. */
export function isTooNarrow(
  granularity: Granularity,
  { period, timeZone }: { readonly period: Period; readonly timeZone: string },
): boolean {
  const isRefused = problemOf(period, { granularity, timeZone }) !== undefined
  return isRefused && problemOf(period, { timeZone }) === undefined
}

function tooLong(maxMs: number): string {
  const most = maxMs < DAY_MS ? `${maxMs / HOUR_MS} hours` : `${maxMs / DAY_MS} days`
  return `That is longer than the ${most} that this granularity allows.`
}
