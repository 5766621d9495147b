import { afterEach, expect, test, vi } from 'vitest'
import { trimMemoryWhenQuiet } from './trim-memory.ts'

/** Time passes without work, as this thread only waits. */
const HALF_MINUTE_MS = 30_000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a process that is quiet returns its memory once, and again after work', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
  const release = vi.fn(async () => undefined)
  const stop = await trimMemoryWhenQuiet({ release })
  const counts: number[] = []
  for (const seconds of [0, 0, 9, 9]) {
    cpu.mockReturnValue({ user: seconds * 1e6, system: 0 })
    vi.advanceTimersByTime(HALF_MINUTE_MS)
    counts.push(release.mock.calls.length)
  }
  stop()
  vi.advanceTimersByTime(HALF_MINUTE_MS)
  expect(counts).toEqual([1, 1, 1, 2])
})

test('a thread that ends meanwhile does no harm', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const trimmed = Promise.withResolvers<void>()
  const stop = await trimMemoryWhenQuiet({
    release: async () => await Promise.reject(new Error('the thread has ended')),
    onTrimmed: () => trimmed.resolve(),
  })
  vi.advanceTimersByTime(HALF_MINUTE_MS)
  stop()
  await trimmed.promise
})
