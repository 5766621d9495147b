import { describe, expect, test } from 'vitest'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { bucketIndex, listBucketStarts } from './buckets.ts'

type BucketCase = readonly [
  title: string,
  zone: string,
  granularity: keyof typeof Granularity,
  range: readonly [from: string, to: string],
  starts: readonly string[],
]

describe('buckets', () => {
  test.each<BucketCase>([
    [
      'the first may start before the range',
      'UTC',
      'DAY',
      ['2026-01-05T12:00Z', '2026-01-07T00:00Z'],
      ['2026-01-05T00:00Z', '2026-01-06T00:00Z'],
    ],
    [
      'the end is not in the range',
      'UTC',
      'HOUR',
      ['2026-01-05T12:00Z', '2026-01-05T13:00Z'],
      ['2026-01-05T12:00Z'],
    ],
    [
      'one millisecond is enough',
      'UTC',
      'MINUTE',
      ['2026-01-05T12:00:59.999Z', '2026-01-05T12:01:00.001Z'],
      ['2026-01-05T12:00Z', '2026-01-05T12:01Z'],
    ],
    [
      'weeks start on Monday',
      'UTC',
      'WEEK',
      ['2026-01-04T23:59Z', '2026-01-05T00:01Z'],
      ['2025-12-29T00:00Z', '2026-01-05T00:00Z'],
    ],
    [
      'months have their own length',
      'UTC',
      'MONTH',
      ['2024-02-10T00:00Z', '2024-03-02T00:00Z'],
      ['2024-02-01T00:00Z', '2024-03-01T00:00Z'],
    ],
    [
      'a day in spring has 23 hours',
      'Europe/Berlin',
      'DAY',
      ['2024-03-30T23:00Z', '2024-04-01T00:00Z'],
      ['2024-03-30T23:00Z', '2024-03-31T22:00Z'],
    ],
    [
      'a day in autumn has 25 hours',
      'Europe/Berlin',
      'DAY',
      ['2024-10-26T22:00Z', '2024-10-27T23:01Z'],
      ['2024-10-26T22:00Z', '2024-10-27T23:00Z'],
    ],
    [
      'the repeated hour is two',
      'Europe/Berlin',
      'HOUR',
      ['2024-10-26T23:30Z', '2024-10-27T02:00Z'],
      ['2024-10-26T23:00Z', '2024-10-27T00:00Z', '2024-10-27T01:00Z'],
    ],
    [
      'the skipped hour is none',
      'America/New_York',
      'HOUR',
      ['2024-03-10T06:00Z', '2024-03-10T08:00Z'],
      ['2024-03-10T06:00Z', '2024-03-10T07:00Z'],
    ],
    [
      'hours start at a quarter in Nepal',
      'Asia/Kathmandu',
      'HOUR',
      ['2024-06-01T12:00Z', '2024-06-01T12:30Z'],
      ['2024-06-01T11:15Z', '2024-06-01T12:15Z'],
    ],
    [
      'days start at a quarter in Nepal',
      'Asia/Kathmandu',
      'DAY',
      ['2024-06-01T12:00Z', '2024-06-01T18:16Z'],
      ['2024-05-31T18:15Z', '2024-06-01T18:15Z'],
    ],
    [
      'half an hour repeats on Lord Howe',
      'Australia/Lord_Howe',
      'HOUR',
      ['2024-04-06T14:00Z', '2024-04-06T15:31Z'],
      ['2024-04-06T14:00Z', '2024-04-06T15:00Z', '2024-04-06T15:30Z'],
    ],
    [
      'half an hour is skipped on Lord Howe',
      'Australia/Lord_Howe',
      'HOUR',
      ['2024-10-05T15:00Z', '2024-10-05T16:30Z'],
      ['2024-10-05T14:30Z', '2024-10-05T15:30Z', '2024-10-05T16:00Z'],
    ],
    [
      'Samoa skipped a whole day',
      'Pacific/Apia',
      'DAY',
      ['2011-12-29T10:00Z', '2011-12-31T11:00Z'],
      ['2011-12-29T10:00Z', '2011-12-30T10:00Z', '2011-12-31T10:00Z'],
    ],
    [
      'midnight may be skipped',
      'America/Sao_Paulo',
      'DAY',
      ['2018-11-04T02:59Z', '2018-11-04T03:01Z'],
      ['2018-11-03T03:00Z', '2018-11-04T03:00Z'],
    ],
  ])('%s', (_title, timeZone, granularity, [from, to], starts) => {
    const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
    const found = listBucketStarts(range, { granularity: Granularity[granularity], timeZone })
    expect(found.map((ms) => new Date(ms).toISOString())).toEqual(
      starts.map((start) => new Date(start).toISOString()),
    )
  })

  test('a year has 365 days of 24 hours on the whole', () => {
    const range = { fromMs: Date.parse('2025-01-01T05:00Z'), toMs: Date.parse('2026-01-01T05:00Z') }
    const starts = listBucketStarts(range, { granularity: Granularity.DAY, timeZone: 'America/New_York' })
    expect(starts).toHaveLength(365)
    const hours = starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 3_600_000)
    expect(Object.groupBy(hours, String)).toMatchObject({ 23: [23], 25: [25] })
    expect(hours.filter((each) => each === 24)).toHaveLength(362)
  })

  test('an instant is in the last bucket that has started', () => {
    expect([9, 10, 19, 20].map((ms) => bucketIndex([10, 20], ms))).toEqual([-1, 0, 0, 1])
  })
})
