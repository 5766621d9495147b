import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { monotonicMs } from './clock.ts'
import { LargeWork } from './large-work.ts'

const LARGE = 100_000

function work(ms: number): void {
  const endMs = monotonicMs() + ms
  while (monotonicMs() < endMs);
}

test('other work runs between large pieces of work', async () => {
  const large = new LargeWork()
  const seen: string[] = []
  const parse = async (): Promise<void> => {
    await large.waitForTurn('key', LARGE)
    work(5)
    seen.push('large')
  }
  const all = Promise.all([parse(), parse(), parse(), parse()])
  while (seen.filter((name) => name === 'large').length < 4) {
    await nextTurn()
    if (seen.at(-1) !== 'other') seen.push('other')
  }
  await all
  const neighbours = seen.filter((name, index) => name === 'large' && seen[index - 1] === 'large')
  expect(neighbours).toEqual([])
})

test('callers take turns, however much work one of them has', async () => {
  const large = new LargeWork()
  const seen: string[] = []
  const parse = async (caller: string): Promise<void> => {
    await large.waitForTurn(caller, LARGE)
    seen.push(caller)
  }
  await Promise.all([...Array(6).fill('many'), 'one', 'two'].map(parse))
  expect(seen.slice(0, 4)).toEqual(['many', 'many', 'one', 'two'])
  expect(seen).toHaveLength(8)
})

test('small work never waits', async () => {
  const large = new LargeWork()
  const waiting = Array.from({ length: 10 }, async () => await large.waitForTurn('key', LARGE))
  let isThrough = false
  void large.waitForTurn('key', 1000).then(() => {
    isThrough = true
  })
  await Promise.resolve()
  expect(isThrough).toBe(true)
  await Promise.all(waiting)
})

test('work that arrives on an idle thread does not wait', async () => {
  const large = new LargeWork()
  for (let turn = 0; turn < 3; turn++) await large.waitForTurn('key', LARGE)
  expect(await Promise.race([large.waitForTurn('key', LARGE).then(() => 'turn'), longWait()])).toBe('turn')
})

async function longWait(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 2000).unref())
  return 'waits'
}
