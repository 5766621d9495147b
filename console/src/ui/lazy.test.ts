import { afterEach, expect, test, vi } from 'vitest'
import { lazy, onMissingPart } from './lazy.ts'

afterEach(() => {
  onMissingPart(() => undefined)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a part that cannot be loaded is tried again after longer and longer pauses, and when the browser is online again', async () => {
  vi.useFakeTimers()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const tell = vi.fn()
  onMissingPart(tell)
  const load = vi.fn(async () => {
    if (load.mock.calls.length < 5) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => 'the part' }
  })
  const loaded = lazy(load).preload()
  const counts: number[] = []
  for (const ms of [999, 1, 1999, 1]) {
    await vi.advanceTimersByTimeAsync(ms)
    counts.push(load.mock.calls.length)
  }
  expect(counts).toEqual([1, 2, 2, 3])
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(4)
  await vi.advanceTimersByTimeAsync(8000)
  expect((await loaded).default()).toBe('the part')
  expect(tell).toHaveBeenCalledTimes(4)
})
