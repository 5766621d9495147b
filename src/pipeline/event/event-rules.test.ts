import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, fitText } from './event-rules.ts'

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
