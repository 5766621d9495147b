import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from './log.ts'
import { STALL_MS, StallDetector } from './stall-detector.ts'

const log = createLogger({ role: 'test', level: 'silent' })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function setUp(): { readonly detector: StallDetector; readonly onStall: () => void } {
  return { detector: new StallDetector({ subject: 'the work', log }), onStall: vi.fn() }
}

test('work that ends in time is not stalled', async () => {
  const { detector, onStall } = setUp()
  const work = Promise.withResolvers<string>()
  const done = detector.during(() => work.promise, onStall)
  await vi.advanceTimersByTimeAsync(STALL_MS - 1)
  work.resolve('done')
  expect(await done).toBe('done')
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).not.toHaveBeenCalled()
})

test('slow work is stalled until it settles, with either outcome', async () => {
  const { detector, onStall } = setUp()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const all = [detector.during(() => first.promise, onStall), detector.during(() => second.promise, onStall)]
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).toHaveBeenCalledTimes(2)
  expect(detector.stalledCount).toBe(2)
  first.reject(new Error('broken'))
  await expect(all[0]).rejects.toThrow('broken')
  expect(detector.stalledCount).toBe(1)
  second.resolve()
  await all[1]
  expect(detector.stalledCount).toBe(0)
})

test('a suspended process does not report its pending work as stalled', async () => {
  const { detector, onStall } = setUp()
  const work = Promise.withResolvers<void>()
  const done = detector.during(() => work.promise, onStall)
  // On resumption, however late, expired timers run before the input that arrived meanwhile.
  vi.advanceTimersToNextTimer()
  work.resolve()
  await done
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).not.toHaveBeenCalled()
})
