import { describe, expect, test } from 'vitest'
import { TimeRangePreset } from '../contract/gen/common/v1/time_range_pb.js'
import { Granularity } from '../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  endOfRanges,
  presetName,
  previousPeriod,
  RANGE_MS_MAX,
  RANGE_PRESETS,
  type RangeLength,
  suitableBuckets,
} from './time-ranges.ts'
import { previousWholeBucketRange, wholeBucketRange } from './whole-buckets.ts'

const HOUR_MS = 3_600_000
const timeZone = 'America/New_York'

describe('ranges that end now', () => {
  const days = (count: number): RangeLength => ({
    lengthMs: count * 24 * HOUR_MS,
    granularity: Granularity.DAY,
  })
  const day: RangeLength = { ...days(1), granularity: Granularity.HOUR }
  const hour: RangeLength = { lengthMs: HOUR_MS, granularity: Granularity.MINUTE }
  const now = '2026-11-03T16:20:30Z'

  test.each([
    ['14 days', days(14), timeZone, '2026-10-21T04:00:00.000Z'],
    ['7 days', days(7), 'Asia/Kolkata', '2026-10-27T18:30:00.000Z'],
    ['24 hours', day, 'UTC', '2026-11-02T17:00:00.000Z'],
    ['24 hours', day, 'Asia/Kolkata', '2026-11-02T16:30:00.000Z'],
    ['an hour', hour, 'UTC', '2026-11-03T15:21:00.000Z'],
  ])('of %s start with a whole bucket', (_, length, zone, from) => {
    const { fromMs, toMs } = wholeBucketRange(length, { toMs: Date.parse(now), timeZone: zone })
    expect([new Date(fromMs).toISOString(), toMs]).toEqual([from, Date.parse(now)])
  })

  test('never exceed their length when the clocks are set back', () => {
    const { fromMs, toMs } = wholeBucketRange(days(14), {
      toMs: Date.parse('2026-11-02T04:59:00Z'),
      timeZone,
    })
    expect(toMs - fromMs).toBe(days(14).lengthMs)
  })

  test.each([
    ['7 days', days(7), '2026-10-21T04:00:00.000Z', '2026-10-27T16:20:30.000Z'],
    ['24 hours', day, '2026-11-01T17:00:00.000Z', '2026-11-02T16:20:30.000Z'],
  ])('have a previous period of %s with the same buckets', (_, length, from, to) => {
    const range = previousWholeBucketRange(length, { toMs: Date.parse(now), timeZone })
    expect([range.fromMs, range.toMs].map((ms) => new Date(ms).toISOString())).toEqual([from, to])
  })
})

describe('time ranges', () => {
  test('have a previous period of the same length that ends where they start', () => {
    expect(previousPeriod({ fromMs: 700, toMs: 1000 })).toEqual({ fromMs: 400, toMs: 700 })
  })

  test.each([
    [[1, 2], Granularity.HOUR],
    [[3, 92], Granularity.DAY],
    [[93, 366], Granularity.WEEK],
    [[367], Granularity.MONTH],
  ])('of %j days suit buckets of width %i', (days, width) => {
    expect(days.map(suitableBuckets)).toEqual(days.map(() => width))
  })

  test('that end now end at the same instant within ten seconds', () => {
    expect([endOfRanges(10_001), endOfRanges(20_000), endOfRanges(20_001)]).toEqual([20_000, 20_000, 30_000])
  })

  test('of every preset are allowed for its bucket width', () => {
    const tooLong = Object.values(RANGE_PRESETS).filter(
      ({ lengthMs, granularity }) => lengthMs > RANGE_MS_MAX[granularity],
    )
    expect(Object.keys(RANGE_PRESETS)).toHaveLength(9)
    expect(tooLong).toEqual([])
  })

  test('of an unknown preset are those of the default', () => {
    expect([TimeRangePreset.UNSPECIFIED, 99, TimeRangePreset.LAST_7_DAYS].map(presetName)).toEqual([
      'LAST_30_DAYS',
      'LAST_30_DAYS',
      'LAST_7_DAYS',
    ])
  })
})
