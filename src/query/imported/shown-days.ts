import { dateOf, shiftDate } from '../../domain/calendar.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import type { StoredImport } from './import-store.ts'

/** Days of one import, first and last included. */
export interface ShownDays {
  readonly importId: string
  readonly from: string
  readonly to: string
  readonly dimensions: readonly number[]
}

/** First and last day of a range. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/**
 * The days that are shown, each of one import only: of those that have the same day, the one that was finished last. Ascending.
 */
export function findShownDays(imports: readonly StoredImport[]): readonly ShownDays[] {
  const newestFirst = imports
    .filter(({ finishedMs }) => finishedMs !== undefined)
    .toSorted((a, b) => (b.finishedMs ?? 0) - (a.finishedMs ?? 0) || (a.id < b.id ? 1 : -1))
  const shown: ShownDays[] = []
  for (const { id, firstDay, lastDay, shownUntil, dimensions } of newestFirst) {
    const whole = { from: firstDay, to: shownUntil < lastDay ? shownUntil : lastDay }
    shown.push(...subtract(whole, shown).map((days) => ({ importId: id, ...days, dimensions })))
  }
  return shown.toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

/** The parts of the shown days that lie within a range. */
export function cutDays(shown: readonly ShownDays[], range: DayRange): readonly ShownDays[] {
  return shown.flatMap((days) => {
    const from = days.from < range.from ? range.from : days.from
    const to = days.to > range.to ? range.to : days.to
    return from <= to ? [{ ...days, from, to }] : []
  })
}

/** The days whose start lies in a range; `undefined` when there is none. */
export function daysThatStartIn({ fromMs, toMs }: RangeMs, timeZone: string): DayRange | undefined {
  if (fromMs >= toMs) return undefined
  const first = dateOf(fromMs, timeZone)
  // The start of a day is the first instant with its date.
  const from = dateOf(fromMs - 1, timeZone) < first ? first : shiftDate(first, 1)
  const to = dateOf(toMs - 1, timeZone)
  return from <= to ? { from, to } : undefined
}

/** What remains of a range without those of others. */
function subtract(range: DayRange, others: readonly DayRange[]): readonly DayRange[] {
  let rest: readonly DayRange[] = range.from <= range.to ? [range] : []
  for (const { from, to } of others) {
    rest = rest.flatMap((part) => [
      ...(part.from < from ? [{ from: part.from, to: earlier(part.to, shiftDate(from, -1)) }] : []),
      ...(part.to > to ? [{ from: later(part.from, shiftDate(to, 1)), to: part.to }] : []),
    ])
  }
  return rest
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
