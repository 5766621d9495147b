import { isDate, shiftDate } from './calendar.ts'
import {
  type DatePeriod,
  lastPeriod,
  NAMED_PERIODS,
  type NamedPeriod,
  type PeriodUnit,
  shiftMonths,
} from './date-periods.ts'

/** The context in which a text is parsed. */
export interface PhraseContext {
  /** The current date. */
  readonly today: string
  /** Names of months are read in this language, besides English. */
  readonly language: string
}

const UNITS: ReadonlyMap<string, PeriodUnit> = new Map<string, PeriodUnit>([
  ['d', 'days'],
  ['day', 'days'],
  ['w', 'weeks'],
  ['week', 'weeks'],
  ['m', 'months'],
  ['month', 'months'],
  ['y', 'years'],
  ['year', 'years'],
])

const LAST = /^(?:(?:the )?(?:last|past|previous) )?(\d{1,4}) ?([a-z]+?)s?$/

const AGO = /^(\d{1,4}) ([a-z]+?)s? ago$/

/** Parses a period as people write it: `last 6 weeks`, `30d`, `this month`, `year to date`. */
export function parsePeriodPhrase(text: string): DatePeriod | undefined {
  const phrase = normalize(text)
  if (phrase === 'year to date' || phrase === 'ytd') return 'this-year'
  const name = phrase.replaceAll(' ', '-')
  const named = NAMED_PERIODS.find((period): period is NamedPeriod => period === name)
  if (named) return named
  const found = LAST.exec(phrase)
  const unit = UNITS.get(found?.[2] ?? '')
  return unit === undefined ? undefined : lastPeriod(Number(found?.[1]), unit)
}

/**
 * Parses one day: `2026-11-22`, `today`, `3 days ago`, and a day with the name of its month in either order, with or without
 * the year. Without one it is the latest such day that is not in the future.
 */
export function parseDayPhrase(text: string, context: PhraseContext): string | undefined {
  const phrase = normalize(text)
  const { today } = context
  if (isDate(phrase)) return phrase
  if (phrase === 'today') return today
  if (phrase === 'yesterday') return shiftDate(today, -1)
  return parseAgo(phrase, today) ?? parseNumeric(phrase) ?? parseWritten(phrase, context)
}

function normalize(text: string): string {
  return text.trim().toLowerCase().replaceAll(',', ' ').replace(/\s+/g, ' ')
}

function parseAgo(phrase: string, today: string): string | undefined {
  const found = AGO.exec(phrase)
  const count = Number(found?.[1])
  const unit = UNITS.get(found?.[2] ?? '')
  if (unit === undefined || !lastPeriod(count, unit)) return undefined
  if (unit === 'days') return shiftDate(today, -count)
  if (unit === 'weeks') return shiftDate(today, -7 * count)
  return shiftMonths(today, unit === 'months' ? -count : -12 * count)
}

/** Dots are day, month, year everywhere. Slashes have no order that all readers share, so they are not read. */
function parseNumeric(phrase: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(phrase) ?? []
  return dateOf(year, Number(month), day)
}

function parseWritten(phrase: string, context: PhraseContext): string | undefined {
  const words = phrase.replaceAll('.', '').split(' ')
  const month = words.map((word) => monthOf(word, context.language)).find((found) => found > 0) ?? 0
  const [day = '', year] = words.filter((word) => /^\d{1,4}$/.test(word))
  if (month === 0 || words.length > 3) return undefined
  if (year !== undefined) return dateOf(year, month, day)
  const thisYear = context.today.slice(0, 4)
  const date = dateOf(thisYear, month, day)
  return date !== undefined && date > context.today ? dateOf(String(Number(thisYear) - 1), month, day) : date
}

function dateOf(year: string, month: number, day: string): string | undefined {
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

/** The number of a month by its name or the first three letters or more of it; 0 for other words. */
function monthOf(word: string, language: string): number {
  if (word.length < 3 || /^\d/.test(word)) return 0
  for (const names of [monthNames(language), monthNames('en')]) {
    const at = names.findIndex((name) => name.startsWith(word))
    if (at !== -1) return at + 1
  }
  return 0
}

function monthNames(language: string): readonly string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) =>
    format
      .format(Date.UTC(2026, month, 1))
      .toLowerCase()
      .replaceAll('.', ''),
  )
}
