import { shiftDate } from '@domain/calendar.ts'
import { shiftMonths, startOfMonth, weekdayOf } from '@domain/date-periods.ts'

/** The days of a month in weeks from Monday, with `undefined` before its first and after its last day. */
export function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const first = startOfMonth(month)
  const length = Number(shiftDate(shiftMonths(first, 1), -1).slice(8))
  const offset = weekdayOf(first)
  return Array.from({ length: Math.ceil((offset + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => {
      const at = week * 7 + day - offset
      return at >= 0 && at < length ? shiftDate(first, at) : undefined
    }),
  )
}

/** The day that a key leads to in a calendar; undefined for other keys. */
export function calendarTarget(key: string, date: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return shiftDate(date, -1)
    case 'ArrowRight':
      return shiftDate(date, 1)
    case 'ArrowUp':
      return shiftDate(date, -7)
    case 'ArrowDown':
      return shiftDate(date, 7)
    case 'Home':
      return shiftDate(date, -weekdayOf(date))
    case 'End':
      return shiftDate(date, 6 - weekdayOf(date))
    case 'PageUp':
      return shiftMonths(date, -1)
    case 'PageDown':
      return shiftMonths(date, 1)
    default:
      return undefined
  }
}
