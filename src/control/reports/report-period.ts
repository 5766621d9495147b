import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { TimeRangePreset, TimeRangeSchema } from '../../contract/gen/common/v1/time_range_pb.js'
import { dateOf, rangeOfDays, shiftDate } from '../../domain/calendar.ts'
import { readSchedule, type ZonedInstant } from '../../domain/schedule.ts'
import { presetName, RANGE_PRESETS, type RangeMs, suitableBuckets } from '../../domain/time-ranges.ts'
import type { ShownRange } from '../dashboards/shown-range.ts'
import { type ReportSpec, unitOf } from './report.ts'

const DAY_MS = 86_400_000

/** The newest complete day, week or month of a report. */
export function newestPeriod(spec: ReportSpec, now: ZonedInstant): RangeMs {
  const begin = { every: unitOf(spec), hour: 0, minute: 0, day: 1 } as const
  const { fromMs, toMs } = readSchedule(begin, now).last
  return { fromMs, toMs }
}

/** The range that a report about a period shows: the period, or the days of its preset up to the end of the period. */
export function shownRangeOf(spec: ReportSpec, period: RangeMs, timeZone: string): ShownRange {
  const range = rangeOf(spec, period, timeZone)
  const days = Math.round((range.toMs - range.fromMs) / DAY_MS)
  return {
    timeRange: create(TimeRangeSchema, {
      from: timestampFromMs(range.fromMs),
      to: timestampFromMs(range.toMs),
    }),
    granularity: suitableBuckets(days),
  }
}

function rangeOf({ timeRange }: ReportSpec, { fromMs, toMs }: RangeMs, timeZone: string): RangeMs {
  if (timeRange === TimeRangePreset.UNSPECIFIED) return { fromMs, toMs }
  const days = Math.round(RANGE_PRESETS[presetName(timeRange)].lengthMs / DAY_MS)
  const first = shiftDate(dateOf(toMs - 1, timeZone), 1 - days)
  return { fromMs: rangeOfDays({ from: first, to: first }, timeZone).fromMs, toMs }
}

/** A range of whole days in words. */
export function describeDays({ fromMs, toMs }: RangeMs, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone })
  return format.formatRange(fromMs, toMs - 1).replaceAll(/[\u2009\u202f]/g, ' ')
}

/** A range of a message in milliseconds. */
export function rangeMsOf({ timeRange: { from, to } }: ShownRange): RangeMs {
  return { fromMs: from ? timestampMs(from) : 0, toMs: to ? timestampMs(to) : 0 }
}
