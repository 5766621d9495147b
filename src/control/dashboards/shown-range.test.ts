import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import {
  type TimeRange,
  TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { chooseShownRange, type RequestedRange } from './shown-range.ts'

const { MINUTE, HOUR, DAY, WEEK, MONTH, UNSPECIFIED } = Granularity
const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-03-01T12:34:56.789Z')

const daysBefore = (days: number): TimeRange =>
  create(TimeRangeSchema, {
    from: timestampFromMs(NOW_MS - days * 24 * HOUR_MS),
    to: timestampFromMs(NOW_MS),
  })

function choose(
  {
    preset = TimeRangePreset.LAST_7_DAYS,
    width = DAY,
  }: { readonly preset?: TimeRangePreset; readonly width?: Granularity },
  requested: Partial<RequestedRange> = {},
) {
  const settings = { displayName: '', description: '', defaultTimeRange: preset, defaultGranularity: width }
  return chooseShownRange(settings, { granularity: UNSPECIFIED, ...requested }, NOW_MS)
}

function rangeMs({ timeRange }: ReturnType<typeof choose>): [fromMs: number, toMs: number] {
  if (!timeRange.from || !timeRange.to) throw new Error('the range has no ends')
  return [timestampMs(timeRange.from), timestampMs(timeRange.to)]
}

describe('the range that a dashboard shows', () => {
  test.each([
    [TimeRangePreset.UNSPECIFIED, 30 * 24],
    [TimeRangePreset.LAST_1_HOUR, 1],
    [TimeRangePreset.LAST_6_HOURS, 6],
    [TimeRangePreset.LAST_24_HOURS, 24],
    [TimeRangePreset.LAST_7_DAYS, 7 * 24],
    [TimeRangePreset.LAST_14_DAYS, 14 * 24],
    [TimeRangePreset.LAST_30_DAYS, 30 * 24],
    [TimeRangePreset.LAST_90_DAYS, 90 * 24],
    [TimeRangePreset.LAST_180_DAYS, 180 * 24],
    [TimeRangePreset.LAST_365_DAYS, 365 * 24],
  ])('preset %i is the last %i hours, rounded up to whole ten seconds', (preset, hours) => {
    const [fromMs, toMs] = rangeMs(choose({ preset }))
    expect(new Date(toMs).toISOString()).toBe('2026-03-01T12:35:00.000Z')
    expect((toMs - fromMs) / HOUR_MS).toBe(hours)
  })

  test('is the requested one, unchanged', () => {
    const timeRange = daysBefore(3)
    expect(choose({}, { timeRange }).timeRange).toEqual(timeRange)
  })
})

describe('the bucket width of a dashboard', () => {
  test.each([
    [TimeRangePreset.LAST_6_HOURS, MINUTE, MINUTE],
    [TimeRangePreset.LAST_24_HOURS, MINUTE, HOUR],
    [TimeRangePreset.LAST_14_DAYS, HOUR, HOUR],
    [TimeRangePreset.LAST_30_DAYS, HOUR, DAY],
    [TimeRangePreset.LAST_30_DAYS, MINUTE, DAY],
    [TimeRangePreset.LAST_365_DAYS, DAY, DAY],
    [TimeRangePreset.LAST_365_DAYS, UNSPECIFIED, DAY],
    [TimeRangePreset.LAST_1_HOUR, MONTH, MONTH],
  ])('for preset %i and granularity %i is %i: as narrow as the range allows', (preset, width, shown) => {
    expect(choose({ preset, width }).granularity).toBe(shown)
  })

  test('is widened for a longer requested range', () => {
    expect(choose({ width: MINUTE }, { timeRange: daysBefore(400) }).granularity).toBe(WEEK)
    expect(choose({ width: MINUTE }, { timeRange: daysBefore(3652) }).granularity).toBe(MONTH)
  })

  test('is the requested one', () => {
    expect(choose({ width: DAY }, { granularity: HOUR }).granularity).toBe(HOUR)
  })

  test.each([
    ['timeRange', { timeRange: daysBefore(15), granularity: HOUR }],
    ['timeRange', { timeRange: daysBefore(3653) }],
    ['granularity', { granularity: MINUTE }],
  ])(
    '%s is rejected when the range is too long for the requested granularity, or for any',
    (field, requested) => {
      expect(() => choose({}, requested)).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          violations: [expect.objectContaining({ field })],
        }),
      )
    },
  )
})
