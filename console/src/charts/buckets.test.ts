import { findIncomplete, widthOfBuckets } from '@domain/charts/buckets.ts'
import { describe, expect, test } from 'vitest'
import { bucketAt, bucketOf, describeBucket, nameIncomplete } from './buckets.ts'

const timeZone = 'America/New_York'

describe('the bucket that is not over', () => {
  test.each<[name: string, times: readonly string[], now: string, index: number | undefined, label: string]>([
    [
      'is the last day',
      ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
      '2026-11-02T15:00:00Z',
      1,
      'Mon, Nov 2',
    ],
    [
      'is none after its end',
      ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
      '2026-11-03T05:00:00Z',
      undefined,
      'Mon, Nov 2',
    ],
    [
      'is a day of 25 hours',
      ['2026-10-31T04:00:00Z', '2026-11-01T04:00:00Z'],
      '2026-11-02T04:30:00Z',
      1,
      'Sun, Nov 1',
    ],
    [
      'is a week',
      ['2026-10-19T04:00:00Z', '2026-10-26T04:00:00Z'],
      '2026-11-02T04:30:00Z',
      1,
      'Oct 26 – Nov 1, 2026',
    ],
    [
      'is none after a short month',
      ['2026-01-01T05:00:00Z', '2026-02-01T05:00:00Z'],
      '2026-03-01T05:00:00Z',
      undefined,
      'February 2026',
    ],
    ['is a month', ['2026-02-01T05:00:00Z', '2026-03-01T05:00:00Z'], '2026-03-31T05:00:00Z', 1, 'March 2026'],
    [
      'is an hour',
      ['2026-06-01T04:00:00Z', '2026-06-01T05:00:00Z'],
      '2026-06-01T05:30:00Z',
      1,
      'Mon, Jun 1, 1:00 AM',
    ],
    ['is the only one', ['2026-06-01T04:00:00Z'], '2026-06-01T05:30:00Z', 0, 'Mon, Jun 1'],
  ])('%s', (_, isos, now, index, label) => {
    const times = isos.map(Date.parse)
    const scale = { width: widthOfBuckets(times), timeZone }
    expect(findIncomplete(times, { ...scale, nowMs: Date.parse(now) })).toBe(index)
    expect(describeBucket(times.at(-1) ?? 0, scale).replaceAll(/[\u2009\u202f]/g, ' ')).toBe(label)
  })

  test('has a name', () => {
    expect([nameIncomplete('day'), nameIncomplete('week')]).toEqual(['Today so far', 'This week so far'])
  })
})

test('a time falls into one bucket, or none outside of them', () => {
  expect([-1, 0, 9, 10, 29, 30].map((time) => bucketOf([0, 10, 20], time))).toEqual([
    undefined,
    0,
    0,
    1,
    2,
    undefined,
  ])
  expect(bucketOf([0, 10], undefined)).toBeUndefined()
})

test('a position on a chart selects the nearest bucket', () => {
  const frame = { xOf: (index: number) => 50 + index * 10 }
  expect([0, 54, 56, 999].map((x) => bucketAt(frame, x, 4))).toEqual([0, 0, 1, 3])
  expect(bucketAt(frame, 999, 1)).toBe(0)
})
