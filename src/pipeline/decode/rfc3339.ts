const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** The Gregorian calendar repeats after this many years and days. */
const CYCLE_YEARS = 400
const CYCLE_DAYS = 146_097

/**
 * Parses an RFC 3339 time as proto JSON writes it; digits finer than a millisecond are cut. Returns milliseconds
 * since the Unix epoch, or `undefined` when the text is not a time or names a day that does not exist.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match
  const isInDay = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const dayMs = startOfDay(Number(year), Number(month), Number(day))
  if (!isInDay || dayMs === undefined) return undefined
  const localMs = dayMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  const milliseconds = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3))
  if (sign === undefined) return localMs + milliseconds
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return localMs + milliseconds - (sign === '-' ? -offsetMs : offsetMs)
}

/**
 * Milliseconds from the Unix epoch to the start of a UTC day in the years 1 to 9999, or `undefined` for an invalid date.
 */
function startOfDay(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined
  // Date.UTC maps the years below 100 to the 20th century, so the calculation uses an equivalent later year.
  const sameYear = 2000 + (year % CYCLE_YEARS)
  if (day > new Date(Date.UTC(sameYear, month, 0)).getUTCDate()) return undefined
  const cycles = (year - (year % CYCLE_YEARS) - 2000) / CYCLE_YEARS
  return Date.UTC(sameYear, month - 1, day) + cycles * CYCLE_DAYS * 86_400_000
}
