import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import type { Granularity } from './draft.ts'

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

/** True for the name of a range. */
export function isRangeName(text: string | null): text is RangeName {
  return text !== null && Object.hasOwn(RANGES, text)
}

/** The range as of now. */
export function rangeUntil(name: RangeName, nowMs: number): TimeRange {
  const { ms } = RANGES[name]
  return create(TimeRangeSchema, { from: timestampFromMs(nowMs - ms), to: timestampFromMs(nowMs) })
}
