import { Granularity } from './gen/shared/insights/v1/insight_query_spec_pb.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Milliseconds that a time range may span, by granularity, from narrow buckets to wide ones (spec.md "Query"). */
export const RANGE_MS_MAX = {
  [Granularity.MINUTE]: 6 * HOUR_MS,
  [Granularity.HOUR]: 14 * DAY_MS,
  [Granularity.DAY]: 365 * DAY_MS,
  [Granularity.WEEK]: 1461 * DAY_MS,
  [Granularity.MONTH]: 3652 * DAY_MS,
} as const satisfies Record<Exclude<Granularity, Granularity.UNSPECIFIED>, number>
