import { parseForeignTime } from '../foreign/foreign-time.ts'

/** A greater time is in milliseconds: as seconds it would be beyond the year 5138. */
const SECONDS_MAX = 100_000_000_000

/** The range of a date, in milliseconds around the Unix epoch. */
const DATE_MS_MAX = 8.64e15

/**
 * Milliseconds since the Unix epoch of a time in Mixpanel's terms: seconds, with a fraction or without, or milliseconds. Whole seconds
 * are kept, as Mixpanel's exports have no more: what is sent and what is exported is one event. `undefined` for any other value.
 */
export function parseMixpanelTime(time: unknown): number | undefined {
  const isDigits = typeof time === 'string' && /^\d{1,17}(?:\.\d{1,9})?$/.test(time)
  const number = isDigits ? Number(time) : time
  if (typeof number !== 'number') return parseForeignTime(time)
  const seconds = Math.floor(number > SECONDS_MAX ? number / 1000 : number)
  return Math.abs(seconds) * 1000 <= DATE_MS_MAX ? seconds * 1000 : undefined
}
