import { describe, expect, test } from 'vitest'
import { dateOf, isDate, parseWallClock, rangeOfDays, readWallClock, shiftDate } from './calendar.ts'

describe('dates', () => {
  const iso = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): string[] => [
    new Date(fromMs).toISOString(),
    new Date(toMs).toISOString(),
  ]

  test.each([
    ['UTC', '2026-01-01', '2026-01-31', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-07-01', '2026-07-01', '2026-06-30T18:30:00.000Z', '2026-07-01T18:30:00.000Z'],
    // Beirut skipped the hour after midnight.
    ['Asia/Beirut', '2024-03-31', '2024-03-31', '2024-03-30T22:00:00.000Z', '2024-03-31T21:00:00.000Z'],
    // Havana repeated the hour after midnight.
    ['America/Havana', '2024-11-03', '2024-11-03', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
  ])('of %s from %s to %s start and end at local midnight', (zone, from, to, begin, end) => {
    expect(iso(rangeOfDays({ from, to }, zone))).toEqual([begin, end])
  })

  test('are those of the calendar', () => {
    expect(['2024-02-29', '2026-02-29', '2026-13-01', '2026-1-1', ''].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
    expect(shiftDate('2026-03-01', -1)).toBe('2026-02-28')
    expect(dateOf(Date.parse('2026-01-01T02:00:00Z'), 'America/New_York')).toBe('2025-12-31')
  })
})

describe('the wall clock', () => {
  test.each([
    ['UTC', '2026-06-01T00:00:00Z', '2026-06-01T00:00'],
    ['Asia/Kolkata', '2026-06-01T00:00:00Z', '2026-06-01T05:30'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31T23:59'],
  ])('in %s at %s shows %s', (zone, instant, text) => {
    expect(readWallClock(Date.parse(instant), zone)).toBe(text)
    expect(parseWallClock(text, zone)).toBe(Math.floor(Date.parse(instant) / 60_000) * 60_000)
  })

  test('rejects a text that is not a date with a time', () => {
    expect(parseWallClock('tomorrow', 'UTC')).toBeUndefined()
  })

  test('maps a skipped hour to an instant near the change', () => {
    const change = Date.parse('2026-03-29T01:00:00Z')
    const parsed = parseWallClock('2026-03-29T02:30', 'Europe/Berlin') ?? 0
    expect(Math.abs(parsed - change)).toBeLessThanOrEqual(3_600_000)
  })
})
