import './messages.ts'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { expiryOf, expiryOptions, isExpired } from './share-expiry.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const NOW = { nowMs: NOW_MS, timeZone: 'UTC' }

const valuesOf = (...asked: Parameters<typeof expiryOptions>) =>
  expiryOptions(...asked).map(({ value }) => value)

test('an expiry time is a number of days from now, or never', () => {
  expect(valuesOf(undefined, NOW)).toEqual(['never', '1', '7', '30', '90'])
  const chosen = expiryOf('7', NOW_MS)
  expect(chosen && timestampMs(chosen)).toBe(Date.parse('2026-03-08T12:00:00Z'))
  expect(expiryOf('never', NOW_MS)).toEqual(timestampFromMs(0))
})

test('the current expiry time comes first, and choosing it changes nothing', () => {
  const until = timestampFromMs(Date.parse('2026-03-20T08:15:00Z'))
  expect(valuesOf(until, NOW)).toEqual(['set', 'never', '1', '7', '30', '90'])
  expect(expiryOptions(until, NOW)[0]?.label).toMatch(/^Until Mar 20, 2026, 8:15/)
  expect(expiryOf('set', NOW_MS)).toBeUndefined()
})

test('a link has expired from its expiry time on', () => {
  const times = [NOW_MS - 1, NOW_MS, NOW_MS + 1].map(timestampFromMs)
  expect(times.map((time) => isExpired(time, NOW_MS))).toEqual([true, true, false])
  expect(isExpired(undefined, NOW_MS)).toBe(false)
  expect(expiryOptions(times[0], NOW)[0]?.label).toMatch(/^Expired Mar 1, 2026/)
})
