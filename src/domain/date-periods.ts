import { type Days, isDate, shiftDate } from './calendar.ts'

/** Periods with a name. They are whole days and include the current one where it belongs to them. */
export const NAMED_PERIODS = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
  'all-time',
] as const

/** A period with a name. */
export type NamedPeriod = (typeof NAMED_PERIODS)[number]

/** The units of a period that ends today. */
export type PeriodUnit = 'days' | 'weeks' | 'months' | 'years'

/** So many days, weeks, months or years that end with the current day. */
export interface LastPeriod {
  readonly last: number
  readonly unit: PeriodUnit
}

/** A period of whole days: one with a name, one that ends today, or a first and a last day. */
export type DatePeriod = NamedPeriod | LastPeriod | Days

/** The facts that determine the days of a period. */
export interface Today {
  /** The current date in the project's zone. */
  readonly today: string
  /** The date of the first event of the project, where all time begins. */
  readonly firstDate?: string | undefined
}

const DAYS_OF_WEEK = 7

/** The length of all time while the first event is unknown, and in a project without events. */
const ALL_TIME_DAYS = 365

/** More would pass the longest range of a query. */
const LAST_MAX = { days: 3652, weeks: 521, months: 120, years: 10 } as const satisfies Record<
  PeriodUnit,
  number
>

const LAST = /^last-(\d{1,4})-(days|weeks|months|years)$/

function isNamed(text: string): text is NamedPeriod {
  return (NAMED_PERIODS as readonly string[]).includes(text)
}

/** A period that ends today; `undefined` for a count that no query allows. */
export function lastPeriod(last: number, unit: PeriodUnit): LastPeriod | undefined {
  return Number.isInteger(last) && last >= 1 && last <= LAST_MAX[unit] ? { last, unit } : undefined
}

/** Parses a period in an address: `today`, `last-30-days`, `2026-10-24..2026-11-22`. */
export function parseDatePeriod(text: string): DatePeriod | undefined {
  if (isNamed(text)) return text
  const found = LAST.exec(text)
  if (found) return lastPeriod(Number(found[1]), found[2] as PeriodUnit)
  const [from = '', to = '', ...rest] = text.split('..')
  return isDate(from) && isDate(to) && from <= to && rest.length === 0 ? { from, to } : undefined
}

/** The text of a period in an address. */
export function writeDatePeriod(period: DatePeriod): string {
  if (typeof period === 'string') return period
  return 'last' in period ? `last-${period.last}-${period.unit}` : `${period.from}..${period.to}`
}

/** The first and the last day of a period. */
export function daysOfPeriod(period: DatePeriod, now: Today): Days {
  if (typeof period === 'string') return NAMED_DAYS[period](now)
  if (!('last' in period)) return { from: period.from, to: period.to }
  return { from: firstOfLast(period, now.today), to: now.today }
}

function firstOfLast({ last, unit }: LastPeriod, today: string): string {
  if (unit === 'days') return shiftDate(today, 1 - last)
  if (unit === 'weeks') return shiftDate(today, 1 - 7 * last)
  return shiftDate(shiftMonths(today, unit === 'months' ? -last : -12 * last), 1)
}

/** The same day a number of months later, or the last day of a month that is too short. */
export function shiftMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 + months, 1))
  const next = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0))
  first.setUTCDate(Math.min(day, next.getUTCDate()))
  return first.toISOString().slice(0, 10)
}

/** The first day of the month of a date. */
export function startOfMonth(date: string): string {
  return `${date.slice(0, 8)}01`
}

/** The weekday of a date: 0 is Monday. */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
}

function startOfWeek(date: string): string {
  return shiftDate(date, -weekdayOf(date))
}

function startOfQuarter(date: string): string {
  const month = Number(date.slice(5, 7))
  return shiftMonths(startOfMonth(date), -((month - 1) % 3))
}

function startOfYear(date: string): string {
  return `${date.slice(0, 5)}01-01`
}

/** The days of a whole unit before the one that starts on a date. */
function before(start: string, months: number): Days {
  return { from: shiftMonths(start, -months), to: shiftDate(start, -1) }
}

const NAMED_DAYS = {
  today: ({ today }) => ({ from: today, to: today }),
  yesterday: ({ today }) => ({ from: shiftDate(today, -1), to: shiftDate(today, -1) }),
  'this-week': ({ today }) => ({ from: startOfWeek(today), to: today }),
  'last-week': ({ today }) => ({
    from: shiftDate(startOfWeek(today), -7),
    to: shiftDate(startOfWeek(today), -1),
  }),
  'this-month': ({ today }) => ({ from: startOfMonth(today), to: today }),
  'last-month': ({ today }) => before(startOfMonth(today), 1),
  'this-quarter': ({ today }) => ({ from: startOfQuarter(today), to: today }),
  'last-quarter': ({ today }) => before(startOfQuarter(today), 3),
  'this-year': ({ today }) => ({ from: startOfYear(today), to: today }),
  'last-year': ({ today }) => before(startOfYear(today), 12),
  'all-time': ({ today, firstDate }) => {
    const earliest = shiftDate(today, 1 - LAST_MAX.days)
    const from = firstDate ?? shiftDate(today, 1 - ALL_TIME_DAYS)
    return { from: from < earliest ? earliest : from < today ? from : today, to: today }
  },
} as const satisfies Record<NamedPeriod, (now: Today) => Days>

/** The number of days of a period, both ends included. */
export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1
}

/** Whole weeks in some days: shifted back by them, a period has the same weekdays. */
export function countWeeks(days: Days): number {
  return Math.floor(countDays(days) / DAYS_OF_WEEK)
}

/**
 * The days that some days are compared with as the previous period: from a week on shifted by whole weeks, so that weekdays
 * match; whole months by months.
 */
export function previousDays(days: Days): Days {
  const shift = wholeMonths(days) > 0 ? 0 : DAYS_OF_WEEK * countWeeks(days)
  if (shift === 0) return stepDays(days, 'back')
  return { from: shiftDate(days.from, -shift), to: shiftDate(days.to, -shift) }
}

/**
 * The period of the same length right before or after some days. Whole months step by months, so that October follows
 * September.
 */
export function stepDays(days: Days, direction: 'back' | 'forward'): Days {
  const sign = direction === 'back' ? -1 : 1
  const months = wholeMonths(days)
  if (months > 0) {
    const from = shiftMonths(days.from, sign * months)
    return { from, to: shiftDate(shiftMonths(from, months), -1) }
  }
  const count = countDays(days)
  return { from: shiftDate(days.from, sign * count), to: shiftDate(days.to, sign * count) }
}

/** The number of whole calendar months that the days make up; 0 when they do not. */
function wholeMonths({ from, to }: Days): number {
  const end = shiftDate(to, 1)
  if (!from.endsWith('-01') || !end.endsWith('-01')) return 0
  const [fromMonths = 0, toMonths = 0] = [from, end].map(
    (date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)),
  )
  return toMonths - fromMonths
}
