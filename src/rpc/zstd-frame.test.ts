import { constants, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isWholeZstdFrame } from './zstd-frame.ts'

const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 2654435761) >>> 13))

const FRAMES = [
  ['nothing', zstdCompressSync(Buffer.alloc(0))],
  ['a word', zstdCompressSync(Buffer.from('word'))],
  ['a run of zeros', zstdCompressSync(Buffer.alloc(1_000_000))],
  ['several blocks', zstdCompressSync(noise)],
  ['a checksum', zstdCompressSync(noise.subarray(0, 1000), WITH_CHECKSUM)],
] as const

test.each(FRAMES)('a frame of %s is complete', (_name, frame) => {
  expect(isWholeZstdFrame(frame)).toBe(true)
})

test.each(FRAMES)('a truncated or extended frame of %s is not complete', (_name, frame) => {
  const lengths = Array.from({ length: Math.min(frame.length, 500) }, (_, index) => frame.length - 1 - index)
  expect(lengths.filter((length) => isWholeZstdFrame(frame.subarray(0, length)))).toEqual([])
  expect(isWholeZstdFrame(Buffer.concat([frame, Buffer.alloc(1)]))).toBe(false)
})
