import { describe, expect, it } from 'vitest'
import {
  countDays,
  type DatePeriod,
  daysOfPeriod,
  parseDatePeriod,
  shiftMonths,
  stepDays,
  writeDatePeriod,
} from './date-periods.ts'

const TODAY = '2026-11-22'

describe('daysOfPeriod', () => {
  it.each<[DatePeriod, string, string]>([
    ['today', TODAY, TODAY],
    ['yesterday', '2026-11-21', '2026-11-21'],
    [{ last: 30, unit: 'days' }, '2026-10-24', TODAY],
    [{ last: 6, unit: 'weeks' }, '2026-10-12', TODAY],
    [{ last: 12, unit: 'months' }, '2025-11-23', TODAY],
    [{ last: 1, unit: 'years' }, '2025-11-23', TODAY],
    ['this-week', '2026-11-16', TODAY],
    ['last-week', '2026-11-09', '2026-11-15'],
    ['this-month', '2026-11-01', TODAY],
    ['last-month', '2026-10-01', '2026-10-31'],
    ['this-quarter', '2026-10-01', TODAY],
    ['last-quarter', '2026-07-01', '2026-09-30'],
    ['this-year', '2026-01-01', TODAY],
    ['last-year', '2025-01-01', '2025-12-31'],
    ['all-time', '2025-03-04', TODAY],
    [{ from: '2026-02-01', to: '2026-02-03' }, '2026-02-01', '2026-02-03'],
  ])('%j begins on %s and ends on %s', (period, from, to) => {
    expect(daysOfPeriod(period, { today: TODAY, firstDate: '2025-03-04' })).toEqual({ from, to })
  })

  it('ends a month early where the month before is shorter', () => {
    expect(daysOfPeriod({ last: 1, unit: 'months' }, { today: '2026-03-31' }).from).toBe('2026-03-01')
  })

  it('has a beginning of all time in a project without events', () => {
    expect(daysOfPeriod('all-time', { today: TODAY })).toEqual({ from: '2025-11-23', to: TODAY })
  })

  it('begins all time at most ten years ago, which is the longest range of a query', () => {
    expect(daysOfPeriod('all-time', { today: TODAY, firstDate: '1970-01-01' }).from).toBe('2016-11-23')
  })

  it('begins all time today when the first event is dated ahead', () => {
    expect(daysOfPeriod('all-time', { today: TODAY, firstDate: '2027-01-01' }).from).toBe(TODAY)
  })
})

describe('parseDatePeriod', () => {
  it.each<DatePeriod>(['today', 'all-time', { last: 30, unit: 'days' }, { from: '2026-10-24', to: TODAY }])(
    'reads what writeDatePeriod wrote for %j',
    (period) => {
      expect(parseDatePeriod(writeDatePeriod(period))).toEqual(period)
    },
  )

  it.each([
    '',
    'tomorrow',
    'last-0-days',
    'last-9999-weeks',
    '2026-11-22',
    '2026-11-22..2026-11-21',
    '2026-02-30..2026-03-01',
    '2026-01-01..2026-01-02..2026-01-03',
  ])('refuses %j', (text) => {
    expect(parseDatePeriod(text)).toBeUndefined()
  })
})

describe('stepDays', () => {
  it.each([
    [{ from: '2026-10-24', to: TODAY }, 'back', { from: '2026-09-24', to: '2026-10-23' }],
    [{ from: '2026-11-16', to: TODAY }, 'forward', { from: '2026-11-23', to: '2026-11-29' }],
    [{ from: '2026-10-01', to: '2026-10-31' }, 'back', { from: '2026-09-01', to: '2026-09-30' }],
    [{ from: '2026-01-01', to: '2026-03-31' }, 'forward', { from: '2026-04-01', to: '2026-06-30' }],
    [{ from: '2024-01-01', to: '2024-12-31' }, 'forward', { from: '2025-01-01', to: '2025-12-31' }],
  ] as const)('%j steps %s to %j', (days, direction, expected) => {
    expect(stepDays(days, direction)).toEqual(expected)
  })
})

it('counts both ends of some days', () => {
  expect(countDays({ from: '2026-10-24', to: TODAY })).toBe(30)
})

it.each([
  ['2024-01-31', 1, '2024-02-29'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -13, '2024-12-15'],
])('%s and %i months is %s', (date, months, expected) => {
  expect(shiftMonths(date, months)).toBe(expected)
})
