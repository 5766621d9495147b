import { expect, test } from 'vitest'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type BucketWidth, bucketStarts } from './buckets.ts'
import { parseTimeZone } from './time-zone.ts'

function starts(from: string, to: string, width: BucketWidth, zone = 'UTC'): string[] {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  return bucketStarts({ ...range, width, zone: parseTimeZone(zone) }).map((ms) =>
    new Date(ms).toISOString().slice(0, 16),
  )
}

test.each([
  [
    Granularity.MINUTE,
    '2026-01-01T00:00:59.999Z',
    '2026-01-01T00:02:00Z',
    ['2026-01-01T00:00', '2026-01-01T00:01'],
  ],
  [
    Granularity.HOUR,
    '2026-01-01T00:30:00Z',
    '2026-01-01T01:00:00.001Z',
    ['2026-01-01T00:00', '2026-01-01T01:00'],
  ],
  [Granularity.DAY, '2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z', ['2026-02-28T00:00']],
  [
    Granularity.WEEK,
    '2026-01-04T23:59:59Z',
    '2026-01-05T00:00:01Z',
    ['2025-12-29T00:00', '2026-01-05T00:00'],
  ],
  [Granularity.WEEK, '1970-01-01T00:00:00Z', '1970-01-05T00:00:00Z', ['1969-12-29T00:00']],
  [
    Granularity.MONTH,
    '2025-12-31T23:59:59Z',
    '2026-02-01T00:00:00.001Z',
    ['2025-12-01T00:00', '2026-01-01T00:00', '2026-02-01T00:00'],
  ],
] as const)('granularity %i from %s to %s', (width, from, to, expected) => {
  expect(starts(from, to, width)).toEqual(expected)
})

test.each([
  {
    name: 'a day of 23 hours',
    zone: 'Europe/Berlin',
    width: Granularity.DAY,
    range: ['2026-03-28T23:00:00Z', '2026-03-30T00:00:00Z'],
    expected: ['2026-03-28T23:00', '2026-03-29T22:00'],
  },
  {
    name: 'a repeated hour makes two buckets',
    zone: 'Europe/Berlin',
    width: Granularity.HOUR,
    range: ['2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z'],
    expected: ['2026-10-25T00:00', '2026-10-25T01:00'],
  },
  {
    name: 'a repeated half hour is a bucket of its own',
    zone: 'Australia/Lord_Howe',
    width: Granularity.HOUR,
    range: ['2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z'],
    expected: ['2026-04-04T14:00', '2026-04-04T15:00', '2026-04-04T15:30'],
  },
  {
    name: 'hours of a zone with a 45-minute offset',
    zone: 'Asia/Kathmandu',
    width: Granularity.HOUR,
    range: ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'],
    expected: ['2025-12-31T23:15', '2026-01-01T00:15'],
  },
  {
    name: 'a date that a zone skipped has no bucket',
    zone: 'Pacific/Apia',
    width: Granularity.DAY,
    range: ['2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z'],
    expected: ['2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
  },
  {
    name: 'a day without midnight starts an hour later',
    zone: 'America/Sao_Paulo',
    width: Granularity.DAY,
    range: ['2018-11-03T12:00:00Z', '2018-11-04T12:00:00Z'],
    expected: ['2018-11-03T03:00', '2018-11-04T03:00'],
  },
] as const)('$name', ({ zone, width, range, expected }) => {
  expect(starts(range[0], range[1], width, zone)).toEqual(expected)
})
