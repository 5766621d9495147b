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
  const { queue } = fill(['unknown', 'a', 3])
  expect(drain(queue)).toEqual(['unknown a 0', 'unknown a 1', 'unknown a 2'])
})

test('sources of one standing take turns', () => {
  const { queue } = fill(['unknown', 'a', 3], ['unknown', 'b', 1], ['unknown', 'c', 2])
  expect(drain(queue)).toEqual([
    'unknown a 0',
    'unknown b 0',
    'unknown c 0',
    'unknown a 1',
    'unknown c 1',
    'unknown a 2',
  ])
})

test('of four turns, an account in a known network has two, a known network one and unknowns one', () => {
  const { queue } = fill(['unknown', 's', 8], ['network', 'n', 8], ['account', 'a', 8])
  const first = Array.from({ length: 8 }, () => queue.shift()?.split(' ', 1)[0])
  expect(first).toEqual([
    'account',
    'network',
    'account',
    'unknown',
    'account',
    'network',
    'account',
    'unknown',
  ])
})

test('an unused turn goes to the class with the best standing', () => {
  const { queue } = fill(['unknown', 's', 3], ['account', 'a', 2])
  expect(drain(queue).map((item) => item.split(' ', 1)[0])).toEqual([
    'account',
    'account',
    'unknown',
    'unknown',
    'unknown',
  ])
})

test('each standing has its own queue of 32', () => {
  const { queue, lost } = fill(['unknown', 's', 33], ['network', 'n', 32], ['account', 'a', 32])
  expect(lost).toEqual(['unknown s 32'])
  expect(drain(queue)).toHaveLength(96)
})

test('in a full queue, the source with most items loses its last one', () => {
  const { queue, lost } = fill(['unknown', 'a', 20], ['unknown', 'b', 12])
  expect(queue.accepts({ standing: 'unknown', source: 'c' })).toBe(true)
  expect(lost).toEqual([])
  expect(queue.push({ standing: 'unknown', source: 'c' }, 'c')).toBe('unknown a 19')
  expect(drain(queue).slice(0, 3)).toEqual(['unknown a 0', 'unknown b 0', 'c'])
})

test('no source loses an item to a source with as many', () => {
  const sources = Array.from({ length: 32 }, (_, index) => ['unknown', `s${index}`, 1] as const)
  const { queue } = fill(...sources)
  const late = { standing: 'unknown', source: 'late' } as const
  expect(queue.accepts(late)).toBe(false)
  expect(queue.push(late, 'late')).toBe('late')
  expect(queue.accepts({ standing: 'network', source: 'late' })).toBe(true)
})
