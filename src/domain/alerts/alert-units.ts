import {
  AlertCadence,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { dateOf, instantOf, readWallClock, shiftDate } from '../calendar.ts'
import { readSchedule, type ScheduleUnit, type ZonedInstant } from '../schedule.ts'
import type { RangeMs } from '../time-ranges.ts'

/** The cadences that an alert may name. */
export type KnownCadence = Exclude<AlertCadence, AlertCadence.UNSPECIFIED>

interface CadenceRules {
  readonly unit: ScheduleUnit
  /** Width of the buckets of its questions. */
  readonly granularity: Granularity
  /** Whether a unit of the same kind lies a whole week before. */
  readonly hasWeekBefore: boolean
}

const CADENCES = {
  [AlertCadence.HOURLY]: { unit: 'hour', granularity: Granularity.HOUR, hasWeekBefore: true },
  [AlertCadence.DAILY]: { unit: 'day', granularity: Granularity.DAY, hasWeekBefore: true },
  [AlertCadence.WEEKLY]: { unit: 'week', granularity: Granularity.WEEK, hasWeekBefore: false },
  [AlertCadence.MONTHLY]: { unit: 'month', granularity: Granularity.MONTH, hasWeekBefore: false },
} as const satisfies Record<KnownCadence, CadenceRules>

/** The rules of a cadence. Only a message that was not checked lacks one. */
export function cadenceRules(cadence: AlertCadence): CadenceRules {
  if (cadence === AlertCadence.UNSPECIFIED) throw new Error('the alert has no cadence')
  return CADENCES[cadence]
}

/** The newest hour, day, week or month that is complete. */
export function lastUnit(cadence: AlertCadence, now: ZonedInstant): RangeMs {
  const { unit } = cadenceRules(cadence)
  const { last } = readSchedule({ every: unit, minute: 0, hour: 0, day: 1 }, now)
  return { fromMs: last.fromMs, toMs: last.toMs }
}

/** This many units up to the end of the last one, oldest first. */
export function unitsUntil(
  cadence: AlertCadence,
  { toMs, timeZone, count }: { readonly toMs: number; readonly timeZone: string; readonly count: number },
): readonly RangeMs[] {
  const units: RangeMs[] = []
  for (let nowMs = toMs; units.length < count; ) {
    const unit = lastUnit(cadence, { nowMs, timeZone })
    units.push(unit)
    nowMs = unit.fromMs
  }
  return units.reverse()
}

/** The range of that many units that ends at the end of a unit. */
export function rangeUntil(
  cadence: AlertCadence,
  toMs: number,
  { timeZone, count }: { readonly timeZone: string; readonly count: number },
): RangeMs {
  const [first] = unitsUntil(cadence, { toMs, timeZone, count })
  return { fromMs: first?.fromMs ?? toMs, toMs }
}

/** The subjects that compare with an earlier value. */
export type ChangeSubject = Exclude<Subject, Subject.UNSPECIFIED | Subject.VALUE>

/** Whether a subject is a change, so that an earlier value is needed. */
export function isChange(subject: Subject): subject is ChangeSubject {
  return subject !== Subject.UNSPECIFIED && subject !== Subject.VALUE
}

/** Whether the earlier value is that of a week before. */
export function isWeekly(subject: Subject): boolean {
  return subject === Subject.WEEKLY_CHANGE || subject === Subject.WEEKLY_CHANGE_PERCENT
}

/** How far the range of a question reaches, in units. */
export interface Reach {
  /** The length of the range. */
  readonly count: number
  /** How many units earlier the range before it ends. */
  readonly step: number
}

/** The range that a range is compared with: the same local time a week before, or the range before it. */
export function baselineRange(
  cadence: AlertCadence,
  range: RangeMs,
  of: { readonly subject: ChangeSubject; readonly timeZone: string; readonly reach: Reach },
): RangeMs {
  const { subject, timeZone, reach } = of
  if (isWeekly(subject)) {
    const fromMs = weekBefore(range.fromMs, timeZone)
    // The local times of an hour that the clocks repeat are not in order.
    const isHourly = cadence === AlertCadence.HOURLY
    return { fromMs, toMs: isHourly ? fromMs + range.toMs - range.fromMs : weekBefore(range.toMs, timeZone) }
  }
  const { fromMs: toMs } = rangeUntil(cadence, range.toMs, { timeZone, count: reach.step })
  return rangeUntil(cadence, toMs, { timeZone, count: reach.count })
}

const DAYS_OF_WEEK = 7

function weekBefore(ms: number, timeZone: string): number {
  const date = shiftDate(dateOf(ms, timeZone), -DAYS_OF_WEEK)
  return instantOf({ date, minute: minuteOfDay(ms, timeZone) }, timeZone)
}

/** The minute of the local day, from midnight on the wall clock. */
export function minuteOfDay(ms: number, timeZone: string): number {
  const [hour = 0, minute = 0] = readWallClock(ms, timeZone)
    .slice('YYYY-MM-DDT'.length)
    .split(':')
    .map(Number)
  return hour * 60 + minute
}
