import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { RangeMs } from './time-range.ts'
import type { TimeZone, ZoneSegment } from './time-zone.ts'

/** The granularities that a request may name. */
export type BucketWidth = Exclude<Granularity, Granularity.UNSPECIFIED>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 1970-01-05 was the first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Zone offsets reach 14 hours; a local day starts at most this long before its last instant. */
const SLACK_MS = 2 * DAY_MS

type CalendarWidth = Granularity.DAY | Granularity.WEEK | Granularity.MONTH

/**
 * Start of the local calendar period that contains `local`, and of the next one, both expressed as if they were UTC.
 */
const CALENDAR = {
  [Granularity.DAY]: {
    start: (local) => Math.floor(local / DAY_MS) * DAY_MS,
    next: (start) => start + DAY_MS,
  },
  [Granularity.WEEK]: {
    start: (local) => Math.floor((local - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS,
    next: (start) => start + 7 * DAY_MS,
  },
  [Granularity.MONTH]: {
    start: (local) => Date.UTC(new Date(local).getUTCFullYear(), new Date(local).getUTCMonth()),
    next: (start) => Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + 1),
  },
} as const satisfies Record<
  CalendarWidth,
  { start: (local: number) => number; next: (start: number) => number }
>

/** The buckets of one query. */
export interface BucketsInput extends RangeMs {
  readonly width: BucketWidth
  readonly zone: TimeZone
}

/**
 * Starts of the zone's calendar buckets that intersect `[fromMs, toMs)`, ascending, in milliseconds since the Unix
 * epoch; the first may lie before `fromMs`. Weeks start on Monday; a day without midnight starts at its first instant;
 * an hour that the clocks repeat makes two buckets. An empty range has no bucket.
 */
export function bucketStarts({ fromMs, toMs, width, zone }: BucketsInput): number[] {
  if (fromMs >= toMs) return []
  if (width === Granularity.MINUTE) return clockStarts({ fromMs, toMs, zone, periodMs: MINUTE_MS })
  if (width === Granularity.HOUR) return clockStarts({ fromMs, toMs, zone, periodMs: HOUR_MS })
  return calendarStarts({ fromMs, toMs, zone, width })
}

/** Hours and minutes of the local clock, segment by segment: a change of offset starts a new bucket. */
function clockStarts(input: RangeMs & { readonly zone: TimeZone; readonly periodMs: number }): number[] {
  const { fromMs, toMs, periodMs } = input
  const segments = input.zone.segments(fromMs - SLACK_MS, toMs)
  const starts = segments.flatMap(({ startMs, offsetMs }, index) => {
    const endMs = Math.min(segments[index + 1]?.startMs ?? toMs, toMs)
    const first = Math.floor((Math.max(startMs, fromMs) + offsetMs) / periodMs) * periodMs - offsetMs
    const count = endMs > fromMs ? Math.max(0, Math.ceil((endMs - first) / periodMs)) : 0
    return Array.from({ length: count }, (_, step) => Math.max(first + step * periodMs, startMs))
  })
  return starts
}

function calendarStarts(
  input: RangeMs & { readonly zone: TimeZone; readonly width: CalendarWidth },
): number[] {
  const { fromMs, toMs, width } = input
  const { start, next } = CALENDAR[width]
  const earliestMs = fromMs - 33 * DAY_MS
  const segments = input.zone.segments(earliestMs, toMs + SLACK_MS)
  const offsetMs = segments.findLast(({ startMs }) => startMs <= fromMs)?.offsetMs ?? 0
  const starts: number[] = []
  let local = start(fromMs + offsetMs)
  for (let ms = firstInstant(local, segments); ms < toMs; ms = firstInstant(local, segments)) {
    // A date that the zone skipped starts together with the next one.
    if (starts.at(-1) === ms) starts.pop()
    starts.push(ms)
    local = next(local)
  }
  return starts
}

/** The first instant whose local time is `local` or later. */
function firstInstant(local: number, segments: readonly ZoneSegment[]): number {
  for (const [index, { startMs, offsetMs }] of segments.entries()) {
    const ms = Math.max(local - offsetMs, startMs)
    if (ms < (segments[index + 1]?.startMs ?? Number.POSITIVE_INFINITY)) return ms
  }
  return Number.POSITIVE_INFINITY
}
