import { dateOf } from '@domain/calendar.ts'

const DAY_MS = 86_400_000
/** Columns of the heat map: all of their days are within the longest range that the service counts. */
const WEEKS = 52
const LEVELS = 5

/** A day of the heat map. */
export interface HeatDay {
  /** `YYYY-MM-DD` in the project's zone. */
  readonly date: string
  readonly count: number
  /** 0 without events, else 1 to 5 by its share of the highest count. */
  readonly level: number
}

/** A week from Monday to Sunday; days that are still to come are missing at the end. */
export interface HeatWeek {
  readonly days: readonly HeatDay[]
  /** The date of its first day in a month that begins in this week; `undefined` in other weeks. */
  readonly monthStart: string | undefined
}

/** The days of the last 12 months by week, today's week last. */
export function heatWeeks(
  counts: ReadonlyMap<string, number>,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): readonly HeatWeek[] {
  const today = Date.parse(`${dateOf(nowMs, timeZone)}T00:00:00Z`)
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const first = today - weekday * DAY_MS - (WEEKS - 1) * 7 * DAY_MS
  const max = Math.max(1, ...counts.values())
  const dayAt = (ms: number): HeatDay => {
    const date = new Date(ms).toISOString().slice(0, 10)
    const count = counts.get(date) ?? 0
    return { date, count, level: Math.ceil((count / max) * LEVELS) }
  }
  return Array.from({ length: WEEKS }, (_, week) => {
    const start = first + week * 7 * DAY_MS
    const length = Math.min(7, (today - start) / DAY_MS + 1)
    const days = Array.from({ length }, (_, day) => dayAt(start + day * DAY_MS))
    return { days, monthStart: days.find(({ date }) => date.endsWith('-01'))?.date }
  })
}

/** The range that is counted: a year up to now, and the rest of today. */
export function heatRange(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: nowMs - 365 * DAY_MS, toMs: nowMs + DAY_MS }
}
