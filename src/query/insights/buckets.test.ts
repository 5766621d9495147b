import { expect, test } from 'vitest'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type BucketWidth, bucketStarts } from './buckets.ts'

function starts(from: string, to: string, width: BucketWidth): string[] {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  return bucketStarts(range, width).map((ms) => new Date(ms).toISOString().slice(0, 16))
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
