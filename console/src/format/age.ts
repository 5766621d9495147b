import { currentLocale } from '../i18n/language.ts'
import { formatMinute } from './values.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const ages = new Intl.RelativeTimeFormat(currentLocale, { style: 'narrow', numeric: 'always' })

/** How long ago an instant is; its date once it is a day. */
export function formatAge(
  ms: number,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): string {
  const ageMs = Math.max(0, nowMs - ms)
  if (ageMs < MINUTE_MS) return ages.format(-Math.floor(ageMs / 1000), 'second')
  if (ageMs < HOUR_MS) return ages.format(-Math.floor(ageMs / MINUTE_MS), 'minute')
  if (ageMs < DAY_MS) return ages.format(-Math.floor(ageMs / HOUR_MS), 'hour')
  return formatMinute(ms, timeZone)
}
