import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyBytes, copyWords } from './copy-bytes.ts'

const MEMORIES = [ArrayBuffer, SharedArrayBuffer]

test('bytes are copied between private and shared memory, and nothing around them changes', () => {
  const plan = fc.record({
    From: fc.constantFrom(...MEMORIES),
    To: fc.constantFrom(...MEMORIES),
    offset: fc.nat(9),
    at: fc.nat(9),
    length: fc.nat(300),
    rest: fc.nat(9),
  })
  fc.assert(
    fc.property(plan, ({ From, To, offset, at, length, rest }) => {
      const from = new Uint8Array(new From(offset + length + rest), offset)
      for (const index of from.keys()) from[index] = index % 251
      const to = new Uint8Array(new To(at + length + 9)).fill(255)
      copyBytes(from, length, to, at)
      const copied = [...from.subarray(0, length)]
      expect([...to]).toEqual([...Array(at).fill(255), ...copied, ...Array(9).fill(255)])
    }),
  )
})

test('words are copied up to three bytes beyond the text', () => {
  const from = new DataView(Uint8Array.from({ length: 16 }, (_, index) => index + 1).buffer)
  const to = new DataView(new ArrayBuffer(16))
  copyWords(from, 1, to, 2, 5)
  expect([...new Uint8Array(to.buffer)]).toEqual([0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0])
})
