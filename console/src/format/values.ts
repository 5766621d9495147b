import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { currentLocale } from '../i18n/language.ts'

const number = new Intl.NumberFormat(currentLocale, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(currentLocale, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(currentLocale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
const points = new Intl.NumberFormat(currentLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const shortPercent = new Intl.NumberFormat(currentLocale, { style: 'percent', maximumFractionDigits: 1 })

/** A number in the language of the reader. */
export function formatNumber(value: number | bigint): string {
  return number.format(value)
}

/** A short number, for axes. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** The sign for a missing value. */
export const NO_VALUE = '—'

/** The least share that one decimal shows. */
const SHARE_MIN = 0.001

/** A share of 1. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return NO_VALUE
  return share > 0 && share < SHARE_MIN ? `<${percent.format(SHARE_MIN)}` : percent.format(share)
}

/** A share of 1 in little room, as on an axis. */
export function formatShortShare(share: number): string {
  return shortPercent.format(share)
}

/** A number of percentage points. */
export function formatPoints(value: number): string {
  return points.format(value)
}

/** A duration in its two largest units: `2h 5m`. */
export function formatSeconds(seconds: number): string {
  // Rounded to the smaller unit before the split: otherwise an hour could have 60 minutes.
  const tenths = Math.round(seconds * 10)
  if (tenths < 600) return `${number.format(tenths / 10)}s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
  const hours = Math.round(seconds / 3600)
  return `${Math.floor(hours / 24)}d ${hours % 24}h`
}

/** A short duration, for axes: its largest unit. */
export function formatShortSeconds(seconds: number): string {
  const inUnits = (unitSeconds: number): number => Math.round((seconds / unitSeconds) * 10) / 10
  if (inUnits(1) < 60) return `${number.format(inUnits(1))}s`
  if (inUnits(60) < 60) return `${number.format(inUnits(60))}m`
  if (inUnits(3600) < 24) return `${number.format(inUnits(3600))}h`
  return `${number.format(inUnits(86_400))}d`
}

/** An amount of money; a plain number without the code of a known currency. */
export function formatMoney(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return formatNumber(amount)
  return new Intl.NumberFormat(currentLocale, { style: 'currency', currency }).format(amount)
}

/** Creating a format costs more than a hundred uses of it; a page has few zones and styles. */
const dates = new Map<string, Intl.DateTimeFormat>()

function dateFormat(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(style)
  const known = dates.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(currentLocale, style)
  dates.set(key, made)
  return made
}

/** A time in a zone. */
export function formatMoment(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(ms)
}

/** A time in a zone, to the minute. */
export function formatMinute(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(ms)
}

/** A short time in a zone, without its year. */
export function formatShortMoment(ms: number, timeZone: string): string {
  const style = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const
  return dateFormat({ ...style, timeZone }).format(ms)
}

/** Hours and minutes in a zone. */
export function formatShortTime(ms: number, timeZone: string): string {
  return dateFormat({ timeStyle: 'short', timeZone }).format(ms)
}

/** Hours, minutes and seconds in a zone. */
export function formatTime(ms: number, timeZone: string): string {
  return dateFormat({ timeStyle: 'medium', timeZone }).format(ms)
}

/** A short day in a zone, without its year. */
export function formatShortDay(ms: number, timeZone: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone }).format(ms)
}

/** A short day in a zone with its weekday, without its year. */
export function formatWeekday(ms: number, timeZone: string): string {
  return dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone }).format(ms)
}

/** The short name of a weekday in a zone. */
export function formatWeekdayName(ms: number, timeZone: string): string {
  return dateFormat({ weekday: 'short', timeZone }).format(ms)
}

/** A month in a zone, with its year. */
export function formatMonth(ms: number, timeZone: string): string {
  return dateFormat({ month: 'long', year: 'numeric', timeZone }).format(ms)
}

/** A short month in a zone, without its year. */
export function formatShortMonth(ms: number, timeZone: string): string {
  return dateFormat({ month: 'short', timeZone }).format(ms)
}

/** A day in a zone. */
export function formatDay(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone }).format(ms)
}

/** A range in words: its days, or its times if it is short. */
export function formatRange(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  timeZone: string,
): string {
  const isShort = toMs - fromMs <= SHORT_RANGE_MS
  const style = isShort
    ? ({ dateStyle: 'medium', timeStyle: 'short' } as const)
    : ({ dateStyle: 'medium' } as const)
  // A range excludes its end: January ends when February starts.
  return dateFormat({ ...style, timeZone }).formatRange(fromMs, isShort ? toMs : toMs - 1)
}

const SHORT_RANGE_MS = 2 * 86_400_000

const countries = new Intl.DisplayNames(currentLocale, { type: 'region' })

/** The name of a country by its ISO code; other texts unchanged. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}

/** A timestamp of a message in ISO 8601; empty where it is absent. */
export function isoOf(time: Timestamp | undefined): string {
  return time ? new Date(timestampMs(time)).toISOString() : ''
}
