import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { TimeRange } from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { RANGE_MS_MAX } from '../../contract/range-lengths.ts'
import type { ErrorReason } from '../../contract/service-error.ts'
import { invalid } from '../invalid.ts'
import type { BucketWidth } from './buckets.ts'

/** Events are of 1970 to 2105; calendars of other centuries are nobody's question. */
const INSTANT_MIN_MS = Date.UTC(1900, 0, 1)
const INSTANT_END_MS = Date.UTC(2300, 0, 1)

/** A half-open range in milliseconds since the Unix epoch. */
export interface RangeMs {
  readonly fromMs: number
  readonly toMs: number
}

/** Reads a required time range, cut to the millisecond. Throws `invalid_argument`. */
export function parseTimeRange(range: TimeRange | undefined, reason: ErrorReason): RangeMs {
  const fromMs = parseInstant(range?.from, 'timeRange.from', reason)
  const toMs = parseInstant(range?.to, 'timeRange.to', reason)
  if (fromMs >= toMs) throw invalid('timeRange', 'from must be before to', reason)
  return { fromMs, toMs }
}

/** Reads a required granularity and checks the range's cap for it. Throws `invalid_argument`. */
export function parseGranularity(granularity: Granularity, range: RangeMs): BucketWidth {
  const reason = 'INVALID_INSIGHT_QUERY'
  if (granularity === Granularity.UNSPECIFIED || RANGE_MS_MAX[granularity] === undefined) {
    throw invalid('granularity', 'is required', reason)
  }
  if (range.toMs - range.fromMs > RANGE_MS_MAX[granularity]) {
    const days = RANGE_MS_MAX[granularity] / 86_400_000
    throw invalid('timeRange', `spans more than the ${days} days that this granularity allows`, reason)
  }
  return granularity
}

function parseInstant(timestamp: Timestamp | undefined, field: string, reason: ErrorReason): number {
  if (!timestamp) throw invalid(field, 'is required', reason)
  const ms = Math.floor(timestampMs(timestamp))
  if (ms < INSTANT_MIN_MS || ms >= INSTANT_END_MS) throw invalid(field, 'must be from 1900 to 2299', reason)
  return ms
}
