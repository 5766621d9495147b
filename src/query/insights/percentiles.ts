import type { PercentileKind } from '../../domain/insights/series.ts'
import { type Sql, sql } from '../sql/sql.ts'

/**
 * Levels for `quantilesExact`, which returns element number floor(level * n), from 0. A level slightly below p returns
 * element ceil(p * n), from 1: the same element, or the one before where p * n is an integer. Holds for up to 10^9 values.
 * The median is the mean of the elements of its two levels, which are the same one for an odd number of values.
 */
export const PERCENTILE_LEVELS = {
  median: sql`0.49999999999, 0.5`,
  p75: sql`0.74999999999`,
  p90: sql`0.89999999999`,
  p95: sql`0.94999999999`,
  p99: sql`0.98999999999`,
} as const satisfies Record<PercentileKind, Sql>

/** The percentile from the elements of its levels, which are NaN when there are no values; then it is 0. */
export function percentileOf(kind: PercentileKind, elements: Sql = sql`[0.]`): Sql {
  const value =
    kind === 'median'
      ? sql`(arrayElement(${elements}, 1) + arrayElement(${elements}, 2)) / 2`
      : sql`arrayElement(${elements}, 1)`
  return sql`if(isNaN(arrayElement(${elements}, 1)), 0., ${value})`
}
