import { describe, expect, test } from 'vitest'
import { formatTick, formatValue, type Unit } from './unit.ts'
import { formatCountry, formatRange, formatShare, isoOf } from './values.ts'

describe('values', () => {
  test.each<[unit: Unit, value: number, full: string, short: string]>([
    ['number', 86_412.345, '86,412.35', '86.4K'],
    ['compact', 1_240_000, '1.2M', '1.2M'],
    ['percent', 27.73, '27.7%', '27.7%'],
    ['seconds', 7500, '2h 5m', '2.1h'],
    ['milliseconds', 12_340, '12.3s', '12.3s'],
  ])('in %s', (unit, value, full, short) => {
    expect([formatValue(value, unit), formatTick(value, unit)]).toEqual([full, short])
  })

  test('have shares with one decimal, and a dash where there is none', () => {
    expect([0.5, 0, 0.0004, Number.NaN, 1 / 0].map(formatShare)).toEqual(['50.0%', '0.0%', '<0.1%', '—', '—'])
  })

  test('on an axis have no unit at zero', () => {
    expect([formatTick(0, 'seconds'), formatTick(0, 'percent'), formatTick(25, 'percent')]).toEqual([
      '0',
      '0%',
      '25%',
    ])
  })
})

describe('ranges', () => {
  const timeZone = 'America/New_York'
  const range = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })
  const read = (text: string): string => text.replaceAll(/[\u2009\u202f]/g, ' ')

  test('end with their last day, not with the start of the next one', () => {
    const january = range('2026-01-01T05:00:00Z', '2026-02-01T05:00:00Z')
    expect(read(formatRange(january, timeZone))).toBe('Jan 1 – 31, 2026')
  })

  test('of two days or less have times', () => {
    const day = range('2026-01-01T05:00:00Z', '2026-01-01T17:30:00Z')
    expect(read(formatRange(day, timeZone))).toBe('Jan 1, 2026, 12:00 AM – 12:30 PM')
  })
})

test('a country has a name, other texts stay', () => {
  expect(['DE', 'ZZ', 'Other', ''].map(formatCountry)).toEqual(['Germany', 'Unknown Region', 'Other', ''])
})

test('an absent timestamp is an empty text', () => {
  expect(isoOf(undefined)).toBe('')
})
