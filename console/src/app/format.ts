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
  if (seconds < 60) return `${number.format(Math.round(seconds * 10) / 10)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
  return `${Math.floor(seconds / 86_400)} d ${Math.round((seconds % 86_400) / 3600)} h`
}

/** Seconds in little room: in the one unit that says most. */
export function formatShortSeconds(seconds: number): string {
  if (seconds < 60) return `${number.format(Math.round(seconds * 10) / 10)} s`
  if (seconds < 3600) return `${number.format(Math.round(seconds / 6) / 10)} min`
  if (seconds < 86_400) return `${number.format(Math.round(seconds / 360) / 10)} h`
  return `${number.format(Math.round(seconds / 8640) / 10)} d`
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
