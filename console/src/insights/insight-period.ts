import { type Days, dateOf, rangeOfDays, shiftDate } from '@domain/calendar.ts'
import {
  countDays,
  type DatePeriod,
  daysOfPeriod,
  parseDatePeriod,
  previousDays,
  shiftMonths,
  stepDays,
  writeDatePeriod,
} from '@domain/date-periods.ts'
import {
  endOfRanges,
  RANGE_MS_MAX,
  RANGE_PRESETS,
  type RangeMs,
  suitableBuckets,
} from '@domain/time-ranges.ts'
import { previousWholeBucketRange, wholeBucketRange } from '@domain/whole-buckets.ts'
import { GRANULARITIES, type Granularity, type InsightType } from './model/draft.ts'
import { GRANULARITY_NUMBERS, granularityName, isPreset, type Now } from './period.ts'

const DAY_MS = 86_400_000
const WEEK_DAYS = 7
/** Whole weeks closest to a month and a year, so that weekdays match. */
const MONTH_WEEKS = 4
const YEAR_WEEKS = 52

/** Ranges of hours that end now; longer ones are whole days. */
export const HOUR_PERIODS = ['LAST_1_HOUR', 'LAST_6_HOURS', 'LAST_24_HOURS'] as const
/** A range of hours that ends now. */
export type HourPeriod = (typeof HOUR_PERIODS)[number]

/** The time of an insight: whole days in the zone of the project, or the last hours. */
export type InsightPeriod = DatePeriod | HourPeriod

/** The time of a new insight. */
export const DEFAULT_PERIOD: InsightPeriod = { last: 30, unit: 'days' }

/** The comparisons that an answer offers, by name. */
export const COMPARISONS = ['none', 'previous', 'week', 'month', 'year'] as const
/** A comparison with a name. */
export type NamedCompare = (typeof COMPARISONS)[number]
/** The comparison of an answer: a named range, or one of the same length that begins on a date. */
export type Compare = NamedCompare | { readonly from: string }

/** Whether a period is a range of hours. */
export function isHours(period: InsightPeriod): period is HourPeriod {
  return HOUR_PERIODS.some((hours) => hours === period)
}

/** Parses a period in an address; the names of presets of dashboards are periods too. */
export function parseInsightPeriod(text: string): InsightPeriod | undefined {
  const hours = HOUR_PERIODS.find((known) => known === text)
  if (hours) return hours
  if (!isPreset(text)) return parseDatePeriod(text)
  return { last: RANGE_PRESETS[text].lengthMs / DAY_MS, unit: 'days' }
}

/** The text of a period in an address. */
export function writeInsightPeriod(period: InsightPeriod): string {
  return isHours(period) ? period : writeDatePeriod(period)
}

/** The first and the last day of a period. */
export function daysOfInsight(period: InsightPeriod, { nowMs, timeZone, firstDate }: Now): Days {
  const today = dateOf(endOfRanges(nowMs) - 1, timeZone)
  if (!isHours(period)) return daysOfPeriod(period, { today, firstDate })
  const { fromMs } = insightRange(period, { nowMs, timeZone })
  return { from: dateOf(fromMs, timeZone), to: today }
}

/** The range of a period. The current day, and the last of the hours, end now. */
export function insightRange(period: InsightPeriod, now: Now): RangeMs {
  const toMs = endOfRanges(now.nowMs)
  if (isHours(period)) return wholeBucketRange(RANGE_PRESETS[period], { toMs, timeZone: now.timeZone })
  return cutAtNow(rangeOfDays(daysOfInsight(period, now), now.timeZone), toMs)
}

function cutAtNow({ fromMs, toMs }: RangeMs, nowMs: number): RangeMs {
  return { fromMs, toMs: fromMs < nowMs ? Math.min(toMs, nowMs) : toMs }
}

/** What a query is compared with, and what decides the range of that. */
interface ComparedQuery {
  readonly compare: Compare
  readonly period: InsightPeriod
  readonly granularity: Granularity
}

/**
 * The range that a range is compared with; it is cut off at the same time of its last day. `undefined` without a comparison, and
 * for a date that is not before the period.
 */
export function comparedRange(
  { compare, period, granularity }: ComparedQuery,
  now: Now,
): RangeMs | undefined {
  const range = insightRange(period, now)
  const days = daysOfInsight(period, now)
  if (compare === 'none' || isLate(compare, days)) return undefined
  if (isHours(period)) {
    if (compare === 'previous')
      return previousWholeBucketRange(RANGE_PRESETS[period], { toMs: range.toMs, timeZone: now.timeZone })
    const byMs =
      DAY_MS * (typeof compare === 'string' ? WEEKS[compare] * WEEK_DAYS : daysSince(compare, days))
    return { fromMs: range.fromMs - byMs, toMs: range.toMs - byMs }
  }
  return cutLike(shiftDays(days, compare, granularity), { days, range }, now.timeZone)
}

/** The range of some days, which is cut off at the same time of its last day as the range of other days. */
export function cutLike(
  days: Days,
  other: { readonly days: Days; readonly range: RangeMs },
  timeZone: string,
): RangeMs {
  const missingMs = rangeOfDays(other.days, timeZone).toMs - other.range.toMs
  const whole = rangeOfDays(days, timeZone)
  return { fromMs: whole.fromMs, toMs: Math.max(whole.fromMs, whole.toMs - missingMs) }
}

/** The first and the last day of the range that a query is compared with. */
export function comparedDays(query: ComparedQuery, now: Now): Days | undefined {
  const range = comparedRange(query, now)
  if (!range) return undefined
  const { fromMs, toMs } = range
  return { from: dateOf(fromMs, now.timeZone), to: dateOf(Math.max(fromMs, toMs - 1), now.timeZone) }
}

function isLate(compare: Compare, { from }: Days): boolean {
  return typeof compare === 'object' && compare.from >= from
}

function daysSince({ from }: { readonly from: string }, days: Days): number {
  return countDays({ from, to: days.from }) - 1
}

/** Whether the days of a compared range are the same weekdays. */
export function matchesWeekdays(range: RangeMs, before: RangeMs): boolean {
  const days = Math.round((range.fromMs - before.fromMs) / DAY_MS)
  return days > 0 && days % WEEK_DAYS === 0
}

const WEEKS = { week: 1, month: MONTH_WEEKS, year: YEAR_WEEKS } as const

/** Weeks start on the same weekday in both ranges. */
function shiftDays(days: Days, compare: Exclude<Compare, 'none'>, granularity: Granularity): Days {
  if (typeof compare === 'object') return shiftTo(compare.from, days, granularity)
  // Shifted by weeks, buckets of a month would begin in its middle.
  if (compare === 'previous')
    return granularity === 'GRANULARITY_MONTH' ? stepDays(days, 'back') : previousDays(days)
  if (compare === 'week' || granularity === 'GRANULARITY_WEEK')
    return moveDays(days, WEEKS[compare] * WEEK_DAYS)
  return moveMonths(days, compare === 'month' ? 1 : 12)
}

/** To a date, or to the whole weeks or months nearest to it, so that buckets of that width begin on the same day of theirs. */
function shiftTo(from: string, days: Days, granularity: Granularity): Days {
  const by = daysSince({ from }, days)
  if (granularity === 'GRANULARITY_WEEK')
    return moveDays(days, Math.max(1, Math.round(by / WEEK_DAYS)) * WEEK_DAYS)
  return granularity === 'GRANULARITY_MONTH'
    ? moveMonths(days, Math.max(1, monthOf(days.from) - monthOf(from)))
    : moveDays(days, by)
}

function moveDays({ from, to }: Days, by: number): Days {
  return { from: shiftDate(from, -by), to: shiftDate(to, -by) }
}

function moveMonths({ from, to }: Days, by: number): Days {
  return { from: shiftMonths(from, -by), to: shiftMonths(to, -by) }
}

function monthOf(date: string): number {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return 12 * year + month
}

/** The least days of a period that has more than one bucket of a width. */
const DAYS_MIN = {
  GRANULARITY_MINUTE: 0,
  GRANULARITY_HOUR: 0,
  GRANULARITY_DAY: 2,
  GRANULARITY_WEEK: 8,
  GRANULARITY_MONTH: 32,
} as const satisfies Record<Granularity, number>

/** The widths of buckets that the service allows for a period, and that make more than one bucket. */
export function fittingGranularities(
  period: InsightPeriod,
  now: Now,
  type: InsightType = 'INSIGHT_TYPE_TRENDS',
): readonly Granularity[] {
  const count = isHours(period) ? 1 : countDays(daysOfInsight(period, now))
  return allowedGranularities(period, now).filter((width) => count >= DAYS_MIN[width] && takes(type, width))
}

/** A lifecycle has no shorter buckets than days. */
function takes(type: InsightType, width: Granularity): boolean {
  return type !== 'INSIGHT_TYPE_LIFECYCLE' || !['GRANULARITY_MINUTE', 'GRANULARITY_HOUR'].includes(width)
}

function allowedGranularities(period: InsightPeriod, now: Now): readonly Granularity[] {
  // The current day counts as a whole: what fits does not change in its course.
  const range = isHours(period)
    ? insightRange(period, now)
    : rangeOfDays(daysOfInsight(period, now), now.timeZone)
  const lengthMs = range.toMs - range.fromMs
  return GRANULARITIES.filter((width) => lengthMs <= RANGE_MS_MAX[GRANULARITY_NUMBERS[width]])
}

/** The width of buckets that suits a period: some dozens of buckets, and some cohorts of retention. */
export function usualGranularity(
  { period, type }: { readonly period: InsightPeriod; readonly type: InsightType },
  now: Now,
): Granularity {
  if (isHours(period)) return period === 'LAST_24_HOURS' ? 'GRANULARITY_HOUR' : 'GRANULARITY_MINUTE'
  const count = countDays(daysOfInsight(period, now))
  if (type === 'INSIGHT_TYPE_RETENTION') return usualOfRetention(count)
  return granularityName(suitableBuckets(count))
}

function usualOfRetention(days: number): Granularity {
  if (days <= 14) return 'GRANULARITY_DAY'
  return days <= 183 ? 'GRANULARITY_WEEK' : 'GRANULARITY_MONTH'
}

/** The width that was chosen where the service allows it, else the one that suits the period. */
export function chooseGranularity(
  chosen: Granularity | undefined,
  query: { readonly period: InsightPeriod; readonly type: InsightType },
  now: Now,
): Granularity {
  const { period, type } = query
  if (chosen && allowedGranularities(period, now).includes(chosen) && takes(type, chosen)) return chosen
  const fitting = fittingGranularities(period, now, type)
  const usual = usualGranularity(query, now)
  if (fitting.includes(usual)) return usual
  return fitting.at(-1) ?? (takes(type, usual) ? usual : 'GRANULARITY_DAY')
}
