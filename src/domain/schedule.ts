import { dateOf, instantOf, readWallClock, shiftDate } from './calendar.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const DAYS_OF_WEEK = 7

/** The units of schedules: hours, days, weeks that start on Monday, and months of the calendar. */
export type ScheduleUnit = 'hour' | 'day' | 'week' | 'month'

/** A time in every hour, day, week or month of a zone's calendar. */
export interface Schedule {
  readonly every: ScheduleUnit
  /** 0 to 59. */
  readonly minute: number
  /** 0 to 23; without effect every hour. */
  readonly hour: number
  /** 1 to 7 from Monday every week, 1 to 31 every month, where a missing day is the month's last; else without effect. */
  readonly day: number
}

/** One time of a schedule, and the newest unit that is complete then. */
export interface Occurrence {
  readonly dueMs: number
  /** The start of the complete unit. */
  readonly fromMs: number
  /** Its end: the start of the unit in which it is due. */
  readonly toMs: number
}

/** An instant in the calendar of a zone. */
export interface ZonedInstant {
  readonly nowMs: number
  readonly timeZone: string
}

/** Half of the shortest unit, in milliseconds. */
const HALF_MS = {
  hour: HOUR_MS / 2,
  day: DAY_MS / 2,
  week: (DAYS_OF_WEEK * DAY_MS) / 2,
  month: 14 * DAY_MS,
} as const satisfies Record<ScheduleUnit, number>

/**
 * The last time of a schedule up to now, and when the next one is due. A local time that the clocks skip is due as much
 * later as they skip; one that they repeat is due the first time.
 */
export function readSchedule(
  schedule: Schedule,
  now: ZonedInstant,
): { readonly last: Occurrence; readonly nextDueMs: number } {
  return schedule.every === 'hour'
    ? readIn(hoursOf(schedule, now), now.nowMs)
    : readIn(datesOf(schedule, now.timeZone), now.nowMs)
}

function readIn<Unit>(calendar: Calendar<Unit>, nowMs: number): ReturnType<typeof readSchedule> {
  const current = calendar.unitOf(nowMs)
  const currentDueMs = calendar.dueOf(current)
  const isDue = currentDueMs <= nowMs
  const unit = isDue ? current : calendar.shift(current, -1)
  const last = {
    dueMs: calendar.dueOf(unit),
    fromMs: calendar.startOf(calendar.shift(unit, -1)),
    toMs: calendar.startOf(unit),
  }
  return { last, nextDueMs: isDue ? calendar.dueOf(calendar.shift(current, 1)) : currentDueMs }
}

/**
 * Whether a unit is another one than that which ended at `doneMs`. Units of one schedule end a whole unit apart, but the
 * ends move when the zone changes: less than half a unit apart, they are the same unit.
 */
export function isNewUnit({ every }: Schedule, { toMs }: Occurrence, doneMs: number): boolean {
  return toMs - doneMs >= HALF_MS[every]
}

/** The complete units between that which ended at `doneMs` and this one. */
export function countSkippedUnits({ every }: Schedule, { toMs }: Occurrence, doneMs: number): number {
  return Math.max(0, Math.round((toMs - doneMs) / (2 * HALF_MS[every])) - 1)
}

/** The units of a schedule, each identified by a text or number of `Unit`. */
interface Calendar<Unit> {
  unitOf(ms: number): Unit
  shift(unit: Unit, count: number): Unit
  startOf(unit: Unit): number
  dueOf(unit: Unit): number
}

/** Hours are identified by their starts; those that the clocks repeat are two. */
function hoursOf({ minute }: Schedule, { timeZone }: ZonedInstant): Calendar<number> {
  const unitOf = (ms: number): number => {
    // Some zones are not whole hours ahead of UTC.
    const minutes = Number(readWallClock(ms, timeZone).slice('YYYY-MM-DDTHH:'.length))
    return Math.floor(ms / MINUTE_MS) * MINUTE_MS - minutes * MINUTE_MS
  }
  return {
    unitOf,
    shift: (startMs, count) => unitOf(startMs + count * HOUR_MS),
    startOf: (startMs) => startMs,
    dueOf: (startMs) => startMs + minute * MINUTE_MS,
  }
}

/** Days, weeks and months are identified by their first dates. */
function datesOf({ every, hour, minute, day }: Schedule, timeZone: string): Calendar<string> {
  const shift = SHIFTS[every]
  return {
    unitOf: (ms) => shift(dateOf(ms, timeZone), 0),
    shift,
    startOf: (first) => instantOf({ date: first, minute: 0 }, timeZone),
    dueOf: (first) => {
      const last = shiftDate(shift(first, 1), -1)
      const date = every === 'day' ? first : shiftDate(first, day - 1)
      return instantOf({ date: date < last ? date : last, minute: hour * 60 + minute }, timeZone)
    },
  }
}

/** The first date of the unit that many units after the one of a date. */
const SHIFTS = {
  hour: shiftDate,
  day: shiftDate,
  week: (date, count) => shiftDate(date, DAYS_OF_WEEK * count - daysSinceMonday(date)),
  month: (date, count) => {
    const [year = 0, month = 0] = date.split('-').map(Number)
    return dateOf(Date.UTC(year, month - 1 + count), 'UTC')
  },
} as const satisfies Record<ScheduleUnit, (date: string, count: number) => string>

function daysSinceMonday(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % DAYS_OF_WEEK
}
