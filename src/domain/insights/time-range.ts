import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { TimeRange } from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ErrorReason } from '../../contract/service-error.ts'
import { RANGE_MS_MAX } from '../time-ranges.ts'
import type { BucketWidth } from './buckets.ts'
import { invalid } from './invalid.ts'

const DAY_MS = 86_400_000

/** Events lie between 1970 and 2105; calendars of other centuries serve no query. */
const CALENDAR: RangeMs = { fromMs: Date.UTC(1900, 0, 1), toMs: Date.UTC(2300, 0, 1) }

/** A half-open range in milliseconds since the Unix epoch. */
export interface RangeMs {
  readonly fromMs: number
  readonly toMs: number
}

/** Parses a required time range, truncated to the millisecond. Throws `invalid_argument`. */
export function parseTimeRange(
  range: TimeRange | undefined,
  reason: ErrorReason,
  field: string = 'timeRange',
): RangeMs {
  const fromMs = parseInstant(range?.from, `${field}.from`, reason)
  const toMs = parseInstant(range?.to, `${field}.to`, reason)
  if (fromMs >= toMs) throw invalid(field, 'from must be before to', reason)
  return { fromMs, toMs }
}

/** The same for a query that splits its range into calendar buckets. Throws `invalid_argument`. */
export function parseCalendarRange(timeRange: TimeRange | undefined, reason: ErrorReason): RangeMs {
  const range = parseTimeRange(timeRange, reason)
  const isTooEarly = range.fromMs < CALENDAR.fromMs
  if (!isTooEarly && range.toMs <= CALENDAR.toMs) return range
  throw invalid(isTooEarly ? 'timeRange.from' : 'timeRange.to', 'must be from 1900 to 2299', reason)
}

/** Parses the range of a query without buckets, at most as long as the widest buckets allow. Throws `invalid_argument`. */
export function parseLongRange(timeRange: TimeRange | undefined, reason: ErrorReason): RangeMs {
  const range = parseCalendarRange(timeRange, reason)
  const longestMs = RANGE_MS_MAX[Granularity.MONTH]
  if (range.toMs - range.fromMs <= longestMs) return range
  throw invalid('timeRange', `spans more than ${longestMs / DAY_MS} days`, reason)
}

/** Parses a required granularity and enforces its maximum range. Throws `invalid_argument`. */
export function parseGranularity(granularity: Granularity, range: RangeMs, reason: ErrorReason): BucketWidth {
  if (granularity === Granularity.UNSPECIFIED || RANGE_MS_MAX[granularity] === undefined) {
    throw invalid('granularity', 'is required', reason)
  }
  if (range.toMs - range.fromMs > RANGE_MS_MAX[granularity]) {
    const days = RANGE_MS_MAX[granularity] / DAY_MS
    throw invalid('timeRange', `spans more than the ${days} days that this granularity allows`, reason)
  }
  return granularity
}

function parseInstant(timestamp: Timestamp | undefined, field: string, reason: ErrorReason): number {
  if (!timestamp) throw invalid(field, 'is required', reason)
  return Math.floor(timestampMs(timestamp))
}
