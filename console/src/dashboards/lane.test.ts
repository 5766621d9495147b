import { expect, test } from 'vitest'
import { createLane } from './lane.ts'

/** Lets everything that can go on do so. */
const turn = async (): Promise<void> => await new Promise<void>((resolve) => setTimeout(resolve))

const never = new AbortController().signal

/** Work that ends when it is told to, and a record of what started. */
function makeWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => async () => {
    started.push(name)
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await turn()
  }
  return { started, work, end }
}

test('work runs in order, up to the limit at once', async () => {
  const lane = createLane(2)
  const { started, work, end } = makeWork()
  const all = ['a', 'b', 'c', 'd'].map((name) => lane(work(name), never))
  await turn()
  expect(started).toEqual(['a', 'b'])
  await end('b')
  expect(started).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd']) await end(name)
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('failed work frees its slot for the next', async () => {
  const lane = createLane(1)
  const failed = lane(async () => Promise.reject(new Error('no')), never)
  const after = lane(async () => 'yes', never)
  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
})

test('work that is aborted while it waits never starts, and frees its slot', async () => {
  const lane = createLane(1)
  const { started, work, end } = makeWork()
  const left = new AbortController()
  const first = lane(work('a'), never)
  const second = lane(work('b'), left.signal)
  const third = lane(work('c'), never)
  await turn()
  left.abort()
  await expect(second).rejects.toThrow()
  await end('a')
  expect(started).toEqual(['a', 'c'])
  await end('c')
  expect(await Promise.all([first, third])).toEqual(['a', 'c'])
})
