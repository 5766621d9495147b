import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type TimeRange, TimeRangeSchema } from '@contract/common/v1/time_range_pb.js'
import { Granularity as GranularityEnum } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { RANGE_PRESETS, type RangeMs, type RangePresetName } from '@domain/time-ranges.ts'
import type { Granularity } from './model/draft.ts'

/** The current time, and the zone of the project's calendar. */
export interface Now {
  readonly nowMs: number
  readonly timeZone: string
  /** The date of the first event of the project, as far as it is known. */
  readonly firstDate?: string | undefined
}

/** Granularities by their names in an address. */
export const GRANULARITY_NUMBERS = {
  GRANULARITY_MINUTE: GranularityEnum.MINUTE,
  GRANULARITY_HOUR: GranularityEnum.HOUR,
  GRANULARITY_DAY: GranularityEnum.DAY,
  GRANULARITY_WEEK: GranularityEnum.WEEK,
  GRANULARITY_MONTH: GranularityEnum.MONTH,
} as const satisfies Record<Granularity, GranularityEnum>

/** The name of a granularity; days for one that the console does not offer. */
export function granularityName(granularity: GranularityEnum): Granularity {
  const names = Object.keys(GRANULARITY_NUMBERS) as Granularity[]
  return names.find((name) => GRANULARITY_NUMBERS[name] === granularity) ?? 'GRANULARITY_DAY'
}

/** Whether a text is the name of a range that ends now. */
export function isPreset(text: unknown): text is RangePresetName {
  return typeof text === 'string' && Object.hasOwn(RANGE_PRESETS, text)
}

/** A range as a message. */
export function toTimeRange({ fromMs, toMs }: RangeMs): TimeRange {
  return create(TimeRangeSchema, { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) })
}
