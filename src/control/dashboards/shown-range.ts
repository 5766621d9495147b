import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type TimeRange,
  TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { RANGE_MS_MAX } from '../../contract/range-lengths.ts'
import type { ServiceError } from '../../contract/service-error.ts'
import type { DashboardSettings } from './dashboard.ts'
import { invalidFields } from './invalid-fields.ts'

/** What a request says about the time to look at. */
export interface RequestedRange {
  readonly timeRange?: TimeRange | undefined
  readonly granularity: Granularity
}

/** The time that all tiles look at. */
export interface ShownRange {
  readonly timeRange: TimeRange
  readonly granularity: Granularity
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const LENGTH_MS = {
  [TimeRangePreset.UNSPECIFIED]: 30 * DAY_MS,
  [TimeRangePreset.LAST_1_HOUR]: HOUR_MS,
  [TimeRangePreset.LAST_6_HOURS]: 6 * HOUR_MS,
  [TimeRangePreset.LAST_24_HOURS]: 24 * HOUR_MS,
  [TimeRangePreset.LAST_7_DAYS]: 7 * DAY_MS,
  [TimeRangePreset.LAST_14_DAYS]: 14 * DAY_MS,
  [TimeRangePreset.LAST_30_DAYS]: 30 * DAY_MS,
  [TimeRangePreset.LAST_90_DAYS]: 90 * DAY_MS,
  [TimeRangePreset.LAST_180_DAYS]: 180 * DAY_MS,
  [TimeRangePreset.LAST_365_DAYS]: 365 * DAY_MS,
} as const satisfies Record<TimeRangePreset, number>

/** Ranges that end now end at a whole step after it: who looks within one step asks the same questions. */
const STEP_MS = 10_000

/** From narrow buckets to wide ones. */
const GRANULARITIES = Object.entries(RANGE_MS_MAX).map(([name, lengthMsMax]) => ({
  granularity: Number(name) as Granularity,
  lengthMsMax,
}))

/**
 * The time to look at: what the request says, else what the dashboard shows at first. The dashboard's bucket width gives
 * way to the next wider one that the range allows. Throws `invalid_argument` for a range that is too long for the width that
 * the request names, or for any.
 */
export function chooseShownRange(
  settings: DashboardSettings,
  { timeRange, granularity }: RequestedRange,
  nowMs: number,
): ShownRange {
  const range = timeRange ?? lastRange(settings.defaultTimeRange, nowMs)
  const lengthMs = range.from && range.to ? timestampMs(range.to) - timestampMs(range.from) : 0
  const isNamed = granularity !== Granularity.UNSPECIFIED
  const least = isNamed ? granularity : settings.defaultGranularity || Granularity.DAY
  const allowed = GRANULARITIES.find((one) => one.granularity >= least && lengthMs <= one.lengthMsMax)
  if (!allowed || (isNamed && allowed.granularity !== granularity)) {
    throw rangeTooLong(timeRange ? 'timeRange' : 'granularity')
  }
  return { timeRange: range, granularity: allowed.granularity }
}

/** The range of the same length that ends where a range starts. */
export function rangeBefore({ timeRange, granularity }: ShownRange): ShownRange {
  const { from, to } = timeRange
  if (!from || !to) return { timeRange, granularity }
  const fromMs = timestampMs(from)
  const before = timestampFromMs(2 * fromMs - timestampMs(to))
  return { timeRange: create(TimeRangeSchema, { from: before, to: from }), granularity }
}

function lastRange(preset: TimeRangePreset, nowMs: number): TimeRange {
  const toMs = Math.ceil(nowMs / STEP_MS) * STEP_MS
  const from = timestampFromMs(toMs - LENGTH_MS[preset])
  return create(TimeRangeSchema, { from, to: timestampFromMs(toMs) })
}

function rangeTooLong(field: string): ServiceError {
  const description = 'the range is longer than this granularity allows'
  return invalidFields([{ field, description }], 'INVALID_INSIGHT_QUERY')
}
