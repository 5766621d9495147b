import { expect, test } from 'vitest'
import { runInOrder } from './run-in-order.ts'

function setUp(countMax: number, items: readonly string[]) {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const done = runInOrder(items, countMax, async (item) => {
    begun.push(item)
    const end = Promise.withResolvers<void>()
    ends.set(item, end)
    await end.promise
  })
  return {
    begun,
    done,
    end: (item: string) => ends.get(item)?.resolve(),
    fail: (item: string) => ends.get(item)?.reject(new Error(item)),
  }
}

test('items run up to the concurrency limit, and the next one starts when one ends', async () => {
  const { begun, done, end } = setUp(2, ['a', 'b', 'c', 'd'])
  expect(begun).toEqual(['a', 'b'])
  end('b')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  end('c')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd'])
  end('a')
  end('d')
  await done
})

test('no item starts after a failure', async () => {
  const { begun, done, end, fail } = setUp(2, ['a', 'b', 'c'])
  fail('a')
  await expect(done).rejects.toThrow('a')
  end('b')
  // The worker of `b` would take the next item within a few microtasks.
  await new Promise(setImmediate)
  expect(begun).toEqual(['a', 'b'])
})

test('an empty list resolves', async () => {
  await setUp(2, []).done
})
