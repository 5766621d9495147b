import { expect, test } from 'vitest'
import { ShareLimiter } from './share-limiter.ts'

const BURST = 60

/** Far above the burst, so that a limiter without a limit fails a test instead of running it forever. */
const READS_MAX = 1000

function setUp() {
  let nowMs = 0
  const limiter = new ShareLimiter(() => nowMs)
  const countReads = (shareId: string): number => {
    for (let count = 0; count < READS_MAX; count++) {
      try {
        limiter.take(shareId)
      } catch {
        return count
      }
    }
    return READS_MAX
  }
  return { limiter, countReads, wait: (ms: number) => (nowMs += ms) }
}

test('a shared dashboard allows a burst, then two reads per second', () => {
  const { countReads, wait } = setUp()
  expect(countReads('a')).toBe(BURST)
  wait(499)
  expect(countReads('a')).toBe(0)
  wait(1)
  expect(countReads('a')).toBe(1)
  wait(3_600_000)
  expect(countReads('a')).toBe(BURST)
})

test('each shared dashboard has its own limit', () => {
  const { countReads } = setUp()
  expect(countReads('a')).toBe(BURST)
  expect(countReads('b')).toBe(BURST)
})

test('a refused read has a retry time', () => {
  const { limiter, countReads } = setUp()
  countReads('a')
  expect(() => limiter.take('a')).toThrow(
    expect.objectContaining({ code: 'resource_exhausted', reason: 'RATE_LIMITED', retryAfterSeconds: 1 }),
  )
})

test('the number of tracked dashboards is limited', () => {
  const { limiter, countReads } = setUp()
  countReads('forgotten')
  for (let number = 0; number < 10_000; number++) limiter.take(String(number))
  expect(countReads('forgotten')).toBe(BURST)
})
