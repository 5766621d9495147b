/** Milliseconds of one UTC day; the Unix time scale has no leap seconds. */
export const DAY_MS = 86_400_000

/** The UTC day of an instant: days since 1970-01-01. `timeMs` is milliseconds since the Unix epoch. */
export function utcDayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

/** Expiry of all data of a day's visitors: 00:00 UTC of day + 2, in milliseconds since the Unix epoch, inclusive. */
export function dayExpiryMs(day: number): number {
  return (day + 2) * DAY_MS
}

/** `YYYY-MM-DD` of a UTC day. */
export function utcDayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
