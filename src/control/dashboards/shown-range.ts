import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type TimeRange,
  type TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import type { InsightTileContent } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ServiceError } from '../../contract/service-error.ts'
import { dateOf, rangeOfDays } from '../../domain/calendar.ts'
import { daysOfPeriod } from '../../domain/date-periods.ts'
import {
  endOfRanges,
  presetName,
  previousPeriod,
  RANGE_MS_MAX,
  RANGE_PRESETS,
  type RangeLength,
  type RangeMs,
  widenBuckets,
} from '../../domain/time-ranges.ts'
import {
  beginsWithDay,
  previousDayRange,
  previousWholeBucketRange,
  wholeBucketRange,
} from '../../domain/whole-buckets.ts'
import { invalidFields } from '../invalid-field.ts'
import type { DashboardSettings } from './dashboard.ts'

const DAY_MS = 86_400_000

/** The time range and granularity of a request. */
export interface RequestedRange {
  readonly timeRange?: TimeRange | undefined
  readonly granularity: Granularity
}

/** The time range and granularity of all tiles. */
export interface ShownRange {
  readonly timeRange: TimeRange
  readonly granularity: Granularity
  /** The default range of the dashboard, where the request names none. */
  readonly preset?: RangeLength
}

/** The current time, and the zone of the calendar of the project. */
export interface Now {
  readonly nowMs: number
  readonly timeZone: string
}

/**
 * The requested time range and granularity, by default those of the dashboard: whole days of the project's zone. The dashboard's granularity is widened until
 * it allows the range. Throws `invalid_argument` for a range that is too long for the requested granularity, or for any.
 */
export function chooseShownRange(
  settings: DashboardSettings,
  { timeRange, granularity }: RequestedRange,
  now: Now,
): ShownRange {
  const preset = timeRange ? undefined : RANGE_PRESETS[presetName(settings.defaultTimeRange)]
  const range = timeRange ?? toTimeRange(lastRange(settings.defaultTimeRange, now))
  const isExplicit = granularity !== Granularity.UNSPECIFIED
  const least = isExplicit ? granularity : settings.defaultGranularity || Granularity.DAY
  const allowed = widenFor(range, least)
  if (allowed === undefined || (isExplicit && allowed !== granularity)) {
    throw rangeTooLong(timeRange ? 'timeRange' : 'granularity')
  }
  return { timeRange: range, granularity: allowed, ...(preset && { preset }) }
}

/**
 * The granularity of a tile: its own, widened until it allows the range; without one that of the dashboard. A lifecycle has
 * none below days.
 */
export function granularityOfTile(
  { granularity: own, spec }: InsightTileContent,
  { timeRange, granularity }: ShownRange,
): Granularity {
  const chosen = own === Granularity.UNSPECIFIED ? granularity : (widenFor(timeRange, own) ?? granularity)
  return spec?.insightType === InsightType.LIFECYCLE ? Math.max(chosen, Granularity.DAY) : chosen
}

/** The narrowest granularity from a given one that allows a range. */
function widenFor({ from, to }: TimeRange, least: Granularity): Granularity | undefined {
  return widenBuckets(least, from && to ? timestampMs(to) - timestampMs(from) : 0)
}

/** The range from the date of the first event on, as far as a query may reach back; the last year without events. */
export function allTimeRange(firstDate: string | undefined, { nowMs, timeZone }: Now): TimeRange {
  const toMs = endOfRanges(nowMs)
  const today = dateOf(toMs - 1, timeZone)
  const { fromMs } = rangeOfDays(daysOfPeriod('all-time', { today, firstDate }), timeZone)
  return toTimeRange({ fromMs: Math.max(fromMs, toMs - RANGE_MS_MAX[Granularity.MONTH]), toMs })
}

/** The previous period of a range, in buckets of the same width. Where the range begins with a day, its days have the same weekdays. */
export function previousShownRange(
  { timeRange, granularity, preset }: ShownRange,
  timeZone: string,
): ShownRange {
  const { from, to } = timeRange
  if (!from || !to) return { timeRange, granularity }
  const range = { fromMs: timestampMs(from), toMs: timestampMs(to) }
  return { timeRange: toTimeRange(previousOf(range, { preset, timeZone })), granularity }
}

/** A default range of hours is compared with the hours before, also at midnight. */
function previousOf(
  range: RangeMs,
  { preset, timeZone }: { readonly preset: RangeLength | undefined; readonly timeZone: string },
): RangeMs {
  const isOfHours = preset !== undefined && preset.lengthMs <= DAY_MS
  if (!isOfHours && beginsWithDay(range, timeZone)) return previousDayRange(range, timeZone)
  return preset ? previousWholeBucketRange(preset, { toMs: range.toMs, timeZone }) : previousPeriod(range)
}

/** A default range starts with a whole bucket: seven days are the current day and the six before it. */
function lastRange(preset: TimeRangePreset, { nowMs, timeZone }: Now): RangeMs {
  return wholeBucketRange(RANGE_PRESETS[presetName(preset)], { toMs: endOfRanges(nowMs), timeZone })
}

function toTimeRange({ fromMs, toMs }: RangeMs): TimeRange {
  return create(TimeRangeSchema, { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) })
}

function rangeTooLong(field: string): ServiceError {
  const description = 'the range is longer than this granularity allows'
  return invalidFields([{ field, description }], 'INVALID_INSIGHT_QUERY')
}
