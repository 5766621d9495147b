import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { FoldSize } from './fold-size.ts'

const failure = (code: string): ClickHouseError =>
  new ClickHouseError({ message: 'given up', code, type: 'X' })
const [timedOut, outOfMemory, refused] = [failure('159'), failure('241'), failure('516')]

test('rounds that are too much for the store are followed by smaller ones', () => {
  const size = new FoldSize()
  expect(size.sessionsMax).toBe(200_000)
  expect(size.failed(timedOut)).toBe(true)
  expect(size.sessionsMax).toBe(100_000)
  expect(size.failed(outOfMemory)).toBe(true)
  expect(size.sessionsMax).toBe(50_000)
  for (let round = 0; round < 20; round++) size.failed(timedOut)
  expect(size.sessionsMax).toBe(1000)
})

test('other failures change nothing', () => {
  const size = new FoldSize()
  expect(size.failed(refused)).toBe(false)
  expect(size.failed(new Error('read ECONNRESET'))).toBe(false)
  expect(size.sessionsMax).toBe(200_000)
})

test('quick rounds are followed by larger ones, slow ones by as large ones', () => {
  const size = new FoldSize()
  size.failed(timedOut)
  size.failed(timedOut)
  size.succeeded(100_000)
  expect(size.sessionsMax).toBe(50_000)
  size.succeeded(2000)
  expect(size.sessionsMax).toBe(100_000)
  size.succeeded(2000)
  size.succeeded(2000)
  expect(size.sessionsMax).toBe(200_000)
})
