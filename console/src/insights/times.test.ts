import { describe, expect, test } from 'vitest'
import { addLocalDates, cellWriter, plain, type Table, toCsv } from '../format/table.ts'
import { formatSeconds, formatShortSeconds } from '../format/values.ts'

const timeZone = 'America/New_York'

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
    expect(cellWriter({ name: 'Share', kind: 'share' }, [0.5], { unit: 'number', timeZone })(0.5)).toBe(
      '50.0%',
    )
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
