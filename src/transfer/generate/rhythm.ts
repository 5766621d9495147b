/** Relative number of sessions by hour in UTC: few at night, most in the evening. */
const HOURS = [2, 1, 1, 1, 1, 2, 3, 5, 7, 8, 8, 8, 9, 8, 8, 8, 9, 10, 11, 12, 12, 10, 7, 4] as const

/** Relative number of sessions by day of the week, Sunday first. */
const DAYS = [0.7, 1.05, 1.1, 1.1, 1.05, 1, 0.75] as const

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HOURS_SUM = HOURS.reduce<number>((sum, share) => sum + share, 0)

/** Traffic of a day relative to an average one. */
export function weightOfDay(dayMs: number): number {
  return DAYS[new Date(dayMs).getUTCDay()] ?? 1
}

/** The time of day before which the share `unit` (0 to 1) of the day's sessions begins. */
export function timeOfDay(dayMs: number, unit: number): number {
  let left = unit * HOURS_SUM
  for (const [hour, share] of HOURS.entries()) {
    if (left < share) return dayMs + Math.floor((hour + left / share) * HOUR_MS)
    left -= share
  }
  return dayMs + DAY_MS - 1
}

/** The share (0 to 1) of a day's sessions that begin before a time: the inverse of {@link timeOfDay}. */
export function shareOfDay(dayMs: number, timeMs: number): number {
  const hours = Math.min(Math.max((timeMs - dayMs) / HOUR_MS, 0), HOURS.length)
  const whole = Math.floor(hours)
  const before = HOURS.slice(0, whole).reduce<number>((sum, share) => sum + share, 0)
  return (before + (hours - whole) * (HOURS[whole] ?? 0)) / HOURS_SUM
}

/** Relative probability of a visit this many days after the first one: a power law. */
export function retentionAfter(days: number): number {
  return 1 / (1 + days) ** 0.7
}
