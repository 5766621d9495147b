import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { createChartFormats, writeShortDay, writeShortMonth, writeShortTime } from '@domain/charts/formats.ts'
import { currentLocale } from '../i18n/language.ts'

/** The formats of the reader's language. */
export const formats = createChartFormats(currentLocale)

/** A number in the language of the reader. */
export const formatNumber = formats.number

/** A short number, for axes. */
export const formatCompact = formats.compact

export { NO_VALUE } from '@domain/charts/formats.ts'

/** A share of 1. */
export const formatShare = formats.share

/** A share of 1 in little room, as on an axis. */
export const formatShortShare = formats.shortShare

/** A number of percentage points. */
export const formatPoints = formats.points

/** A duration in its two largest units: `2h 5m`. */
export const formatSeconds = formats.seconds

/** A short duration, for axes: its largest unit. */
export const formatShortSeconds = formats.shortSeconds

/** An amount of money; a plain number without the code of a known currency. */
export function formatMoney(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return formatNumber(amount)
  return new Intl.NumberFormat(currentLocale, { style: 'currency', currency }).format(amount)
}

const dateFormat = formats.times

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
  return writeShortTime(ms, timeZone, formats)
}

/** Hours, minutes and seconds in a zone. */
export function formatTime(ms: number, timeZone: string): string {
  return dateFormat({ timeStyle: 'medium', timeZone }).format(ms)
}

/** A short day in a zone, without its year. */
export function formatShortDay(ms: number, timeZone: string): string {
  return writeShortDay(ms, timeZone, formats)
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
  return writeShortMonth(ms, timeZone, formats)
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
