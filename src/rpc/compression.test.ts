import { randomBytes } from 'node:crypto'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODINGS, type Compressing } from './coding.ts'
import { BATCH_UNPACK_RATIO_MAX, compress, decompress } from './compression.ts'

const text = Buffer.from('{"events":[{"kind":"page_view"}]}'.repeat(40))
const INVALID = { ok: false, error: { code: 'invalid_argument', reason: 'INVALID_REQUEST' } }
const TOO_LARGE = { ok: false, error: { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' } }

describe.each(CODINGS)('%s', (coding: Compressing) => {
  const packed = compress(text, coding)

  test('compressed bytes decompress to the original', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        const result = decompress(compress(bytes, coding), coding, { bytesMax: 5000 })
        expect(result.ok && Buffer.from(result.value)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('every truncation except to zero bytes is invalid', () => {
    const lengths = Array.from({ length: packed.length - 1 }, (_, index) => index + 1)
    const taken = lengths.filter(
      (length) => decompress(packed.subarray(0, length), coding, { bytesMax: 1e6 }).ok,
    )
    expect(taken).toEqual([])
  })

  test('zero bytes are an empty message', () => {
    expect(decompress(Buffer.alloc(0), coding, { bytesMax: 10 })).toMatchObject({
      ok: true,
      value: { length: 0 },
    })
  })

  test.each([
    ['text', Buffer.from('{"events":[]}')],
    ['zeros', Buffer.alloc(64)],
    ['something after the end', Buffer.concat([packed, Buffer.from('x')])],
    ['zeros after the end', Buffer.concat([packed, Buffer.alloc(8)])],
  ])('%s is invalid', (_name, bytes) => {
    expect(decompress(bytes, coding, { bytesMax: 1e6 })).toMatchObject(INVALID)
  })

  test('garbage never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(packed.length - 1), (garbage, at) => {
        const bytes = Buffer.concat([packed.subarray(0, at), garbage])
        expect(typeof decompress(bytes, coding, { bytesMax: 1e5 }).ok).toBe('boolean')
      }),
    )
  })

  test('the limit is exact', () => {
    expect(decompress(packed, coding, { bytesMax: text.length })).toMatchObject({ ok: true })
    expect(decompress(packed, coding, { bytesMax: text.length - 1 })).toMatchObject(TOO_LARGE)
  })

  test('decompression of a bomb stops at the limit', () => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024), coding)
    const before = process.memoryUsage().arrayBuffers
    expect(decompress(bomb, coding, { bytesMax: 1024 * 1024 })).toMatchObject(TOO_LARGE)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  })
})

test('identity is a view of the same bytes, up to the limit', () => {
  expect(decompress(text, 'identity', { bytesMax: text.length })).toEqual({ ok: true, value: text })
  expect(decompress(text, 'identity', { bytesMax: text.length - 1 })).toMatchObject(TOO_LARGE)
})

describe('the length in the trailer of gzip', () => {
  test.each([0, 1, 63, 64, 65, 16_383, 16_384, 16_385, 300_000])('%d bytes', (length) => {
    const bytes = randomBytes(length)
    const unpacked = decompress(zlib.gzipSync(bytes), 'gzip', { bytesMax: 300_000 })
    expect(unpacked.ok && bytes.equals(unpacked.value)).toBe(true)
  })

  test('several streams are one message, whose last trailer states a part', () => {
    const bytes = randomBytes(100_000)
    const parts = [bytes.subarray(0, 99_990), bytes.subarray(99_990)].map((part) => zlib.gzipSync(part))
    const unpacked = decompress(Buffer.concat(parts), 'gzip', { bytesMax: 100_000 })
    expect(unpacked.ok && bytes.equals(unpacked.value)).toBe(true)
  })

  test.each([0, 10, 0xffff_ffff])('a wrong one, %d, is invalid and reserves no memory', (stated) => {
    const packed = zlib.gzipSync(text)
    packed.writeUInt32LE(stated, packed.length - 4)
    const before = process.memoryUsage().arrayBuffers
    expect(decompress(packed, 'gzip', { bytesMax: 1024 ** 3, ratioMax: 1e9 })).toMatchObject(INVALID)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024)
  })
})

describe.each(CODINGS)('in %s', (coding) => {
  const MEBIBYTE = 1024 * 1024

  test('up to a mebibyte, any compression ratio is accepted', () => {
    const bomb = compress(Buffer.alloc(MEBIBYTE), coding)
    expect(decompress(bomb, coding, { bytesMax: 8 * MEBIBYTE })).toMatchObject({ ok: true })
  })

  test('above a mebibyte, a low compression ratio is accepted', () => {
    const text = Buffer.from(randomBytes(MEBIBYTE).toString('hex').repeat(2))
    expect(decompress(compress(text, coding), coding, { bytesMax: 8 * MEBIBYTE })).toMatchObject({ ok: true })
  })

  test('above a mebibyte, a high compression ratio is rejected', () => {
    const bomb = compress(Buffer.alloc(2 * MEBIBYTE), coding)
    const unpacked = decompress(bomb, coding, { bytesMax: 8 * MEBIBYTE })
    expect(unpacked).toMatchObject({
      ok: false,
      error: { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' },
    })
    expect(unpacked).toMatchObject({ error: { message: expect.stringContaining('100 times') } })
  })
})

test('a batch of a thousand events that differ only in a counter is accepted', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`property_${at}`, { stringValue: 'x'.repeat(200) }]),
  )
  const events = Array.from({ length: 1000 }, (_, at) => ({
    eventId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    kind: 'page_view',
    occurTime: '2026-11-01T00:00:00Z',
    customProperties: properties,
  }))
  const batch = Buffer.from(JSON.stringify({ events }))
  const packed = zlib.brotliCompressSync(batch)
  expect(batch.length / packed.length).toBeGreaterThan(1000)
  const bounds = { bytesMax: 8 * 1024 * 1024, ratioMax: BATCH_UNPACK_RATIO_MAX }
  expect(decompress(packed, 'br', bounds)).toMatchObject({ ok: true })
  expect(decompress(zlib.brotliCompressSync(Buffer.alloc(batch.length)), 'br', bounds)).toMatchObject({
    ok: false,
  })
})
