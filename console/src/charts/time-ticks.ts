import { readWallClock } from '@domain/calendar.ts'
import { formatMinute, formatShortDay, formatShortTime } from '../format/values.ts'

const DAY_SECONDS = 86_400

/** Letters of `2026-11-02T05:00` that say the year, and the day. */
const YEAR_LETTERS = 4
const DAY_LETTERS = 10

/** Ticks in the viewer's way: days, or times where ticks are closer than that; below them the year, or the day, where it changes. */
export function labelTicks(
  ticks: readonly number[],
  { stepSeconds, timeZone }: { readonly stepSeconds: number; readonly timeZone: string },
): string[] {
  const isTime = stepSeconds < DAY_SECONDS
  const format = isTime ? formatShortTime : formatShortDay
  const spans = ticks.map((tick) =>
    readWallClock(tick * 1000, timeZone).slice(0, isTime ? DAY_LETTERS : YEAR_LETTERS),
  )
  const isOne = new Set(spans).size < 2
  return ticks.map((tick, at) => {
    const label = format(tick * 1000, timeZone)
    if (isOne || spans[at] === spans[at - 1]) return label
    return `${label}\n${isTime ? formatShortDay(tick * 1000, timeZone) : spans[at]}`
  })
}

/** The label of the only time there is. */
export function labelOnly(seconds: number, timeZone: string): string {
  return formatMinute(seconds * 1000, timeZone)
}
