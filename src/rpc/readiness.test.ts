import { afterEach, expect, test, vi } from 'vitest'
import { Readiness } from './readiness.ts'

afterEach(() => {
  vi.useRealTimers()
})

const NOTHING = async (): Promise<void> => undefined

test('a process is ready when all of its checks pass', async () => {
  expect(await new Readiness({ one: NOTHING, two: NOTHING }).missing()).toEqual([])
})

test('a check that throws is missing, and so is one that takes longer than two seconds', async () => {
  vi.useFakeTimers()
  const readiness = new Readiness({
    broken: () => Promise.reject(new Error('down')),
    hanging: () => new Promise(() => undefined),
    working: NOTHING,
  })
  const missing = readiness.missing()
  await vi.advanceTimersByTimeAsync(2000)
  expect(await missing).toEqual(['broken', 'hanging'])
})

test('checks that passed are asked for again after half a second', async () => {
  vi.useFakeTimers()
  const check = vi.fn(NOTHING)
  const readiness = new Readiness({ check })
  for (let count = 0; count < 10; count++) await readiness.missing()
  expect(check).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(500)
  await readiness.missing()
  expect(check).toHaveBeenCalledTimes(2)
})
