import { expect, test } from 'vitest'
import { resolveProperty } from './property.ts'

test('a dotted name is searched in each of its prefixes, the longest first', () => {
  expect(resolveProperty('a.b.c')).toMatchObject({
    home: 'maps',
    nested: [
      { key: 'a.b', path: ['c'] },
      { key: 'a', path: ['b', 'c'] },
    ],
  })
})

test.each([['a'.repeat(1025)], ['a.'.repeat(3_000_000)]])(
  'a name longer than any key is rejected before it is parsed',
  (name) => {
    expect(() => resolveProperty(name)).toThrow('must not exceed 1024 characters')
  },
)

test('the longest names are accepted', () => {
  expect(resolveProperty('a'.repeat(1024))).toMatchObject({ nested: [] })
})

test('a name of many parts is a key, and is searched in sixteen prefixes only', () => {
  const nestedOf = (partCount: number) =>
    resolveProperty(Array.from({ length: partCount }, (_, index) => `k${index}`).join('.'))
  expect(nestedOf(17)).toMatchObject({ nested: { length: 16, 15: { key: 'k0' } } })
  expect(nestedOf(200)).toMatchObject({ nested: { length: 16, 0: { path: ['k199'] } } })
})
