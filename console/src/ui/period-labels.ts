import type { Days } from '@domain/calendar.ts'
import type { DatePeriod, NamedPeriod } from '@domain/date-periods.ts'
import { currentLocale } from '../i18n/language.ts'
import { type MessageKey, t } from '../i18n/translate.ts'

const NAMES = {
  today: 'ui.today',
  yesterday: 'ui.yesterday',
  'this-week': 'ui.thisWeek',
  'last-week': 'ui.lastWeek',
  'this-month': 'ui.thisMonth',
  'last-month': 'ui.lastMonth',
  'this-quarter': 'ui.thisQuarter',
  'last-quarter': 'ui.lastQuarter',
  'this-year': 'ui.thisYear',
  'last-year': 'ui.lastYear',
  'all-time': 'ui.allTime',
} as const satisfies Record<NamedPeriod, MessageKey>

const LAST = {
  days: 'ui.lastDays',
  weeks: 'ui.lastWeeks',
  months: 'ui.lastMonths',
  years: 'ui.lastYears',
} as const

/** Dates have no zone of their own: they are days of the project. */
const shortDay = new Intl.DateTimeFormat(currentLocale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat(currentLocale, { dateStyle: 'medium', timeZone: 'UTC' })
const fullDay = new Intl.DateTimeFormat(currentLocale, { dateStyle: 'full', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(currentLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

function instantOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}

/** The name of a period; its days for one without a name. */
export function namePeriod(period: DatePeriod, today: string): string {
  if (typeof period === 'string') return t(NAMES[period])
  return 'last' in period ? t(LAST[period.unit], { count: period.last }) : writeDays(period, today)
}

/** The first and the last day: `Oct 24 – Nov 22`, with the year where it is not the current one. */
export function writeDays({ from, to }: Days, today: string): string {
  const isThisYear = from.slice(0, 4) === today.slice(0, 4) && to.slice(0, 4) === today.slice(0, 4)
  const format = isThisYear ? shortDay : longDay
  return from === to
    ? format.format(instantOf(from))
    : `${format.format(instantOf(from))} – ${format.format(instantOf(to))}`
}

/** A day in a field: `Oct 24, 2026`. */
export function writeDay(date: string): string {
  return longDay.format(instantOf(date))
}

/** A day for screen readers, with its weekday. */
export function nameDay(date: string): string {
  return fullDay.format(instantOf(date))
}

/** The month of a date, with its year. */
export function nameMonth(date: string): string {
  return month.format(instantOf(date))
}

/** The short names of the weekdays, from Monday. */
export function weekdayNames(): readonly { readonly short: string; readonly long: string }[] {
  const long = new Intl.DateTimeFormat(currentLocale, { weekday: 'long', timeZone: 'UTC' })
  const short = new Intl.DateTimeFormat(currentLocale, { weekday: 'short', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, at) => {
    // The fifth of January 2026 is a Monday.
    const day = Date.UTC(2026, 0, 5 + at)
    return { short: short.format(day).slice(0, 2), long: long.format(day) }
  })
}
