import { expect, test } from 'vitest'
import { Sealer } from './sealer.ts'

const KEY = Buffer.alloc(32, 7)
const sealer = new Sealer(KEY)
const GIVEN = { purpose: 'request/1', text: 'Zoë 🦊' }

test('a sealed text opens with its key and purpose', () => {
  const sealed = sealer.seal(GIVEN)
  expect(new Sealer(KEY).unseal({ purpose: 'request/1', sealed })).toBe(GIVEN.text)
})

test('the same text is sealed differently each time, and does not appear in the result', () => {
  const sealed = [sealer.seal(GIVEN), sealer.seal(GIVEN)]
  expect(sealed[0]).not.toBe(sealed[1])
  expect(Buffer.from(String(sealed[0]), 'base64').includes(GIVEN.text)).toBe(false)
})

test.each([
  ['another key', () => new Sealer(Buffer.alloc(32, 8)), (sealed: string) => sealed, 'request/1'],
  ['another purpose', () => sealer, (sealed: string) => sealed, 'request/2'],
  [
    'a changed character',
    () => sealer,
    (sealed: string) => `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`,
    'request/1',
  ],
  ['a truncated text', () => sealer, (sealed: string) => sealed.slice(0, 20), 'request/1'],
])('it does not open with %s', (_, opener, change, purpose) => {
  const sealed = change(sealer.seal(GIVEN))
  expect(() => opener().unseal({ purpose, sealed })).toThrow()
})

test('a digest depends on text, purpose and key', () => {
  const digest = sealer.digest(GIVEN)
  expect(sealer.digest({ ...GIVEN })).toBe(digest)
  const others = [
    sealer.digest({ ...GIVEN, text: 'Zoe' }),
    sealer.digest({ purpose: 'request/', text: `1${GIVEN.text}` }),
    new Sealer(Buffer.alloc(32, 8)).digest(GIVEN),
  ]
  expect(others).not.toContain(digest)
})
