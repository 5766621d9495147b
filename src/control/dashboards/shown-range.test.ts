import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import {
  type TimeRange,
  TimeRangePreset,
  TimeRangeSchema,
} from '../../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { allTimeRange, chooseShownRange, previousShownRange, type RequestedRange } from './shown-range.ts'

const { MINUTE, HOUR, DAY, WEEK, MONTH, UNSPECIFIED } = Granularity
const HOUR_MS = 3_600_000
const NOW_MS = Date.parse('2026-03-01T12:34:56.789Z')
const NOW = { nowMs: NOW_MS, timeZone: 'Europe/Berlin' }

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
  return chooseShownRange(settings, { granularity: UNSPECIFIED, ...requested }, NOW)
}

function rangeMs({ timeRange }: ReturnType<typeof choose>): [fromMs: number, toMs: number] {
  if (!timeRange.from || !timeRange.to) throw new Error('the range has no ends')
  return [timestampMs(timeRange.from), timestampMs(timeRange.to)]
}

describe('the range that a dashboard shows', () => {
  test.each([
    [TimeRangePreset.UNSPECIFIED, '2026-01-30T23:00:00.000Z'],
    [TimeRangePreset.LAST_1_HOUR, '2026-03-01T11:35:00.000Z'],
    [TimeRangePreset.LAST_6_HOURS, '2026-03-01T06:35:00.000Z'],
    [TimeRangePreset.LAST_24_HOURS, '2026-02-28T13:00:00.000Z'],
    [TimeRangePreset.LAST_7_DAYS, '2026-02-22T23:00:00.000Z'],
    [TimeRangePreset.LAST_14_DAYS, '2026-02-15T23:00:00.000Z'],
    [TimeRangePreset.LAST_30_DAYS, '2026-01-30T23:00:00.000Z'],
    [TimeRangePreset.LAST_90_DAYS, '2025-12-01T23:00:00.000Z'],
    [TimeRangePreset.LAST_180_DAYS, '2025-09-02T22:00:00.000Z'],
    [TimeRangePreset.LAST_365_DAYS, '2025-03-01T23:00:00.000Z'],
  ])(
    'preset %i begins with a whole bucket of the zone, at %s, and ends with ten full seconds',
    (preset, from) => {
      const [fromMs, toMs] = rangeMs(choose({ preset }))
      expect(new Date(fromMs).toISOString()).toBe(from)
      expect(new Date(toMs).toISOString()).toBe('2026-03-01T12:35:00.000Z')
    },
  )

  test('has a previous period with the same buckets; that of a requested range has its length', () => {
    const previousOf = (range: ReturnType<typeof choose>) =>
      rangeMs(previousShownRange(range, NOW.timeZone)).map((ms) => new Date(ms).toISOString())
    expect(previousOf(choose({ preset: TimeRangePreset.LAST_7_DAYS }))).toEqual([
      '2026-02-15T23:00:00.000Z',
      '2026-02-22T12:35:00.000Z',
    ])
    expect(previousOf(choose({ preset: TimeRangePreset.LAST_24_HOURS }))).toEqual([
      '2026-02-27T13:00:00.000Z',
      '2026-02-28T12:35:00.000Z',
    ])
    expect(previousOf(choose({}, { timeRange: daysBefore(3) }))).toEqual([
      '2026-02-23T12:34:56.789Z',
      '2026-02-26T12:34:56.789Z',
    ])
  })

  test('has a previous period with the same weekdays where it begins with a day', () => {
    const range = (from: string, to: string): TimeRange =>
      create(TimeRangeSchema, {
        from: timestampFromMs(Date.parse(from)),
        to: timestampFromMs(Date.parse(to)),
      })
    const previousOf = (shown: ReturnType<typeof choose>) =>
      rangeMs(previousShownRange(shown, NOW.timeZone)).map((ms) => new Date(ms).toISOString())
    // Thirty days: four weeks earlier.
    expect(previousOf(choose({ preset: TimeRangePreset.LAST_30_DAYS }))).toEqual([
      '2026-01-02T23:00:00.000Z',
      '2026-02-01T12:35:00.000Z',
    ])
    // The day until now: the day before until the same time.
    const today = range('2026-02-28T23:00:00Z', '2026-03-01T12:35:00Z')
    expect(previousOf(choose({}, { timeRange: today }))).toEqual([
      '2026-02-27T23:00:00.000Z',
      '2026-02-28T12:35:00.000Z',
    ])
    // A whole month: the month before.
    const february = range('2026-01-31T23:00:00Z', '2026-02-28T23:00:00Z')
    expect(previousOf(choose({}, { timeRange: february }))[0]).toBe('2025-12-31T23:00:00.000Z')
  })

  test('over all time begins with the day of the first event, at most ten years ago', () => {
    const rangeFrom = (first: string | undefined) => {
      const { from, to } = allTimeRange(first, NOW)
      return [from, to].map((time) => time && new Date(timestampMs(time)).toISOString())
    }
    const END = '2026-03-01T12:35:00.000Z'
    expect(rangeFrom('2026-01-06')).toEqual(['2026-01-05T23:00:00.000Z', END])
    expect(rangeFrom('2027-01-01')).toEqual(['2026-02-28T23:00:00.000Z', END])
    expect(rangeFrom(undefined)).toEqual(['2025-03-01T23:00:00.000Z', END])
    expect(rangeFrom('1999-01-01')).toEqual(['2016-03-01T23:00:00.000Z', END])
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
