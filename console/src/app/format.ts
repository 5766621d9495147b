const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const signedPercent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** A number in the viewer's way. */
export function formatNumber(value: number | bigint): string {
  return number.format(value)
}

/** A number in little room. */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** A share of 1. */
export function formatShare(share: number): string {
  return percent.format(Number.isFinite(share) ? share : 0)
}

/** Seconds as the two units that say most: `2 h 5 min`. */
export function formatSeconds(seconds: number): string {
  // Each is rounded to its smaller unit before it is split: else there would be hours of 60 minutes.
  const tenths = Math.round(seconds * 10)
  if (tenths < 600) return `${number.format(tenths / 10)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(seconds / 3600)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Seconds in little room: in the one unit that says most. */
export function formatShortSeconds(seconds: number): string {
  const inUnits = (unitSeconds: number): number => Math.round((seconds / unitSeconds) * 10) / 10
  if (inUnits(1) < 60) return `${number.format(inUnits(1))} s`
  if (inUnits(60) < 60) return `${number.format(inUnits(60))} min`
  if (inUnits(3600) < 24) return `${number.format(inUnits(3600))} h`
  return `${number.format(inUnits(86_400))} d`
}

/** Bytes in the unit that says most. */
export function formatBytes(bytes: number): string {
  const step = Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${number.format(Number((bytes / 1000 ** step).toPrecision(3)))} ${BYTE_UNITS[step]}`
}

/** How far a number is from the one before, as a share of it, with its sign. */
export function formatChange(share: number): string {
  return signedPercent.format(share)
}

/** Making a format costs more than a hundred uses of it; there are few zones and styles. */
const dates = new Map<string, Intl.DateTimeFormat>()

function dateFormat(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(style)
  const known = dates.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(undefined, style)
  dates.set(key, made)
  return made
}

/** A moment in the project's zone. */
export function formatMoment(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(ms)
}

/** A moment in the project's zone, to the minute. */
export function formatMinute(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(ms)
}

/** A moment in little room, without its year. */
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

/** Hours and minutes in the project's zone. */
export function formatShortTime(ms: number, timeZone: string): string {
  return dateFormat({ timeStyle: 'short', timeZone }).format(ms)
}

/** A day in little room, without its year. */
export function formatShortDay(ms: number, timeZone: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone }).format(ms)
}

/** A day in the project's zone. */
export function formatDay(ms: number, timeZone: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone }).format(ms)
}

/** A range in words: its days, or its moments where it is short. */
export function formatRange(
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  timeZone: string,
): string {
  const isShort = toMs - fromMs <= SHORT_RANGE_MS
  const style = isShort
    ? ({ dateStyle: 'medium', timeStyle: 'short' } as const)
    : ({ dateStyle: 'medium' } as const)
  // The end of a range is not in it: the last of January ends when February starts.
  return dateFormat({ ...style, timeZone }).formatRange(fromMs, isShort ? toMs : toMs - 1)
}

const SHORT_RANGE_MS = 2 * 86_400_000

const countries = new Intl.DisplayNames(undefined, { type: 'region' })

/** The name of a country by its ISO code; the code itself for what is none. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}
