import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { CalendarUnit, ComparisonSchema } from '../../contract/gen/millrace/insights/v1/comparison_pb.js'
import { parseComparedRange } from './compared-range.ts'
import { parseTimeZone } from './time-zone.ts'

type With = NonNullable<MessageInitShape<typeof ComparisonSchema>['with']>

function compare(other: With | undefined, { from, to, zone = 'UTC' }: Record<string, string>) {
  const range = { fromMs: Date.parse(from ?? ''), toMs: Date.parse(to ?? '') }
  const compared = parseComparedRange(create(ComparisonSchema, other ? { with: other } : {}), {
    range,
    zone: parseTimeZone(zone),
    reason: 'INVALID_WEB_QUERY',
  })
  return [new Date(compared.fromMs).toISOString(), new Date(compared.toMs).toISOString()]
}

function shift(unit: CalendarUnit, count: number): With {
  return { case: 'shift', value: { $typeName: 'millrace.insights.v1.CalendarShift', unit, count } }
}

const { DAY, WEEK, MONTH, YEAR } = CalendarUnit

test('the previous period has the same length in milliseconds, also where clocks change', () => {
  const range = { from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00.001Z', zone: 'Europe/Berlin' }
  expect(compare({ case: 'previousPeriod', value: true }, range)).toEqual([
    '2026-03-27T23:59:59.999Z',
    '2026-03-28T23:00:00.000Z',
  ])
})

describe('a shift keeps the local time', () => {
  test.each<[why: string, unit: CalendarUnit, count: number, zone: string, at: string, expected: string]>([
    ['over a change', DAY, 1, 'Europe/Berlin', '2026-03-29T22:00:00.123Z', '2026-03-28T23:00:00.123Z'],
    ['over weeks', WEEK, 2, 'Europe/Berlin', '2026-04-05T10:00:00Z', '2026-03-22T11:00:00.000Z'],
    ['in a gap, moved by it', DAY, 1, 'Europe/Berlin', '2026-03-30T00:30:00Z', '2026-03-29T01:30:00.000Z'],
    ['at the start of a gap', DAY, 1, 'Europe/Berlin', '2026-03-30T00:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['twice, the first time', DAY, 1, 'Europe/Berlin', '2026-10-26T01:30:00Z', '2026-10-25T00:30:00.000Z'],
    ['in a day that was skipped', DAY, 1, 'Pacific/Apia', '2011-12-30T22:00:00Z', '2011-12-30T22:00:00.000Z'],
    ['of a month', MONTH, 1, 'UTC', '2026-07-15T12:34:56.789Z', '2026-06-15T12:34:56.789Z'],
    ['of a longer month', MONTH, 1, 'UTC', '2026-03-31T08:00:00Z', '2026-02-28T08:00:00.000Z'],
    [
      'of a longer month in a leap year',
      MONTH,
      13,
      'UTC',
      '2025-03-30T08:00:00Z',
      '2024-02-29T08:00:00.000Z',
    ],
    ['across a new year', MONTH, 2, 'UTC', '2026-01-31T00:00:00Z', '2025-11-30T00:00:00.000Z'],
    ['of a leap day', YEAR, 1, 'UTC', '2024-02-29T08:00:00Z', '2023-02-28T08:00:00.000Z'],
    ['of a local date', MONTH, 1, 'Asia/Tokyo', '2026-03-30T15:30:00Z', '2026-02-27T15:30:00.000Z'],
    ['in another century', YEAR, 400, 'UTC', '2026-05-05T05:05:05.005Z', '1626-05-05T05:05:05.005Z'],
  ])('%s', (_, unit, count, zone, at, expected) => {
    const [from] = compare(shift(unit, count), { from: at, to: '2299-01-01T00:00:00Z', zone })
    expect(from).toBe(expected)
    const [, to] = compare(shift(unit, count), { from: '1901-01-01T00:00:00Z', to: at, zone })
    expect(to).toBe(expected)
  })

  test('and may leave a range empty', () => {
    const range = { from: '2026-03-29T12:00:00Z', to: '2026-03-30T00:00:00Z' }
    expect(compare(shift(MONTH, 1), range)).toEqual(['2026-02-28T12:00:00.000Z', '2026-02-28T00:00:00.000Z'])
  })
})

describe('refuses', () => {
  const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' }

  test.each<[why: string, other: With | undefined, field: string]>([
    ['nothing', undefined, 'compareTo'],
    ['a previous period that is false', { case: 'previousPeriod', value: false }, 'compareTo.previousPeriod'],
    ['no unit', shift(CalendarUnit.UNSPECIFIED, 1), 'compareTo.shift.unit'],
    ['an unknown unit', shift(Number('9'), 1), 'compareTo.shift.unit'],
    ['no count', shift(DAY, 0), 'compareTo.shift.count'],
    ['a shift into the future', shift(DAY, -1), 'compareTo.shift.count'],
    ['a count of 401', shift(YEAR, 401), 'compareTo.shift.count'],
  ])('%s', (_, other, field) => {
    expect(() => compare(other, range)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        reason: 'INVALID_WEB_QUERY',
        violations: [{ field, description: expect.any(String) }],
      }),
    )
  })
})
