import { expect, test } from 'vitest'
import { arrowTarget, keyTarget } from './arrow-keys.ts'

test.each([
  ['ArrowRight', 2, 0],
  ['ArrowLeft', 0, 2],
  ['Home', 1, 0],
  ['End', 1, 2],
  ['ArrowDown', 1, undefined],
])('%s leads from tab %i of three to %s', (key, at, target) => {
  expect(arrowTarget(key, { at, count: 3 })).toBe(target)
})

test.each([
  ['ArrowDown', 29, 0],
  ['ArrowUp', 0, 29],
  ['PageDown', 25, 29],
  ['PageUp', 4, 0],
  ['Home', 4, undefined],
])('%s leads from row %i of thirty to %s', (key, at, target) => {
  expect(keyTarget(key, { at, count: 30 })).toBe(target)
})

test('no key leads anywhere in an empty list', () => {
  expect([arrowTarget('End', { at: 0, count: 0 }), keyTarget('ArrowDown', { at: 0, count: 0 })]).toEqual([
    undefined,
    undefined,
  ])
})
