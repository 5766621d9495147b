import { beforeEach, expect, test } from 'vitest'
import { AttemptLimiter } from './attempt-limiter.ts'

let nowMs: number
let limiter: AttemptLimiter

beforeEach(() => {
  nowMs = 1000
  limiter = new AttemptLimiter({ freeCount: 3, firstMs: 1000, maxMs: 5000 }, () => nowMs)
})

function takeTimes(count: number): void {
  for (let index = 0; index < count; index++) limiter.take('alice')
}

/** Seconds that the next attempt has to wait, as it is told. */
function refusal(): number | undefined {
  try {
    limiter.take('alice')
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ code: 'resource_exhausted', reason: 'RATE_LIMITED' })
    return (error as { readonly retryAfterSeconds: number }).retryAfterSeconds
  }
}

test('after the free attempts each one makes the next wait twice as long, up to a bound', () => {
  takeTimes(4)
  const waits = [1000, 2000, 4000, 5000, 5000].map((waitMs) => {
    const seconds = refusal()
    nowMs += waitMs
    limiter.take('alice')
    return seconds
  })
  expect(waits).toEqual([1, 2, 4, 5, 5])
})

test('an attempt that is refused does not count', () => {
  takeTimes(4)
  expect([refusal(), refusal(), refusal()]).toEqual([1, 1, 1])
  nowMs += 1000
  expect(refusal()).toBeUndefined()
})

test('names do not slow each other down', () => {
  takeTimes(4)
  expect(() => limiter.take('bob')).not.toThrow()
})

test('who succeeds starts anew', () => {
  takeTimes(4)
  limiter.clear('alice')
  takeTimes(4)
  expect(refusal()).toBe(1)
})

test('an attempt that is given back was none', () => {
  takeTimes(3)
  limiter.giveBack('alice')
  takeTimes(2)
  expect(refusal()).toBe(1)
})

test('who does nothing for an hour starts anew', () => {
  takeTimes(4)
  nowMs += 3_600_001
  takeTimes(4)
  expect(refusal()).toBe(1)
})
