import { describe, expect, test } from 'vitest'
import { readWallClock } from '../calendar.ts'
import type { BucketWidth } from './buckets.ts'
import { createChartFormats } from './formats.ts'
import { readWallClocks, timeLabeller } from './time-axis.ts'

const DAY_MS = 86_400_000
const timeZone = 'America/New_York'
const formats = createChartFormats('en')

const days = (from: string, count: number): number[] =>
  Array.from({ length: count }, (_, at) => Date.parse(`${from}T05:00:00Z`) + at * DAY_MS)

const hours = (from: string, count: number, stepHours = 1): number[] =>
  Array.from({ length: count }, (_, at) => Date.parse(from) + at * stepHours * 3_600_000)

function label(times: readonly number[], width: BucketWidth, bucketPixels: number): readonly string[] {
  return timeLabeller(times, { width, timeZone, formats })(bucketPixels).map(
    ({ index, text }) => `${index} ${text.replace(/\u202f/g, ' ')}`,
  )
}

describe('the labels of days', () => {
  const month = days('2026-01-06', 30)

  test('are at each day if they fit', () => {
    expect(label(month.slice(0, 3), 'day', 100)).toEqual(['0 Jan 6', '1 Jan 7', '2 Jan 8'])
  })

  test('are at the starts of weeks otherwise', () => {
    expect(label(month, 'day', 30)).toEqual(['6 Jan 12', '13 Jan 19', '20 Jan 26', '27 Feb 2'])
  })

  test('are at the starts of months in a year, the first of which is the year', () => {
    expect(label(days('2025-11-02', 100), 'day', 3)).toEqual(['29 Dec', '60 2026', '91 Feb'])
  })

  test('are at every nth day if the range has fewer than two starts', () => {
    expect(label(month.slice(0, 6), 'day', 50)).toEqual(['0 Jan 6', '2 Jan 8', '4 Jan 10'])
  })

  test('are never closer than 72 pixels', () => {
    const times = days('2020-01-01', 2200)
    for (const pixels of [0.1, 0.3, 1, 5, 12, 40, 71]) {
      const indices = timeLabeller(times, { width: 'day', timeZone, formats })(pixels).map(
        ({ index }) => index,
      )
      const gaps = indices.slice(1).map((index, at) => index - (indices[at] ?? 0))
      expect(indices.length).toBeGreaterThan(1)
      expect(Math.min(...gaps) * pixels).toBeGreaterThanOrEqual(72)
    }
  })
})

describe('the labels of hours', () => {
  test('name the day at midnight', () => {
    expect(label(hours('2026-06-01T04:00:00Z', 30), 'hour', 13)).toEqual([
      '0 Jun 1',
      '6 6:00 AM',
      '12 12:00 PM',
      '18 6:00 PM',
      '24 Jun 2',
    ])
  })

  test('keep to the clock when it is set back', () => {
    expect(label(hours('2026-11-01T04:00:00Z', 25), 'hour', 13)).toEqual([
      '0 Nov 1',
      '7 6:00 AM',
      '13 12:00 PM',
      '19 6:00 PM',
    ])
  })
})

test('the labels of weeks are their first days, those of months are months', () => {
  const weeks = days('2026-01-05', 21).filter((_, at) => at % 7 === 0)
  expect(label(weeks, 'week', 80)).toEqual(['0 Jan 5', '1 Jan 12', '2 Jan 19'])
  const months = ['2025-12-01T05:00:00Z', '2026-01-01T05:00:00Z', '2026-02-01T05:00:00Z'].map(Date.parse)
  expect(label(months, 'month', 80)).toEqual(['0 Dec', '1 2026', '2 Feb'])
})

test('a single bucket is labelled', () => {
  expect(label(days('2026-01-06', 1), 'day', 600)).toEqual(['0 Jan 6'])
})

test.each([
  ['America/New_York', '2026-10-20T00:00:00Z', 24 * 20, 3_600_000],
  ['Africa/Casablanca', '2026-01-01T00:00:00Z', 400, DAY_MS],
  ['Australia/Lord_Howe', '2026-04-01T00:00:00Z', 700, 1_800_000],
  ['Asia/Kolkata', '2026-01-01T00:00:00Z', 3, DAY_MS],
] as const)('the clocks of %s are read like one after the other', (zone, from, count, stepMs) => {
  const times = Array.from({ length: count }, (_, at) => Date.parse(from) + at * stepMs)
  expect(readWallClocks(times, zone)).toEqual(times.map((ms) => readWallClock(ms, zone)))
})
