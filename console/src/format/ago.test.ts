import { expect, test } from 'vitest'
import { formatAge, formatAgo } from './ago.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 12)
const now = { nowMs: NOW_MS, timeZone: 'UTC' }
const SECOND_MS = 1000
const HOUR_MS = 3_600_000

test.each([
  ['now', 59 * SECOND_MS],
  ['1m ago', 60 * SECOND_MS],
  ['23h ago', 24 * HOUR_MS - 1],
  ['Nov 21, 12:00 PM', 24 * HOUR_MS],
])('a past time is "%s"', (text, agoMs) => {
  expect(formatAgo(NOW_MS - agoMs, now)).toBe(text)
})

test('a clock that is a little behind shows no time in the future', () => {
  expect(formatAgo(NOW_MS + 59 * SECOND_MS, now)).toBe('now')
  expect(formatAgo(NOW_MS + 60 * SECOND_MS, now)).toBe('Nov 22, 12:01 PM')
})

test('the age of an answer counts seconds from one up', () => {
  expect(formatAge(NOW_MS - 20 * SECOND_MS, now)).toBe('20s ago')
  expect(formatAge(NOW_MS + 20 * SECOND_MS, now)).toBe('1s ago')
})
