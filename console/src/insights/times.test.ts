import { describe, expect, test } from 'vitest'
import { newestBucket } from '../charts/newest-bucket.ts'
import { labelTicks } from '../charts/time-ticks.ts'
import { addLocalDates, cellWriter, plain, type Table, toCsv } from '../format/table.ts'
import { formatSeconds, formatShortSeconds } from '../format/values.ts'

const timeZone = 'America/New_York'
const HOUR_SECONDS = 3600
const seconds = (iso: string): number => Date.parse(iso) / 1000

describe('durations are rounded before they are split', () => {
  test.each([
    [4 * 86_400 + 86_399, '5d 0h', '5d'],
    [86_399, '1d 0h', '1d'],
    [3599.7, '1h 0m', '1h'],
    [59.97, '1m 0s', '1m'],
    [7500, '2h 5m', '2.1h'],
    [63, '1m 3s', '1.1m'],
    [12.34, '12.3s', '12.3s'],
  ])('%d s', (duration, full, short) => {
    expect([formatSeconds(duration), formatShortSeconds(duration)]).toEqual([full, short])
  })
})

describe('the cells of a table', () => {
  const moment = { name: 'Time', kind: 'instant' } as const
  const days = ['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']
  const hours = ['2026-11-01T04:00:00.000Z', '2026-11-01T13:30:00.000Z']
  const readAll = (cells: readonly string[]): string[] =>
    cells.map(cellWriter(moment, cells, { unit: 'number', timeZone }))

  test('are days in the zone, or moments where one is within a day', () => {
    expect(readAll(days)).toEqual(['Nov 1, 2026', 'Nov 2, 2026'])
    expect(readAll(hours).map((text) => text.replace(/\s/g, ' '))).toEqual([
      'Nov 1, 2026, 12:00 AM',
      'Nov 1, 2026, 8:30 AM',
    ])
  })

  test('have the unit of the answer', () => {
    const write = cellWriter({ name: 'Value', kind: 'value' }, [27.73], { unit: 'percent', timeZone })
    expect(write(27.73)).toBe('27.7%')
    expect(cellWriter({ name: 'Share', kind: 'share' }, [0.5], { unit: 'number', timeZone })(0.5)).toBe('50%')
    expect(cellWriter(plain('Users'), [1234], { unit: 'percent', timeZone })(1234)).toBe('1,234')
  })

  test('are exported as they are, with local dates beside', () => {
    const csvOf = (times: readonly string[]): string => {
      const table: Table = { columns: [moment, plain('Value')], rows: times.map((time) => [time, 1.5]) }
      return toCsv(addLocalDates(table, timeZone))
    }
    expect(csvOf(days)).toBe(
      `Time,Local date (${timeZone}),Value\r\n${days[0]},2026-11-01,1.5\r\n${days[1]},2026-11-02,1.5`,
    )
    expect(csvOf(hours)).toContain(`${hours[1]},2026-11-01 08:30,1.5`)
    expect(addLocalDates({ columns: [plain('Value')], rows: [[1]] }, timeZone).columns).toHaveLength(1)
  })
})

describe('the ticks of an axis', () => {
  const label = (isos: readonly string[], stepSeconds: number): string[] =>
    labelTicks(isos.map(seconds), { stepSeconds, timeZone }).map((text) => text.replace(/\u202f/g, ' '))

  test('say the year where it changes', () => {
    const years = ['2024-07-01T04:00:00Z', '2025-01-01T05:00:00Z', '2025-07-01T04:00:00Z']
    expect(label(years, 180 * 24 * HOUR_SECONDS)).toEqual(['Jul 1\n2024', 'Jan 1\n2025', 'Jul 1'])
  })

  test('say the day where it changes', () => {
    const times = ['2026-11-03T04:00:00Z', '2026-11-03T05:00:00Z', '2026-11-03T17:00:00Z']
    expect(label(times, 12 * HOUR_SECONDS)).toEqual(['11:00 PM\nNov 2', '12:00 AM\nNov 3', '12:00 PM'])
  })

  test('say neither where there is one', () => {
    expect(label(['2026-06-01T04:00:00Z', '2026-06-02T04:00:00Z'], 24 * HOUR_SECONDS)).toEqual([
      'Jun 1',
      'Jun 2',
    ])
  })
})

describe('the newest bucket', () => {
  test.each([
    ['goes on', ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'], '2026-11-02T15:00:00Z', 0, 'Nov 1, 2026'],
    ['is over', ['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'], '2026-11-03T05:00:00Z', 1, 'Nov 2, 2026'],
    [
      'is a long day',
      ['2026-10-31T04:00:00Z', '2026-11-01T04:00:00Z'],
      '2026-11-02T04:30:00Z',
      0,
      'Oct 31, 2026',
    ],
    [
      'is a week',
      ['2026-10-19T04:00:00Z', '2026-10-26T04:00:00Z'],
      '2026-11-02T04:30:00Z',
      0,
      'Week from Oct 19, 2026',
    ],
    [
      'is a short month',
      ['2026-01-01T05:00:00Z', '2026-02-01T05:00:00Z'],
      '2026-03-01T05:00:00Z',
      1,
      'Month from Feb 1, 2026',
    ],
    [
      'is a month',
      ['2026-02-01T05:00:00Z', '2026-03-01T05:00:00Z'],
      '2026-03-31T05:00:00Z',
      0,
      'Month from Feb 1, 2026',
    ],
    [
      'is an hour',
      ['2026-06-01T04:00:00Z', '2026-06-01T05:00:00Z'],
      '2026-06-01T05:30:00Z',
      0,
      'Jun 1, 2026, 12:00 AM',
    ],
    ['is the only one', ['2026-06-01T04:00:00Z'], '2026-06-01T05:30:00Z', 0, 'Jun 1, 2026'],
  ])('that %s', (_, times, now, index, label) => {
    const found = newestBucket(times.map(Date.parse), { nowMs: Date.parse(now), timeZone })
    expect({ ...found, label: found.label.replace('\u202f', ' ') }).toEqual({ index, label })
  })
})
