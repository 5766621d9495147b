import { expect, test } from 'vitest'
import { LIMITS } from '../kernel/limits.ts'
import { OutputBuffers, SpareTasks } from './task-memory.ts'

test('the longest idle buffer is reused first', () => {
  const outputs = new OutputBuffers()
  const [short, long] = [new SharedArrayBuffer(10), new SharedArrayBuffer(20)]
  outputs.give(long)
  outputs.give(short)
  expect([outputs.take() === long, outputs.take() === short]).toEqual([true, true])
  expect(outputs.take().byteLength).toBe(LIMITS.taskBytesMax)
})

test('only the eight longest buffers are kept', () => {
  const outputs = new OutputBuffers()
  for (let length = 1; length <= 100; length++) outputs.give(new SharedArrayBuffer(length))
  const lengths = Array.from({ length: 9 }, () => outputs.take().byteLength)
  expect(lengths).toEqual([100, 99, 98, 97, 96, 95, 94, 93, LIMITS.taskBytesMax])
})

test('released memory is not used again', () => {
  const [outputs, spares] = [new OutputBuffers(), new SpareTasks()]
  const [output, task] = [outputs.take(), spares.take(48 * LIMITS.taskBytesMax - 64 * 1024)]
  outputs.give(output)
  spares.give(task)
  outputs.clear()
  spares.clear()
  expect([outputs.take() === output, spares.take(0) === task]).toEqual([false, false])
  // The bytes of dropped tasks do not count.
  spares.give(task)
  expect(spares.take(0)).toBe(task)
})

test('idle tasks are kept up to 48 MiB and come back empty', () => {
  const spares = new SpareTasks()
  const tasks = Array.from({ length: 8 }, () => spares.take(8 * LIMITS.taskBytesMax))
  for (const task of tasks) spares.give(task)
  const again = Array.from({ length: 8 }, () => spares.take(0))
  expect(again.filter((task) => tasks.includes(task))).toHaveLength(5)
  expect(again.every((task) => task.length === 0)).toBe(true)
})
