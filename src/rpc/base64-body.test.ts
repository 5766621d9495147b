import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64Body, encodeBase64Body } from './base64-body.ts'

test('any number of segments of any length decode to one body', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 }), (segments) => {
      const body = Buffer.concat(segments.map(encodeBase64Body))
      expect(decodeBase64Body(body)).toEqual({ ok: true, value: Buffer.concat(segments) })
    }),
  )
})

test('a body cut off inside a group of four is invalid', () => {
  const body = encodeBase64Body(Buffer.from('hello world'))
  const lengths = Array.from({ length: body.length + 1 }, (_, index) => index)
  const taken = lengths.filter((length) => decodeBase64Body(body.subarray(0, length)).ok)
  expect(taken).toEqual(lengths.filter((length) => length % 4 === 0))
})

test('each accepted group of four encodes back to itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (group) => {
      const result = decodeBase64Body(group)
      const again = result.ok ? encodeBase64Body(result.value) : undefined
      expect(again === undefined || again.equals(group)).toBe(true)
    }),
  )
})

test.each([
  'A',
  'AA',
  'AAA',
  'AAAAA',
  '=AAA',
  'A===',
  '====',
  'AA=A',
  'AAA\n',
  'AA_-',
  'AB==',
  'AAB=',
  '{"a":1} ',
  'AAAÀ',
])('%j is invalid', (text) => {
  expect(decodeBase64Body(Buffer.from(text))).toMatchObject({
    ok: false,
    error: { code: 'invalid_argument' },
  })
})
