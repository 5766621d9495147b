const WHOLE_NUMBER = /^-?(0|[1-9]\d*)$/
const DECIMAL_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const DURATION = /^-?\d{1,12}(\.\d{1,9})?s$/
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** True for the decimal digits of a whole number: no sign but minus, no leading zeros, no other base. */
export function isWholeNumberText(text: string): boolean {
  return WHOLE_NUMBER.test(text)
}

/** True for a number as JSON writes it, and for the three names that proto JSON adds. */
export function isNumberText(text: string): boolean {
  return DECIMAL_NUMBER.test(text) || text === 'NaN' || text === 'Infinity' || text === '-Infinity'
}

/** True for a google.protobuf.Duration in JSON, such as `1.5s`. */
export function isDurationText(text: string): boolean {
  return DURATION.test(text)
}

/** True for an RFC 3339 time that exists in the calendar, with a zone; a leap second does not. */
export function isTimeText(text: string): boolean {
  const [, year, month, day, hour, minute, second] = (TIME.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  if (day < 1 || day > daysOfMonth(year, month)) return false
  return (hour ?? 24) <= 23 && (minute ?? 60) <= 59 && (second ?? 60) <= 59
}

function daysOfMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0)
}
