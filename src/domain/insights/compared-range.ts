import {
  type CalendarShift,
  CalendarUnit,
  type Comparison,
} from '../../contract/gen/millrace/insights/v1/comparison_pb.js'
import type { ErrorReason } from '../../contract/service-error.ts'
import { previousPeriod } from '../time-ranges.ts'
import { invalid } from './invalid.ts'
import type { RangeMs } from './time-range.ts'
import type { TimeZone } from './time-zone.ts'

const DAY_MS = 86_400_000

/** More than the offsets of a zone differ, also where it skipped a whole day. */
const SLACK_MS = 3 * DAY_MS

const COUNT_MAX = 400

/** The main range, the zone of its calendar, and the reason of errors. */
export interface ComparedContext {
  readonly range: RangeMs
  readonly zone: TimeZone
  readonly reason: ErrorReason
}

/** The range to compare with; a shift may leave it empty, with `fromMs` at or after `toMs`. Throws `invalid_argument`. */
export function parseComparedRange({ with: other }: Comparison, context: ComparedContext): RangeMs {
  const { range, zone, reason } = context
  switch (other.case) {
    case 'previousPeriod':
      if (!other.value) throw invalid('compareTo.previousPeriod', 'must be true', reason)
      return previousPeriod(range)
    case 'shift': {
      const back = parseShift(other.value, reason)
      return {
        fromMs: shiftInstant(range.fromMs, zone, back),
        toMs: shiftInstant(range.toMs, zone, back),
      }
    }
    default:
      throw invalid('compareTo', 'needs previous_period or shift', reason)
  }
}

/** Moves a local time, written as if it were UTC, back by the units of a shift. */
type ShiftLocal = (localMs: number) => number

/** By unit: how far a number of them goes back. */
const SHIFTS = {
  [CalendarUnit.DAY]: (count) => (localMs) => localMs - count * DAY_MS,
  [CalendarUnit.WEEK]: (count) => (localMs) => localMs - count * 7 * DAY_MS,
  [CalendarUnit.MONTH]: (count) => (localMs) => shiftMonths(localMs, count),
  [CalendarUnit.YEAR]: (count) => (localMs) => shiftMonths(localMs, count * 12),
} as const satisfies Record<Exclude<CalendarUnit, CalendarUnit.UNSPECIFIED>, (count: number) => ShiftLocal>

function parseShift({ unit, count }: CalendarShift, reason: ErrorReason): ShiftLocal {
  if (!isKnown(unit)) throw invalid('compareTo.shift.unit', 'is required', reason)
  if (count < 1 || count > COUNT_MAX) {
    throw invalid('compareTo.shift.count', `must be 1 to ${COUNT_MAX}`, reason)
  }
  return SHIFTS[unit](count)
}

function isKnown(unit: CalendarUnit): unit is keyof typeof SHIFTS {
  return Object.hasOwn(SHIFTS, unit)
}

/** A day that the month does not have becomes its last one. */
function shiftMonths(localMs: number, count: number): number {
  const date = new Date(localMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - count]
  const day = Math.min(date.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
  return Date.UTC(year, month, day) + (localMs - Math.floor(localMs / DAY_MS) * DAY_MS)
}

function shiftInstant(ms: number, zone: TimeZone, back: ShiftLocal): number {
  const offsetMs = zone.segments(ms, ms + 1)[0]?.offsetMs ?? 0
  return instantOf(back(ms + offsetMs), zone)
}

/**
 * The instant of a local time: the first one where the clocks repeat it. One that they skip moves forward by the gap,
 * which is what the offset before the gap makes of it.
 */
function instantOf(localMs: number, zone: TimeZone): number {
  const segments = zone.segments(localMs - SLACK_MS, localMs + SLACK_MS)
  for (const [index, { offsetMs }] of segments.entries()) {
    const ms = localMs - offsetMs
    const next = segments[index + 1]
    if (!next || ms < next.startMs || localMs - next.offsetMs < next.startMs) return ms
  }
  return localMs
}
