import { describe, expect, test } from 'vitest'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { BucketWidth } from './buckets.ts'
import { bucketStarts } from './buckets.ts'
import { rollingWindows } from './rolling-windows.ts'
import { parseTimeZone } from './time-zone.ts'

function windows(
  [from, to]: readonly [string, string],
  { width, days, zone = 'UTC' }: { width: BucketWidth; days: number; zone?: string },
): readonly string[] {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  const timeZone = parseTimeZone(zone)
  const starts = bucketStarts({ ...range, width, zone: timeZone })
  return rollingWindows({ starts, range, zone: timeZone, days }).map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().replace(':00.000Z', '')).join(' '),
  )
}

const { DAY, WEEK, MONTH } = Granularity

describe('a window has the days that end with the last day of its bucket', () => {
  test('by day', () => {
    expect(windows(['2026-03-10', '2026-03-12'], { width: DAY, days: 7 })).toEqual([
      '2026-03-04T00:00 2026-03-11T00:00',
      '2026-03-05T00:00 2026-03-12T00:00',
    ])
  })

  test('by week and by month', () => {
    expect(windows(['2026-03-04', '2026-03-16'], { width: WEEK, days: 7 })).toEqual([
      '2026-03-02T00:00 2026-03-09T00:00',
      '2026-03-09T00:00 2026-03-16T00:00',
    ])
    expect(windows(['2026-02-01', '2026-04-01'], { width: MONTH, days: 30 })).toEqual([
      '2026-01-30T00:00 2026-03-01T00:00',
      '2026-03-02T00:00 2026-04-01T00:00',
    ])
  })
})

test('the last window ends with the range, on the local day of its last millisecond', () => {
  expect(windows(['2026-03-02', '2026-03-11T12:00Z'], { width: WEEK, days: 7 })).toEqual([
    '2026-03-02T00:00 2026-03-09T00:00',
    '2026-03-05T00:00 2026-03-11T12:00',
  ])
})

test('days have the lengths of the zone, and a date that it skipped is none', () => {
  const berlin = { width: DAY, days: 7, zone: 'Europe/Berlin' } as const
  expect(windows(['2026-03-29T22:00Z', '2026-03-30T22:00Z'], berlin)).toEqual([
    '2026-03-23T23:00 2026-03-30T22:00',
  ])
  const apia = { width: DAY, days: 7, zone: 'Pacific/Apia' } as const
  expect(windows(['2011-12-30T10:00Z', '2011-12-31T10:00Z'], apia)).toEqual([
    '2011-12-24T10:00 2011-12-31T10:00',
  ])
})
