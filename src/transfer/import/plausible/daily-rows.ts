import { LRUCache } from 'lru-cache'
import { isDate } from '../../../domain/calendar.ts'
import { cutText } from '../../../pipeline/event/event-rules.ts'
import { UnreadableSource } from '../unreadable-source.ts'
import type { ArchiveRow } from './archive.ts'
import { tableOf } from './tables.ts'

/** The numbers of one value on one day, as `ImportsService` takes them; a number that the file lacks is absent. */
export interface DailyRow {
  readonly day: string
  readonly dimension: number
  readonly value: string
  readonly numbers: DailyNumbers
}

/** Numbers that add up. */
export interface DailyNumbers {
  readonly visitors: number
  readonly visits: number | undefined
  readonly pageViews: number | undefined
  readonly bounces: number | undefined
  readonly visitSeconds: number | undefined
  readonly events: number | undefined
}

/** Beyond any site, so that sums stay exact. */
const DIGITS_MAX = 12
/** How the engine of Plausible writes that there is no number. */
const NO_NUMBER = '\\N'
const FIRST_DAY = '1970-01-01'

/** The rows that a row of the archive makes: one for each dimension of its table. `lastDay` is the last that is not in the future. Throws {@link UnreadableSource}. */
export function toDailyRows(row: ArchiveRow, lastDay: string): readonly DailyRow[] {
  const { table, cell } = row
  const { dimensions, visits, isOmitted } = tableOf(table)
  if (isOmitted?.(cell)) return []
  const day = readDay(row, lastDay)
  const numbers: DailyNumbers = {
    visitors: readNumber(row, 'visitors') ?? fail(row, 'visitors', 'must be a whole number'),
    visits: visits === undefined ? undefined : readNumber(row, visits),
    pageViews: readNumber(row, 'pageviews'),
    bounces: readNumber(row, 'bounces'),
    visitSeconds: readNumber(row, 'visit_duration'),
    events: readNumber(row, 'events'),
  }
  return dimensions.flatMap(({ dimension, value }) => {
    const text = value(cell)
    return text === undefined ? [] : [{ day, dimension, value: fitValue(text), numbers }]
  })
}

/** Adds numbers; one that either lacks is unknown. */
export function addNumbers(a: DailyNumbers, b: DailyNumbers): DailyNumbers {
  return {
    visitors: a.visitors + b.visitors,
    visits: add(a.visits, b.visits),
    pageViews: add(a.pageViews, b.pageViews),
    bounces: add(a.bounces, b.bounces),
    visitSeconds: add(a.visitSeconds, b.visitSeconds),
    events: add(a.events, b.events),
  }
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b
}

/** An export has a few thousand days, each of them in many rows. */
const DAYS_MAX = 20_000
const knownDays = new LRUCache<string, boolean>({ max: DAYS_MAX })

function isKnownDate(day: string): boolean {
  const known = knownDays.get(day)
  if (known !== undefined) return known
  const isValid = isDate(day) && day >= FIRST_DAY
  knownDays.set(day, isValid)
  return isValid
}

function readDay(row: ArchiveRow, lastDay: string): string {
  const day = row.cell('date') ?? ''
  if (!isKnownDate(day)) return fail(row, 'date', 'must be a date such as 2026-01-31')
  return day > lastDay ? fail(row, 'date', 'must not be in the future') : day
}

function readNumber(row: ArchiveRow, column: string): number | undefined {
  const text = row.cell(column)
  if (text === undefined || text === NO_NUMBER) return undefined
  if (/^\d+$/.test(text) && text.length <= DIGITS_MAX) return Number(text)
  return fail(row, column, `must be a whole number of at most ${DIGITS_MAX} digits`)
}

function fail({ place, cell }: ArchiveRow, column: string, rule: string): never {
  throw new UnreadableSource(
    `${place}: ${column} ${rule}, not ${JSON.stringify((cell(column) ?? '').slice(0, 50))}; nothing was imported`,
  )
}

/** A text as a property could have it. */
function fitValue(text: string): string {
  return cutText(text.replaceAll('\0', '\ufffd')).toWellFormed()
}
