import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeKindName, KIND_LENGTH_MAX } from '../../contract/kind-names.ts'
import { checkKind, checkPropertyValue, cutText, fitText } from './event-rules.ts'

test('the longest kind of a name is the longest kind', () => {
  expect(checkKind(encodeKindName('x y'.repeat(500)))).toBeUndefined()
  expect(checkKind('x'.repeat(KIND_LENGTH_MAX + 1))).toBeDefined()
})

test.each([
  ['as it is', 'São Paulo', 'São Paulo'],
  ['trimmed', '  Bonn\t', 'Bonn'],
  ['nothing when empty', '', undefined],
  ['nothing when blank', ' \n ', undefined],
  ['a lone surrogate replaced', 'a\ud800b', 'a\ufffdb'],
  ['cut at the limit', 'x'.repeat(1025), 'x'.repeat(1024)],
  ['cut by code points', '😀'.repeat(1025), '😀'.repeat(1024)],
])('a text is %s', (_, text, fitting) => {
  expect(fitText(text)).toBe(fitting)
})

test('a cut text is the first 1024 code points', () => {
  const long = fc.string({ unit: 'binary', minLength: 900, maxLength: 1200 })
  fc.assert(
    fc.property(long, (text) => {
      expect(cutText(text)).toBe(Array.from(text).slice(0, 1024).join(''))
    }),
  )
})

test.each([
  [{ type: 'string', value: 'x'.repeat(1024) }, undefined],
  [{ type: 'string', value: 'x'.repeat(1025) }, 'must have at most 1024 characters'],
  [{ type: 'string', value: '\ud800' }, 'must be valid Unicode text'],
  [{ type: 'int', value: 2n ** 63n - 1n }, undefined],
  [{ type: 'int', value: 2n ** 63n }, 'must fit a signed 64-bit integer'],
  [{ type: 'int', value: -(2n ** 63n) - 1n }, 'must fit a signed 64-bit integer'],
  [{ type: 'double', value: 1e308 }, undefined],
  [{ type: 'double', value: Number.POSITIVE_INFINITY }, 'must be a finite number'],
  [{ type: 'double', value: Number.NaN }, 'must be a finite number'],
  [{ type: 'bool', value: false }, undefined],
  [{ type: 'time', value: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }, undefined],
  [{ type: 'time', value: Date.UTC(10000, 0, 1) }, 'must be from 0001-01-01 to 9999-12-31'],
] as const)('the rule of a value, case %#', (value, problem) => {
  expect(checkPropertyValue(value)).toBe(problem)
})
