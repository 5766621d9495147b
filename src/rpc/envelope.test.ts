import { createEnvelopeReadableStream, encodeEnvelope as encodeByLibrary } from '@connectrpc/connect/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMPRESSED_FLAG, encodeEnvelope, readOnlyMessage } from './envelope.ts'

const hello = encodeEnvelope(0, Buffer.from('hello'))
const INVALID = { ok: false, error: { code: 'invalid_argument' } }
const COUNT = { ok: false, error: { code: 'unimplemented', reason: 'INVALID_REQUEST' } }

test('encoding and decoding agree with the library', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, COMPRESSED_FLAG),
      fc.uint8Array({ maxLength: 300 }),
      async (flags, data) => {
        const bytes = encodeEnvelope(flags, data)
        expect(readOnlyMessage(bytes, 300)).toEqual({ ok: true, value: { flags, data: Buffer.from(data) } })
        expect(Buffer.from(encodeByLibrary(flags, data))).toEqual(bytes)
        const stream = createEnvelopeReadableStream(ReadableStream.from([new Uint8Array(bytes)]))
        const envelopes = []
        for await (const envelope of stream) envelopes.push(envelope)
        expect(envelopes).toEqual([{ flags, data }])
      },
    ),
  )
})

test('every truncated envelope is invalid, and zero bytes are no message', () => {
  const lengths = Array.from({ length: hello.length - 1 }, (_, index) => index + 1)
  const results = lengths.map((length) => readOnlyMessage(hello.subarray(0, length), 100))
  expect(results).toMatchObject(lengths.map(() => INVALID))
  expect(readOnlyMessage(Buffer.alloc(0), 100)).toMatchObject(COUNT)
})

test.each([
  ['a second message', Buffer.concat([hello, hello]), COUNT],
  ['an empty second message', Buffer.concat([hello, encodeEnvelope(0, Buffer.alloc(0))]), COUNT],
  ['a piece of a second message', Buffer.concat([hello, hello.subarray(0, 7)]), INVALID],
  ['garbage after the message', Buffer.concat([hello, Buffer.from([9])]), INVALID],
  ['JSON without an envelope', Buffer.from('{"events":[]}'), INVALID],
  ['an end of stream', encodeEnvelope(2, Buffer.from('{}')), INVALID],
  ['a frame of trailers', encodeEnvelope(0x80, Buffer.from('a: b\r\n')), INVALID],
])('%s is rejected', (_name, body, expected) => {
  expect(readOnlyMessage(body, 100)).toMatchObject(expected)
})

test('the limit is exact and applies to the announced length', () => {
  expect(readOnlyMessage(hello, 5)).toMatchObject({ ok: true })
  expect(readOnlyMessage(hello, 4)).toMatchObject({ ok: false, error: { reason: 'BODY_TOO_LARGE' } })
  const liar = Buffer.from([0, 0xff, 0xff, 0xff, 0xff])
  expect(readOnlyMessage(liar, 100)).toMatchObject({ ok: false, error: { reason: 'BODY_TOO_LARGE' } })
})
