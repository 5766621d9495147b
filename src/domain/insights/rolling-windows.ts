import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketStarts } from './buckets.ts'
import type { RangeMs } from './time-range.ts'
import type { TimeZone } from './time-zone.ts'

const DAY_MS = 86_400_000

/** Local days that a zone skips, and hours that its offset changes, at most within a window. */
const SLACK_DAYS = 3

/**
 * For each bucket, the days of the zone's calendar that end with the last day of the bucket; the last window ends with
 * the range. A date that the zone skipped is no day. Windows may overlap or leave gaps, and both of their ends ascend.
 */
export function rollingWindows(input: {
  readonly starts: readonly number[]
  readonly range: RangeMs
  readonly zone: TimeZone
  readonly days: number
}): readonly RangeMs[] {
  const { starts, range, zone, days } = input
  const ends = starts.map((_, index) => starts[index + 1] ?? range.toMs)
  const firstMs = (ends[0] ?? range.toMs) - (days + SLACK_DAYS) * DAY_MS
  const dayStarts = bucketStarts({ fromMs: firstMs, toMs: range.toMs, width: Granularity.DAY, zone })
  return ends.map((toMs) => {
    const last = dayStarts.findLastIndex((start) => start < toMs)
    return { fromMs: dayStarts[last - days + 1] ?? firstMs, toMs }
  })
}
