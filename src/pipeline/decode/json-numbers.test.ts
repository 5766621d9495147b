import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberReader } from './json-numbers.ts'

function readDouble(text: string): number {
  const reader = new NumberReader()
  expect(reader.readDouble(Buffer.from(`${text},`), 0)).toBe(text.length)
  return reader.value
}

// The digits make an integer beyond 2^53, which one division does not round correctly.
test.each(['9.007199254740993', '90071992547409.93', '0.9007199254740993', '9007199254740993', '5e-324'])(
  '%s is read as JavaScript reads it',
  (text) => {
    expect(readDouble(text)).toBe(Number(text))
  },
)

test('every decimal is read as JavaScript reads it', () => {
  const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
  const whole = digits(1, 17).map((text) => text.replace(/^0+(?=\d)/, ''))
  fc.assert(
    fc.property(fc.constantFrom('', '-'), whole, digits(0, 17), (sign, integer, fraction) => {
      const text = `${sign}${integer}${fraction === '' ? '' : `.${fraction}`}`
      expect(readDouble(text)).toBe(Number(text))
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['999999999999999', 999_999_999_999_999],
  ['-999999999999999', -999_999_999_999_999],
])('an integer of 15 digits is exact: %s', (text, value) => {
  const reader = new NumberReader()
  expect(reader.readInteger(Buffer.from(`${text}"`), 0)).toBe(text.length)
  expect(reader.value).toBe(value)
})

test('an integer of 16 digits is left to the slow decoder', () => {
  expect(new NumberReader().readInteger(Buffer.from('1000000000000000"'), 0)).toBe(-1)
})
