import { expect, test } from 'vitest'
import { resolveProperty } from './property.ts'

test('a dotted name is looked for in each of its prefixes, the longest first', () => {
  expect(resolveProperty('a.b.c')).toMatchObject({
    home: 'maps',
    nested: [
      { key: 'a.b', path: ['c'] },
      { key: 'a', path: ['b', 'c'] },
    ],
  })
})

test.each([
  ['parts', Array.from({ length: 17 }, () => 'a').join('.')],
  ['characters', 'a'.repeat(1025)],
  ['both', 'a.'.repeat(3_000_000)],
])('a name of too many %s is refused before anything is made of it', (_, name) => {
  expect(() => resolveProperty(name)).toThrow('at most 1024 characters and 16 parts')
})

test('the longest names are taken', () => {
  expect(resolveProperty(Array.from({ length: 16 }, () => 'a').join('.'))).toMatchObject({ home: 'maps' })
  expect(resolveProperty('a'.repeat(1024))).toMatchObject({ nested: [] })
})
