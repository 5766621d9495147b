import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../sdk/browser/src/retry-after.ts'
import { retryDelayMs } from '../../sdk/node/src/retry-delay.ts'

test.each([
  [1, 0, 250, 500],
  [2, 0, 500, 1_000],
  [5, 0, 4_000, 8_000],
  [7, 0, 15_000, 30_000],
  [500, 0, 15_000, 30_000],
  [1, 7_000, 7_000, 7_000],
])('after %i failures and Retry-After of %i ms the delay is %i to %i ms', (failures, asked, min, max) => {
  expect(retryDelayMs(failures, asked, 0)).toBe(min)
  expect(retryDelayMs(failures, asked, 1)).toBe(max)
})

test('two clients that failed together wait for different times', () => {
  const delays = Array.from({ length: 20 }, () => retryDelayMs(5, 0))
  expect(new Set(delays).size).toBe(20)
})

test.each([
  ['', 0],
  ['120', 120_000],
  ['-1', 0],
  ['soon', 0],
  ['99999999', 3_600_000],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
])('Retry-After "%s" asks for %i ms', (text, expected) => {
  expect(parseRetryAfter(text)).toBe(expected)
})

test('no Retry-After asks for more than an hour or less than nothing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const waitMs = parseRetryAfter(text)
      return waitMs >= 0 && waitMs <= 3_600_000
    }),
  )
})
