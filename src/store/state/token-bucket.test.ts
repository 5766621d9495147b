import { expect, test } from 'vitest'
import { type BucketState, takeFromBucket } from './token-bucket.ts'

const RATE = { ratePerSecond: 10, burst: 20 }
const HOUR_MS = 3_600_000

const look = (bucket: BucketState, nowMs: number) =>
  takeFromBucket(bucket, { used: 0, wanted: 0 }, { ...RATE, nowMs }).bucket

test('a clock that is set back pauses the refill only for that moment', () => {
  const before = { tokens: 5, atMs: 2 * HOUR_MS }
  const after = look(before, HOUR_MS)
  expect(after).toEqual({ tokens: 5, atMs: HOUR_MS })
  expect(look(after, HOUR_MS + 500).tokens).toBe(10)
})

test('a clock that is set forward fills a bucket at most', () => {
  expect(look({ tokens: 5, atMs: 0 }, HOUR_MS)).toEqual({ tokens: 20, atMs: HOUR_MS })
})

test('a debt is repaid at the refill rate', () => {
  expect(look({ tokens: -100, atMs: 0 }, 10_000).tokens).toBe(0)
})
