import { currentLocale } from '../i18n/language.ts'
import { formatDay, formatShortDay, formatShortTime } from './values.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Beyond this, a day without its year could be another one. */
const SHORT_DAY_MS = 300 * DAY_MS

const relative = new Intl.RelativeTimeFormat(currentLocale, { numeric: 'always', style: 'narrow' })

/** A past time: relative within a day, else its day and time in a zone, else its date. */
export function formatAgo(
  ms: number,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): string {
  const agoMs = nowMs - ms
  if (agoMs >= 0 && agoMs < HOUR_MS) return relative.format(-Math.floor(agoMs / MINUTE_MS), 'minute')
  if (agoMs >= 0 && agoMs < DAY_MS) return relative.format(-Math.floor(agoMs / HOUR_MS), 'hour')
  if (Math.abs(agoMs) < SHORT_DAY_MS)
    return `${formatShortDay(ms, timeZone)}, ${formatShortTime(ms, timeZone)}`
  return formatDay(ms, timeZone)
}
