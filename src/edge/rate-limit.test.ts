import { expect, test } from 'vitest'
import { RateLimiter } from './rate-limit.ts'

test('a key may send a burst of two seconds, owes what it took too much, and pays by the second', () => {
  let nowMs = 0
  const limiter = new RateLimiter({ eventsPerSecond: 10, nowMs: () => nowMs })
  expect(limiter.check('a')).toMatchObject({ isAllowed: true, retryAfterSeconds: 0 })
  limiter.charge('a', 49)
  expect(limiter.check('a')).toMatchObject({ isAllowed: false, retryAfterSeconds: 3 })
  nowMs += 2900
  expect(limiter.check('a').isAllowed).toBe(false)
  nowMs += 100
  expect(limiter.check('a').isAllowed).toBe(true)
  nowMs += 3_600_000
  expect(limiter.check('a').headers).toContainEqual(['ratelimit-remaining', '20'])
})

test('keys do not share a bucket', () => {
  const limiter = new RateLimiter({ eventsPerSecond: 1, nowMs: () => 0 })
  limiter.charge('a', 2)
  expect(limiter.check('a').isAllowed).toBe(false)
  expect(limiter.check('b').isAllowed).toBe(true)
})
