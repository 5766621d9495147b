import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { dateOf, rangeOfDays } from '@domain/calendar.ts'
import { daysOfPeriod } from '@domain/date-periods.ts'
import { endOfRanges, type RangeMs } from '@domain/time-ranges.ts'

/** Properties that a preview names. */
const PROPERTIES_MAX = 8

/** The last 30 days of a project, today included, up to now. */
export function recentDays(nowMs: number, timeZone: string): RangeMs {
  const days = daysOfPeriod({ last: 30, unit: 'days' }, { today: dateOf(nowMs, timeZone) })
  return { fromMs: rangeOfDays(days, timeZone).fromMs, toMs: endOfRanges(nowMs) }
}

/** The names of the properties that a sample of events has, those of the most events first. */
export function commonProperties(
  events: readonly Pick<ActivityEvent, 'customProperties'>[],
): readonly string[] {
  const counts = new Map<string, number>()
  for (const name of events.flatMap(({ customProperties }) => Object.keys(customProperties ?? {})))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort(([a, countA], [b, countB]) => countB - countA || a.localeCompare(b))
    .slice(0, PROPERTIES_MAX)
    .map(([name]) => name)
}
