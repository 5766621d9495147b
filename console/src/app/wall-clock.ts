const MINUTE_MS = 60_000

/** What the clocks of a zone say at a moment, as `YYYY-MM-DDTHH:mm`. */
export function readWallClock(ms: number, timeZone: string): string {
  return clockOf(timeZone).format(ms).replace(' ', 'T')
}

/** Making a format costs more than a hundred uses of it; there are few zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  // Swedish dates are ISO dates.
  const made = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  clocks.set(timeZone, made)
  return made
}

/**
 * The moment at which the clocks of a zone say `YYYY-MM-DDTHH:mm`; `undefined` for what is no such text. Of an hour that the
 * clocks skip it is one close by, of an hour that comes twice one of the two.
 */
export function parseWallClock(text: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${text}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const guess = asUtc - offsetAt(asUtc, timeZone)
  return asUtc - offsetAt(guess, timeZone)
}

function offsetAt(ms: number, timeZone: string): number {
  const minute = Math.floor(ms / MINUTE_MS) * MINUTE_MS
  return Date.parse(`${readWallClock(minute, timeZone)}Z`) - minute
}
