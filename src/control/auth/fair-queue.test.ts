import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import type { Standing } from './known-networks.ts'

/** A queue whose items name their sources. */
function fill(...pushes: readonly (readonly [standing: Standing, source: string, count: number])[]) {
  const queue = new FairQueue<string>()
  const lost = pushes.flatMap(([standing, source, count]) =>
    Array.from({ length: count }, (_, index) =>
      queue.push({ standing, source }, `${standing} ${source} ${index}`),
    ),
  )
  return { queue, lost: lost.filter((item) => item !== undefined) }
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  expect(queue.isEmpty).toBe(true)
  return items
}

test('items of one source are served in order', () => {
  const { queue } = fill(['stranger', 'a', 3])
  expect(drain(queue)).toEqual(['stranger a 0', 'stranger a 1', 'stranger a 2'])
})

test('sources of one standing take turns', () => {
  const { queue } = fill(['stranger', 'a', 3], ['stranger', 'b', 1], ['stranger', 'c', 2])
  expect(drain(queue)).toEqual([
    'stranger a 0',
    'stranger b 0',
    'stranger c 0',
    'stranger a 1',
    'stranger c 1',
    'stranger a 2',
  ])
})

test('of four turns, an account in a known network has two, a known network one and strangers one', () => {
  const { queue } = fill(['stranger', 's', 8], ['network', 'n', 8], ['account', 'a', 8])
  const first = Array.from({ length: 8 }, () => queue.shift()?.split(' ', 1)[0])
  expect(first).toEqual([
    'account',
    'network',
    'account',
    'stranger',
    'account',
    'network',
    'account',
    'stranger',
  ])
})

test('an unused turn goes to the best standing', () => {
  const { queue } = fill(['stranger', 's', 3], ['account', 'a', 2])
  expect(drain(queue).map((item) => item.split(' ', 1)[0])).toEqual([
    'account',
    'account',
    'stranger',
    'stranger',
    'stranger',
  ])
})

test('each standing has its own queue of 32', () => {
  const { queue, lost } = fill(['stranger', 's', 33], ['network', 'n', 32], ['account', 'a', 32])
  expect(lost).toEqual(['stranger s 32'])
  expect(drain(queue)).toHaveLength(96)
})

test('in a full queue, the source with most items loses its last one', () => {
  const { queue, lost } = fill(['stranger', 'a', 20], ['stranger', 'b', 12])
  expect(queue.accepts({ standing: 'stranger', source: 'c' })).toBe(true)
  expect(lost).toEqual([])
  expect(queue.push({ standing: 'stranger', source: 'c' }, 'c')).toBe('stranger a 19')
  expect(drain(queue).slice(0, 3)).toEqual(['stranger a 0', 'stranger b 0', 'c'])
})

test('no source loses an item to a source with as many', () => {
  const sources = Array.from({ length: 32 }, (_, index) => ['stranger', `s${index}`, 1] as const)
  const { queue } = fill(...sources)
  const late = { standing: 'stranger', source: 'late' } as const
  expect(queue.accepts(late)).toBe(false)
  expect(queue.push(late, 'late')).toBe('late')
  expect(queue.accepts({ standing: 'network', source: 'late' })).toBe(true)
})
