import { Granularity } from '../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { dateOf, rangeOfDays, readWallClock, shiftDate } from './calendar.ts'
import { previousDays } from './date-periods.ts'
import type { RangeLength, RangeMs } from './time-ranges.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The end of a range that ends now, and the zone of its calendar. */
export interface RangeEnd {
  readonly toMs: number
  readonly timeZone: string
}

/**
 * The range of a length whose first bucket is whole: it starts with a day, or with an hour or a minute where it is short.
 * Seven days are the current day and the six before it.
 */
export function wholeBucketRange(length: RangeLength, { toMs, timeZone }: RangeEnd): RangeMs {
  // Days are longer where the clocks are set back, and the length of a range is limited.
  return { fromMs: Math.max(toMs - length.lengthMs, startOf(length, toMs - 1, timeZone)), toMs }
}

/** The previous period of {@link wholeBucketRange}: it has the same buckets, and its last one is cut off at the same time. */
export function previousWholeBucketRange(length: RangeLength, { toMs, timeZone }: RangeEnd): RangeMs {
  return wholeBucketRange(length, { toMs: toMs - length.lengthMs, timeZone })
}

/** Whether a range begins with the first instant of a day. */
export function beginsWithDay({ fromMs }: RangeMs, timeZone: string): boolean {
  const from = dateOf(fromMs, timeZone)
  return rangeOfDays({ from, to: from }, timeZone).fromMs === fromMs
}

/** The previous period of a range that begins with a day: it begins with the first of the previous days, and has the same length. */
export function previousDayRange({ fromMs, toMs }: RangeMs, timeZone: string): RangeMs {
  const { from } = previousDays({ from: dateOf(fromMs, timeZone), to: dateOf(toMs - 1, timeZone) })
  const start = rangeOfDays({ from, to: from }, timeZone)
  return { fromMs: start.fromMs, toMs: start.fromMs + toMs - fromMs }
}

function startOf({ lengthMs, granularity }: RangeLength, lastMs: number, timeZone: string): number {
  if (lengthMs > DAY_MS) {
    const first = shiftDate(dateOf(lastMs, timeZone), 1 - lengthMs / DAY_MS)
    return rangeOfDays({ from: first, to: first }, timeZone).fromMs
  }
  const minuteStartMs = lastMs - (lastMs % MINUTE_MS)
  if (granularity === Granularity.MINUTE) return minuteStartMs + MINUTE_MS - lengthMs
  // Some zones are not whole hours ahead of UTC.
  const minutes = Number(readWallClock(lastMs, timeZone).slice('YYYY-MM-DDTHH:'.length))
  return minuteStartMs - minutes * MINUTE_MS + HOUR_MS - lengthMs
}
