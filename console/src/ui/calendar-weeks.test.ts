import { expect, test } from 'vitest'
import { calendarTarget, weeksOf } from './calendar-weeks.ts'

test('a month is laid out from Monday', () => {
  const weeks = weeksOf('2026-11-22')
  expect(weeks.map((week) => week.map((date) => date?.slice(8) ?? '--').join(' '))).toEqual([
    '-- -- -- -- -- -- 01',
    '02 03 04 05 06 07 08',
    '09 10 11 12 13 14 15',
    '16 17 18 19 20 21 22',
    '23 24 25 26 27 28 29',
    '30 -- -- -- -- -- --',
  ])
})

test('a February of 28 days that begins on a Monday has four weeks', () => {
  expect(weeksOf('2027-02-01').map((week) => week[6])).toEqual([
    '2027-02-07',
    '2027-02-14',
    '2027-02-21',
    '2027-02-28',
  ])
})

test.each([
  ['ArrowLeft', '2026-10-31'],
  ['ArrowRight', '2026-11-02'],
  ['ArrowUp', '2026-10-25'],
  ['ArrowDown', '2026-11-08'],
  ['Home', '2026-10-26'],
  ['End', '2026-11-01'],
  ['PageUp', '2026-10-01'],
  ['PageDown', '2026-12-01'],
  ['a', undefined],
])('%s leads from a Sunday, the first of November, to %s', (key, target) => {
  expect(calendarTarget(key, '2026-11-01')).toBe(target)
})
