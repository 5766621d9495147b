import { currentLocale } from '../i18n/language.ts'
import { formatDay, formatMinute, formatShortDay, formatShortSeconds, formatShortTime } from './values.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Beyond this, a day without its year could be another one. */
const SHORT_DAY_MS = 300 * DAY_MS

const relative = new Intl.RelativeTimeFormat(currentLocale, { numeric: 'always', style: 'narrow' })

/** "now" in the language of the reader. */
const NOW = new Intl.RelativeTimeFormat(currentLocale, { numeric: 'auto', style: 'narrow' }).format(
  0,
  'second',
)

/** The clock of the reader may be behind that of the service by this much, without a time in the future. */
const BEHIND_MS = MINUTE_MS

/** The instant of the reader. */
interface Now {
  readonly nowMs: number
  readonly timeZone: string
}

/** Whole minutes or hours, of less than a day. */
function formatWithinDay(agoMs: number): string {
  if (agoMs < MINUTE_MS) return NOW
  if (agoMs < HOUR_MS) return relative.format(-Math.floor(agoMs / MINUTE_MS), 'minute')
  return relative.format(-Math.floor(agoMs / HOUR_MS), 'hour')
}

/** A past time: relative within a day, else its day and time in a zone, else its date. */
export function formatAgo(ms: number, { nowMs, timeZone }: Now): string {
  const agoMs = nowMs - ms
  if (agoMs > -BEHIND_MS && agoMs < DAY_MS) return formatWithinDay(Math.max(0, agoMs))
  if (Math.abs(agoMs) < SHORT_DAY_MS)
    return `${formatShortDay(ms, timeZone)}, ${formatShortTime(ms, timeZone)}`
  return formatDay(ms, timeZone)
}

/** An age without words, in whole units, for the rows of a list: `8s`, `12m`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const unitSeconds = [86_400, 3600, 60].find((unit) => seconds >= unit) ?? 1
  return formatShortSeconds(Math.floor(seconds / unitSeconds) * unitSeconds)
}

/** The age of an answer or an edit, from seconds up; its time once it is a day old. */
export function formatAge(ms: number, { nowMs, timeZone }: Now): string {
  const ageMs = Math.max(0, nowMs - ms)
  // "Updated 0 seconds ago" would be no age, and "Updated now" no sentence in every language.
  if (ageMs < MINUTE_MS) return relative.format(-Math.max(1, Math.floor(ageMs / 1000)), 'second')
  return ageMs < DAY_MS ? formatWithinDay(ageMs) : formatMinute(ms, timeZone)
}
