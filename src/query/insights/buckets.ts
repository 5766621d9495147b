import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'

/** The granularities that a request may name. */
export type BucketWidth = Exclude<Granularity, Granularity.UNSPECIFIED>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Milliseconds that a time range may span, by granularity (spec.md "Query"). */
export const RANGE_MS_MAX = {
  [Granularity.MINUTE]: 6 * HOUR_MS,
  [Granularity.HOUR]: 14 * DAY_MS,
  [Granularity.DAY]: 365 * DAY_MS,
  [Granularity.WEEK]: 1461 * DAY_MS,
  [Granularity.MONTH]: 3652 * DAY_MS,
} as const satisfies Record<BucketWidth, number>

/** 1970-01-05 was the first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const START_OF_BUCKET = {
  [Granularity.MINUTE]: (ms) => Math.floor(ms / MINUTE_MS) * MINUTE_MS,
  [Granularity.HOUR]: (ms) => Math.floor(ms / HOUR_MS) * HOUR_MS,
  [Granularity.DAY]: (ms) => Math.floor(ms / DAY_MS) * DAY_MS,
  [Granularity.WEEK]: (ms) =>
    Math.floor((ms - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS,
  [Granularity.MONTH]: (ms) => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth()),
} as const satisfies Record<BucketWidth, (ms: number) => number>

const START_OF_NEXT = {
  [Granularity.MINUTE]: (start) => start + MINUTE_MS,
  [Granularity.HOUR]: (start) => start + HOUR_MS,
  [Granularity.DAY]: (start) => start + DAY_MS,
  [Granularity.WEEK]: (start) => start + 7 * DAY_MS,
  [Granularity.MONTH]: (start) =>
    Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1),
} as const satisfies Record<BucketWidth, (start: number) => number>

/**
 * Starts of the UTC calendar buckets that intersect `[fromMs, toMs)`, ascending, in milliseconds; the first may lie
 * before `fromMs`. Weeks start on Monday.
 */
export function bucketStarts(
  range: { readonly fromMs: number; readonly toMs: number },
  width: BucketWidth,
): number[] {
  const starts: number[] = []
  for (
    let start = START_OF_BUCKET[width](range.fromMs);
    start < range.toMs;
    start = START_OF_NEXT[width](start)
  ) {
    starts.push(start)
  }
  return starts
}
