const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

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

/** A moment in the project's zone. */
export function formatMoment(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(ms)
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
  return new Intl.DateTimeFormat(undefined, { ...style, timeZone }).format(ms)
}

/** Hours and minutes in the project's zone. */
export function formatShortTime(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }).format(ms)
}

/** A day in little room, without its year. */
export function formatShortDay(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone }).format(ms)
}

/** A day in the project's zone. */
export function formatDay(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone }).format(ms)
}

const countries = new Intl.DisplayNames(undefined, { type: 'region' })

/** The name of a country by its ISO code; the code itself for what is none. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code
}
