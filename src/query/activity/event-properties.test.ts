import { expect, test } from 'vitest'
import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { readProperties } from './event-properties.ts'

const NONE = { promoted: [], string: {}, int: {}, double: {}, bool: {}, time: {} }

test('names with $ are auto properties, others custom ones', () => {
  const row = { ...NONE, string: { $a: 'x', b: 'y' }, bool: { $c: false } }
  expect(readProperties(row)).toEqual({
    autoProperties: { $a: 'x', $c: false },
    customProperties: { b: 'y' },
  })
})

test('a promoted property without text is absent', () => {
  const [[first], [second]] = [PROMOTED_ENTRIES[0] ?? [''], PROMOTED_ENTRIES[1] ?? ['']]
  expect(readProperties({ ...NONE, promoted: ['', 'x'] }).autoProperties).toEqual({ [second]: 'x' })
  expect(readProperties({ ...NONE, promoted: ['y'] }).autoProperties).toEqual({ [first]: 'y' })
})

test('an integer is a number while that is exact, then text', () => {
  const int = { safe: 2n ** 53n - 1n, beyond: 2n ** 53n, least: -(2n ** 63n) }
  expect(readProperties({ ...NONE, int }).customProperties).toEqual({
    safe: 9007199254740991,
    beyond: '9007199254740992',
    least: '-9223372036854775808',
  })
})

test('a time is RFC 3339 text', () => {
  expect(readProperties({ ...NONE, time: { at: 1 } }).customProperties).toEqual({
    at: '1970-01-01T00:00:00.001Z',
  })
})

test('a property may be named __proto__', () => {
  const { customProperties } = readProperties({ ...NONE, string: { ['__proto__']: 'x' } })
  expect(Object.keys(customProperties)).toEqual(['__proto__'])
})
