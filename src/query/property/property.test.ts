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

test.each([['a'.repeat(1025)], ['a.'.repeat(3_000_000)]])(
  'a name that no key has is refused before anything is made of it',
  (name) => {
    expect(() => resolveProperty(name)).toThrow('at most 1024 characters')
  },
)

test('the longest names are taken', () => {
  expect(resolveProperty('a'.repeat(1024))).toMatchObject({ nested: [] })
})

test('a name of many parts is a key, and looked for in sixteen prefixes only', () => {
  const nestedOf = (partCount: number) =>
    resolveProperty(Array.from({ length: partCount }, (_, index) => `k${index}`).join('.'))
  expect(nestedOf(17)).toMatchObject({ nested: { length: 16, 15: { key: 'k0' } } })
  expect(nestedOf(200)).toMatchObject({ nested: { length: 16, 0: { path: ['k199'] } } })
})
