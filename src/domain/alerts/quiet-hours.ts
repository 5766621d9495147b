import type { QuietHours } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { dateOf, instantOf, shiftDate } from '../calendar.ts'
import type { ZonedInstant } from '../schedule.ts'
import { minuteOfDay } from './alert-units.ts'

/**
 * The end of the quiet hours that contain an instant; `undefined` outside of them. A local time that the clocks skip is the
 * instant after the gap; of an hour that they repeat, the first one ends the quiet hours.
 */
export function quietUntil(
  { startMinute, endMinute, timeZone }: QuietHours,
  { nowMs, timeZone: projectZone }: ZonedInstant,
): number | undefined {
  const zone = timeZone === '' ? projectZone : timeZone
  const minute = minuteOfDay(nowMs, zone)
  const isOverMidnight = endMinute < startMinute
  const isQuiet = isOverMidnight
    ? minute >= startMinute || minute < endMinute
    : minute >= startMinute && minute < endMinute
  if (!isQuiet) return undefined
  const today = dateOf(nowMs, zone)
  const date = isOverMidnight && minute >= startMinute ? shiftDate(today, 1) : today
  const endMs = instantOf({ date, minute: endMinute }, zone)
  return endMs > nowMs ? endMs : undefined
}
