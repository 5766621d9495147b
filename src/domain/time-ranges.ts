import { TimeRangePreset } from '../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../contract/gen/shared/insights/v1/insight_query_spec_pb.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A half-open range, in milliseconds since the Unix epoch. */
export interface RangeMs {
  readonly fromMs: number
  readonly toMs: number
}

/** The widths of buckets that a request may name. */
export type BucketWidth = Exclude<Granularity, Granularity.UNSPECIFIED>

/** Longest time range of a query by the width of its buckets, from narrow to wide. */
export const RANGE_MS_MAX = {
  [Granularity.MINUTE]: 6 * HOUR_MS,
  [Granularity.HOUR]: 14 * DAY_MS,
  [Granularity.DAY]: 365 * DAY_MS,
  [Granularity.WEEK]: 1461 * DAY_MS,
  [Granularity.MONTH]: 3652 * DAY_MS,
} as const satisfies Record<BucketWidth, number>

/** The narrowest buckets, from a width on, that a query over a range may have; `undefined` for a range that is too long for all. */
export function widenBuckets(least: Granularity, lengthMs: number): BucketWidth | undefined {
  const widths = Object.keys(RANGE_MS_MAX).map((name) => Number(name) as BucketWidth)
  return widths.sort((a, b) => a - b).find((width) => width >= least && lengthMs <= RANGE_MS_MAX[width])
}

/** The buckets that suit a range of whole days: a few dozen, without the limits of {@link RANGE_MS_MAX}. */
export function suitableBuckets(days: number): BucketWidth {
  if (days <= 2) return Granularity.HOUR
  if (days <= 92) return Granularity.DAY
  return days <= 366 ? Granularity.WEEK : Granularity.MONTH
}

/** The length of a range that ends now, and the bucket width that suits it. */
export interface RangeLength {
  readonly lengthMs: number
  readonly granularity: BucketWidth
}

/** Names of ranges that end now, as in `TimeRangePreset`. */
export type RangePresetName = Exclude<keyof typeof TimeRangePreset, 'UNSPECIFIED'>

/** The ranges that end now. */
export const RANGE_PRESETS = {
  LAST_1_HOUR: { lengthMs: HOUR_MS, granularity: Granularity.MINUTE },
  LAST_6_HOURS: { lengthMs: 6 * HOUR_MS, granularity: Granularity.MINUTE },
  LAST_24_HOURS: { lengthMs: DAY_MS, granularity: Granularity.HOUR },
  LAST_7_DAYS: { lengthMs: 7 * DAY_MS, granularity: Granularity.DAY },
  LAST_14_DAYS: { lengthMs: 14 * DAY_MS, granularity: Granularity.DAY },
  LAST_30_DAYS: { lengthMs: 30 * DAY_MS, granularity: Granularity.DAY },
  LAST_90_DAYS: { lengthMs: 90 * DAY_MS, granularity: Granularity.WEEK },
  LAST_180_DAYS: { lengthMs: 180 * DAY_MS, granularity: Granularity.WEEK },
  LAST_365_DAYS: { lengthMs: 365 * DAY_MS, granularity: Granularity.MONTH },
} as const satisfies Record<RangePresetName, RangeLength>

/** The preset of a dashboard that names none. */
const DEFAULT_PRESET: RangePresetName = 'LAST_30_DAYS'

/** The name of a preset; that of the default for `UNSPECIFIED` and for numbers that the contract does not have. */
export function presetName(preset: TimeRangePreset): RangePresetName {
  const name: string | undefined = TimeRangePreset[preset]
  return name !== undefined && Object.hasOwn(RANGE_PRESETS, name) ? (name as RangePresetName) : DEFAULT_PRESET
}

/** Ranges that end now are rounded up to this step, so that calls within one step share a cached answer. */
const END_STEP_MS = 10_000

/** The end of ranges that end now. */
export function endOfRanges(nowMs: number): number {
  return Math.ceil(nowMs / END_STEP_MS) * END_STEP_MS
}

/** The previous period: the range of the same length that ends where a range starts. */
export function previousPeriod({ fromMs, toMs }: RangeMs): RangeMs {
  return { fromMs: 2 * fromMs - toMs, toMs: fromMs }
}
