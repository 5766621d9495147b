import { expect, test } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

const STEP = 8 * 1024 * 1024

test('a returned buffer is reused when it is long enough', () => {
  const memory = new BufferPool()
  const first = memory.take(3 * STEP)
  memory.give(first)
  const longer = memory.take(4 * STEP)
  const fitting = memory.take(2 * STEP)
  expect([longer.buffer === first.buffer, fitting.buffer === first.buffer]).toEqual([false, true])
})

test('concurrent callers never get the same buffer', () => {
  const memory = new BufferPool()
  memory.give(memory.take(10))
  const taken = [memory.take(10), memory.take(10), memory.take(10)]
  expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(3)
})

test('the pool keeps the three longest buffers', () => {
  const memory = new BufferPool()
  const taken = [2, 3, 4, 5, 6].map((size) => memory.take(size * STEP))
  for (const buffer of taken) memory.give(buffer)
  const again = [memory.take(1), memory.take(1), memory.take(1), memory.take(1)]
  expect(again.map(({ length }) => length / STEP)).toEqual([4, 5, 6, 1])
})

test('a buffer has at least the requested length', () => {
  expect(new BufferPool().take(STEP + 1).length).toBe(2 * STEP)
})
