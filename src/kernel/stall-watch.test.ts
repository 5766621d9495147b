import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogger } from './log.ts'
import { STALL_MS, StallWatch } from './stall-watch.ts'

const log = createLogger({ role: 'test', level: 'silent' })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

function watched(): { readonly watch: StallWatch; readonly onStall: () => void } {
  const onStall = vi.fn()
  return { watch: new StallWatch({ subject: 'the work', log, onStall }), onStall }
}

test('what ends in time is not stalled', async () => {
  const { watch, onStall } = watched()
  const work = Promise.withResolvers<string>()
  const done = watch.during(() => work.promise)
  await vi.advanceTimersByTimeAsync(STALL_MS - 1)
  work.resolve('done')
  expect(await done).toBe('done')
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).not.toHaveBeenCalled()
})

test('what takes too long is stalled until it ends, however it ends', async () => {
  const { watch, onStall } = watched()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const all = [watch.during(() => first.promise), watch.during(() => second.promise)]
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).toHaveBeenCalledTimes(2)
  expect(watch.isStalled).toBe(true)
  first.reject(new Error('broken'))
  await expect(all[0]).rejects.toThrow('broken')
  expect(watch.isStalled).toBe(true)
  second.resolve()
  await all[1]
  expect(watch.isStalled).toBe(false)
})

test('a process that was stopped does not blame what it waits for', async () => {
  const { watch, onStall } = watched()
  const work = Promise.withResolvers<void>()
  const done = watch.during(() => work.promise)
  // Timers that are over run before the input that came meanwhile.
  vi.advanceTimersByTime(STALL_MS / 2)
  work.resolve()
  await done
  await vi.advanceTimersByTimeAsync(STALL_MS)
  expect(onStall).not.toHaveBeenCalled()
})
