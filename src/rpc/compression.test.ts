import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODINGS, type Compressing } from './coding.ts'
import { compress, decompress } from './compression.ts'

const text = Buffer.from('{"events":[{"kind":"page_view"}]}'.repeat(40))
const INVALID = { ok: false, error: { code: 'invalid_argument', reason: 'INVALID_REQUEST' } }
const TOO_LARGE = { ok: false, error: { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' } }

describe.each(CODINGS)('%s', (coding: Compressing) => {
  const packed = compress(text, coding)

  test('what was compressed comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        const result = decompress(compress(bytes, coding), coding, 5000)
        expect(result.ok && Buffer.from(result.value)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('every way to cut it off but to nothing is invalid', () => {
    const lengths = Array.from({ length: packed.length - 1 }, (_, index) => index + 1)
    const taken = lengths.filter((length) => decompress(packed.subarray(0, length), coding, 1e6).ok)
    expect(taken).toEqual([])
  })

  test('no bytes are an empty message', () => {
    expect(decompress(Buffer.alloc(0), coding, 10)).toMatchObject({ ok: true, value: { length: 0 } })
  })

  test.each([
    ['text', Buffer.from('{"events":[]}')],
    ['zeros', Buffer.alloc(64)],
    ['something after the end', Buffer.concat([packed, Buffer.from('x')])],
    ['zeros after the end', Buffer.concat([packed, Buffer.alloc(8)])],
  ])('%s is invalid', (_name, bytes) => {
    expect(decompress(bytes, coding, 1e6)).toMatchObject(INVALID)
  })

  test('garbage never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(packed.length - 1), (garbage, at) => {
        const bytes = Buffer.concat([packed.subarray(0, at), garbage])
        expect(typeof decompress(bytes, coding, 1e5).ok).toBe('boolean')
      }),
    )
  })

  test('the limit is exact', () => {
    expect(decompress(packed, coding, text.length)).toMatchObject({ ok: true })
    expect(decompress(packed, coding, text.length - 1)).toMatchObject(TOO_LARGE)
  })

  test('a bomb stops at the limit', () => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024), coding)
    const before = process.memoryUsage().arrayBuffers
    expect(decompress(bomb, coding, 1024 * 1024)).toMatchObject(TOO_LARGE)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  })
})

test('identity is a view of the same bytes, up to the limit', () => {
  expect(decompress(text, 'identity', text.length)).toEqual({ ok: true, value: text })
  expect(decompress(text, 'identity', text.length - 1)).toMatchObject(TOO_LARGE)
})
