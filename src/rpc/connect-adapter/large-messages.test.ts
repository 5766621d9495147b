import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { monotonicMs } from '../../kernel/clock.ts'
import { LargeMessages } from './large-messages.ts'

const LARGE = 100_000

function work(ms: number): void {
  const endMs = monotonicMs() + ms
  while (monotonicMs() < endMs);
}

test('other work runs between large messages', async () => {
  const messages = new LargeMessages()
  const seen: string[] = []
  const parse = async (): Promise<void> => {
    await messages.waitForTurn('key', LARGE)
    work(5)
    seen.push('large')
  }
  const all = Promise.all([parse(), parse(), parse(), parse()])
  for (let turn = 0; turn < 500 && seen.filter((name) => name === 'large').length < 4; turn++) {
    await nextTurn()
    seen.push('other')
  }
  await all
  const neighbours = seen.filter((name, index) => name === 'large' && seen[index - 1] === 'large')
  expect(neighbours).toEqual([])
})

test('callers take turns, however many messages one of them sends', async () => {
  const messages = new LargeMessages()
  const seen: string[] = []
  const parse = async (caller: string): Promise<void> => {
    await messages.waitForTurn(caller, LARGE)
    seen.push(caller)
  }
  await Promise.all([...Array(6).fill('many'), 'one', 'two'].map(parse))
  expect(seen.slice(0, 4)).toEqual(['many', 'many', 'one', 'two'])
  expect(seen).toHaveLength(8)
})

test('a small message never waits', async () => {
  const messages = new LargeMessages()
  const waiting = Array.from({ length: 10 }, async () => await messages.waitForTurn('key', LARGE))
  let isThrough = false
  void messages.waitForTurn('key', 1000).then(() => {
    isThrough = true
  })
  await Promise.resolve()
  expect(isThrough).toBe(true)
  await Promise.all(waiting)
})

test('a message that comes after the others are done does not wait', async () => {
  const messages = new LargeMessages()
  for (let turn = 0; turn < 3; turn++) await messages.waitForTurn('key', LARGE)
  expect(await Promise.race([messages.waitForTurn('key', LARGE).then(() => 'turn'), longWait()])).toBe('turn')
})

async function longWait(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 2000).unref())
  return 'waits'
}
