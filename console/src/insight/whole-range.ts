import { readWallClock } from '../app/wall-clock.ts'
import { dateOf, type RangeMs, rangeOfDays, shiftDate } from './days.ts'
import type { Granularity } from './draft.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long a range is, and its usual buckets. */
export interface RangeLength {
  readonly ms: number
  readonly granularity: Granularity
}

/**
 * A range that begins with a day, or with an hour or a minute where it is short, so that its first bucket is a whole one:
 * seven days are the last one, which goes on, and the six before.
 */
export function wholeRange(
  length: RangeLength,
  { toMs, timeZone }: { readonly toMs: number; readonly timeZone: string },
): RangeMs {
  // Days are longer when the clocks are set back, and the service has limits.
  return { fromMs: Math.max(toMs - length.ms, startOf(length, toMs - 1, timeZone)), toMs }
}

function startOf({ ms, granularity }: RangeLength, lastMs: number, timeZone: string): number {
  if (ms > DAY_MS) {
    const first = shiftDate(dateOf(lastMs, timeZone), 1 - ms / DAY_MS)
    return rangeOfDays({ from: first, to: first }, timeZone).fromMs
  }
  const minuteStartMs = lastMs - (lastMs % MINUTE_MS)
  if (granularity === 'GRANULARITY_MINUTE') return minuteStartMs + MINUTE_MS - ms
  // Not all zones are whole hours ahead of UTC.
  const minutes = Number(readWallClock(lastMs, timeZone).slice('YYYY-MM-DDTHH:'.length))
  return minuteStartMs - minutes * MINUTE_MS + HOUR_MS - ms
}
