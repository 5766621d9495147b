import { expect, test } from 'vitest'
import { chooseFileCoding, hasFile } from './file-negotiation.ts'

test.each([
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"b", "a"', 'W/"a"', true],
  ['*', '"a"', true],
  ['"b"', '"a"', false],
  ['', '"a"', false],
])('%j knows %j: %j', (sent, etag, isKnown) => {
  expect(hasFile(sent, etag)).toBe(isKnown)
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0.0', undefined],
  ['', undefined],
])('%j takes %j', (accepted, coding) => {
  expect(chooseFileCoding(accepted, () => true)).toBe(coding)
})

test('a coding that there is not is not chosen', () => {
  expect(chooseFileCoding('br, gzip', (coding) => coding === 'gzip')).toBe('gzip')
})
