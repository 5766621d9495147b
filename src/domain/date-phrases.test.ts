import { describe, expect, it } from 'vitest'
import { parseDayPhrase, parsePeriodPhrase } from './date-phrases.ts'

const CONTEXT = { today: '2026-11-22', language: 'de' }

describe('parsePeriodPhrase', () => {
  it.each([
    ['last 6 weeks', { last: 6, unit: 'weeks' }],
    ['  Last 1 month ', { last: 1, unit: 'months' }],
    ['past 90 days', { last: 90, unit: 'days' }],
    ['30d', { last: 30, unit: 'days' }],
    ['2 years', { last: 2, unit: 'years' }],
    ['This month', 'this-month'],
    ['year to date', 'this-year'],
    ['YTD', 'this-year'],
    ['all time', 'all-time'],
  ])('reads %j', (text, period) => {
    expect(parsePeriodPhrase(text)).toEqual(period)
  })

  it.each([
    '',
    'last weeks',
    'last 0 days',
    '6 hours',
    'next 6 weeks',
    '2026',
    'constructor',
    '1 constructor',
  ])('refuses %j', (text) => {
    expect(parsePeriodPhrase(text)).toBeUndefined()
  })
})

describe('parseDayPhrase', () => {
  it.each([
    ['2026-10-24', '2026-10-24'],
    ['today', '2026-11-22'],
    ['Yesterday', '2026-11-21'],
    ['3 days ago', '2026-11-19'],
    ['2 months ago', '2026-09-22'],
    ['24.10.2026', '2026-10-24'],
    ['Oct 24, 2026', '2026-10-24'],
    ['24 October 2026', '2026-10-24'],
    ['24. Oktober 2026', '2026-10-24'],
    ['24 Dez', '2025-12-24'],
    ['Nov 22', '2026-11-22'],
    ['Nov 23', '2025-11-23'],
  ])('reads %j', (text, date) => {
    expect(parseDayPhrase(text, CONTEXT)).toBe(date)
  })

  it.each(['', 'Feb 30, 2026', '10/11/2026', 'a long Oct 24 2026', 'Oct', '31.2.2026', '99 lightyears ago'])(
    'refuses %j',
    (text) => {
      expect(parseDayPhrase(text, CONTEXT)).toBeUndefined()
    },
  )
})
