import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type TimeRange,
  type TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ServiceError } from '../../contract/service-error.ts'
import {
  endOfRanges,
  presetName,
  previousPeriod,
  RANGE_PRESETS,
  widenBuckets,
} from '../../domain/time-ranges.ts'
import { invalidFields } from '../invalid-field.ts'
import type { DashboardSettings } from './dashboard.ts'

/** The time range and granularity of a request. */
export interface RequestedRange {
  readonly timeRange?: TimeRange | undefined
  readonly granularity: Granularity
}

/** The time range and granularity of all tiles. */
export interface ShownRange {
  readonly timeRange: TimeRange
  readonly granularity: Granularity
}

/**
 * The requested time range and granularity, by default those of the dashboard. The dashboard's granularity is widened until
 * it allows the range. Throws `invalid_argument` for a range that is too long for the requested granularity, or for any.
 */
export function chooseShownRange(
  settings: DashboardSettings,
  { timeRange, granularity }: RequestedRange,
  nowMs: number,
): ShownRange {
  const range = timeRange ?? lastRange(settings.defaultTimeRange, nowMs)
  const isExplicit = granularity !== Granularity.UNSPECIFIED
  const least = isExplicit ? granularity : settings.defaultGranularity || Granularity.DAY
  const allowed = widenFor(range, least)
  if (allowed === undefined || (isExplicit && allowed !== granularity)) {
    throw rangeTooLong(timeRange ? 'timeRange' : 'granularity')
  }
  return { timeRange: range, granularity: allowed }
}

/** The granularity of a tile: its own, widened until it allows the range; without one that of the dashboard. */
export function granularityOfTile(own: Granularity, { timeRange, granularity }: ShownRange): Granularity {
  return own === Granularity.UNSPECIFIED ? granularity : (widenFor(timeRange, own) ?? granularity)
}

/** The narrowest granularity from a given one that allows a range. */
function widenFor({ from, to }: TimeRange, least: Granularity): Granularity | undefined {
  return widenBuckets(least, from && to ? timestampMs(to) - timestampMs(from) : 0)
}

/** The previous period of a range, in buckets of the same width. */
export function previousShownRange({ timeRange, granularity }: ShownRange): ShownRange {
  const { from, to } = timeRange
  if (!from || !to) return { timeRange, granularity }
  const { fromMs } = previousPeriod({ fromMs: timestampMs(from), toMs: timestampMs(to) })
  return { timeRange: create(TimeRangeSchema, { from: timestampFromMs(fromMs), to: from }), granularity }
}

function lastRange(preset: TimeRangePreset, nowMs: number): TimeRange {
  const toMs = endOfRanges(nowMs)
  const { lengthMs } = RANGE_PRESETS[presetName(preset)]
  return create(TimeRangeSchema, { from: timestampFromMs(toMs - lengthMs), to: timestampFromMs(toMs) })
}

function rangeTooLong(field: string): ServiceError {
  const description = 'the range is longer than this granularity allows'
  return invalidFields([{ field, description }], 'INVALID_INSIGHT_QUERY')
}
