import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import { Granularity as GranularityEnum } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type Days, isDate, rangeOfDays } from '@domain/calendar.ts'
import {
  endOfRanges,
  previousPeriod,
  RANGE_MS_MAX,
  RANGE_PRESETS,
  type RangeMs,
  type RangePresetName,
} from '@domain/time-ranges.ts'
import { previousWholeBucketRange, wholeBucketRange } from '@domain/whole-buckets.ts'
import type { Granularity } from './model/draft.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The labels of ranges that end now. */
export const PRESET_LABELS = {
  LAST_1_HOUR: 'Last hour',
  LAST_6_HOURS: 'Last 6 hours',
  LAST_24_HOURS: 'Last 24 hours',
  LAST_7_DAYS: 'Last 7 days',
  LAST_14_DAYS: 'Last 14 days',
  LAST_30_DAYS: 'Last 30 days',
  LAST_90_DAYS: 'Last 90 days',
  LAST_180_DAYS: 'Last 180 days',
  LAST_365_DAYS: 'Last 365 days',
} as const satisfies Record<RangePresetName, string>

/** The choices of a field for a range that ends now. */
export const PRESET_CHOICES = (Object.keys(PRESET_LABELS) as RangePresetName[]).map((value) => ({
  value,
  label: PRESET_LABELS[value],
}))

/** The time of a query: a range that ends now, or a first and a last day. */
export type Period = RangePresetName | Days

/** The current time, and the zone of the project's calendar. */
export interface Now {
  readonly nowMs: number
  readonly timeZone: string
}

/** Granularities by their names in an address. */
export const GRANULARITY_NUMBERS = {
  GRANULARITY_MINUTE: GranularityEnum.MINUTE,
  GRANULARITY_HOUR: GranularityEnum.HOUR,
  GRANULARITY_DAY: GranularityEnum.DAY,
  GRANULARITY_WEEK: GranularityEnum.WEEK,
  GRANULARITY_MONTH: GranularityEnum.MONTH,
} as const satisfies Record<Granularity, GranularityEnum>

/** The name of a granularity; days for one that the console does not offer. */
export function granularityName(granularity: GranularityEnum): Granularity {
  const names = Object.keys(GRANULARITY_NUMBERS) as Granularity[]
  return names.find((name) => GRANULARITY_NUMBERS[name] === granularity) ?? 'GRANULARITY_DAY'
}

/** Whether a text is the name of a range that ends now. */
export function isPreset(text: unknown): text is RangePresetName {
  return typeof text === 'string' && Object.hasOwn(RANGE_PRESETS, text)
}

/** Parses a period in an address: the name of a preset, or two days separated by two dots. */
export function parsePeriod(text: string | null): Period | undefined {
  if (isPreset(text)) return text
  const [from = '', to = '', ...rest] = (text ?? '').split('..')
  return isDate(from) && isDate(to) && rest.length === 0 ? { from, to } : undefined
}

/** The text of a period in an address. */
export function writePeriod(period: Period): string {
  return isPreset(period) ? period : `${period.from}..${period.to}`
}

/** The range of a period as a dashboard queries it: a preset has its exact length, and the current day ends now. */
export function rangeOfPeriod(period: Period, { nowMs, timeZone }: Now): RangeMs {
  const toMs = endOfRanges(nowMs)
  if (isPreset(period)) return { fromMs: toMs - RANGE_PRESETS[period].lengthMs, toMs }
  const days = rangeOfDays(period, timeZone)
  return { fromMs: days.fromMs, toMs: days.fromMs < toMs ? Math.min(days.toMs, toMs) : days.toMs }
}

/** The range of a period as an insight queries it: a preset starts with a whole bucket. */
export function insightRange(period: Period, now: Now): RangeMs {
  const { fromMs, toMs } = rangeOfPeriod(period, now)
  if (!isPreset(period)) return { fromMs, toMs }
  return wholeBucketRange(RANGE_PRESETS[period], { toMs, timeZone: now.timeZone })
}

/** The previous period of {@link insightRange}. */
export function previousInsightRange(period: Period, range: RangeMs, timeZone: string): RangeMs {
  if (!isPreset(period)) return previousPeriod(range)
  return previousWholeBucketRange(RANGE_PRESETS[period], { toMs: range.toMs, timeZone })
}

/** A range as a message. */
export function toTimeRange({ fromMs, toMs }: RangeMs): TimeRange {
  return create(TimeRangeSchema, { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) })
}

/** The bucket width that suits a period: some dozens of buckets. */
export function defaultGranularity(period: Period): Granularity {
  if (isPreset(period)) return granularityName(RANGE_PRESETS[period].granularity)
  const { fromMs, toMs } = rangeOfDays(period, 'UTC')
  const days = (toMs - fromMs) / DAY_MS
  if (days <= 3) return 'GRANULARITY_HOUR'
  if (days <= 62) return 'GRANULARITY_DAY'
  return days <= 366 ? 'GRANULARITY_WEEK' : 'GRANULARITY_MONTH'
}

/** Why a period is invalid, by the limits of the service; without a granularity, by the limit of the widest. */
export function findPeriodProblem(
  period: Period,
  { granularity, timeZone }: { readonly granularity?: Granularity; readonly timeZone: string },
): string | undefined {
  const maxMs = RANGE_MS_MAX[granularity ? GRANULARITY_NUMBERS[granularity] : GranularityEnum.MONTH]
  if (isPreset(period)) return RANGE_PRESETS[period].lengthMs <= maxMs ? undefined : tooLong(maxMs)
  if (!isDate(period.from) || !isDate(period.to)) return 'Choose two days.'
  const { fromMs, toMs } = rangeOfDays(period, timeZone)
  if (fromMs >= toMs) return 'The first day must be before the last.'
  return toMs - fromMs <= maxMs ? undefined : tooLong(maxMs)
}

/** Whether buckets are too narrow for a period that wider ones allow. */
export function isTooNarrow(
  granularity: Granularity,
  { period, timeZone }: { readonly period: Period; readonly timeZone: string },
): boolean {
  const isRefused = findPeriodProblem(period, { granularity, timeZone }) !== undefined
  return isRefused && findPeriodProblem(period, { timeZone }) === undefined
}

function tooLong(maxMs: number): string {
  const most = maxMs < DAY_MS ? `${maxMs / HOUR_MS} hours` : `${maxMs / DAY_MS} days`
  return `Choose at most ${most} for this granularity.`
}
