const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/**
 * Parses an RFC 3339 time as proto JSON writes it; finer parts than a millisecond are cut off. Answers milliseconds
 * since the Unix epoch, or `undefined` when the text is not a time or names a day that does not exist.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = RFC3339.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match
  const isInDay = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isInDay || !isRealDay(Number(year), Number(month), Number(day))) return undefined
  const localMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  const milliseconds = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3))
  if (sign === undefined) return localMs + milliseconds
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  return localMs + milliseconds - (sign === '-' ? -offsetMs : offsetMs)
}

function isRealDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}
