import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { entriesUpTo } from './cache-limit.ts'

test('a cache forgets the entry that was used the longest time ago when it is full', () => {
  const cache = new LRUCache<string, number>(entriesUpTo(2))
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([...cache.entries()]).toEqual([
    ['c', 3],
    ['a', 1],
  ])
})

test('an expired entry makes room', () => {
  let nowMs = 1
  const cache = new LRUCache<string, number>({
    ...entriesUpTo(2),
    ttl: 10,
    ttlResolution: 0,
    perf: { now: () => nowMs },
  })
  cache.set('a', 1).set('b', 2)
  nowMs = 12
  expect(cache.get('a')).toBeUndefined()
  cache.set('c', 3)
  expect(cache.size).toBe(2)
})

test('a cache takes the memory of its entries as they come', () => {
  const cache = new LRUCache<string, number>({ ...entriesUpTo(50_000), ttl: 1000 })
  cache.set('a', 1)
  const { keyList, valList, next, prev, ttls } = LRUCache.unsafeExposeInternals(cache)
  expect([keyList, valList, next, prev, ttls].map((list) => list?.length)).toEqual([1, 1, 1, 1, 1])
})
