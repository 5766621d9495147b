import { expect, test } from 'vitest'
import { BodyPieces } from './body-pieces.ts'

function join(pieces: readonly Buffer[]): string {
  const body = new BodyPieces()
  for (const piece of pieces) body.add(piece)
  let joined = ''
  body.use((bytes) => {
    joined = bytes.toString('hex')
  })
  return joined
}

test.each([
  [[1]],
  [[1, 1, 1, 1]],
  [[5000, 5000, 5000]],
  [[100_000, 40_000, 300_000]],
  [[3, 2_000_000, 0, 7]],
])('pieces of %j bytes come out as one body, in order', (lengths) => {
  const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1))
  expect(join(pieces)).toBe(Buffer.concat(pieces).toString('hex'))
})

test('a body shows nothing of the one before it', () => {
  join([Buffer.alloc(200_000, 1), Buffer.alloc(200_000, 2)])
  expect(join([Buffer.alloc(9000, 3), Buffer.alloc(1, 4)])).toBe(`${'03'.repeat(9000)}04`)
})

test('two bodies under way at once do not share memory', () => {
  const first = new BodyPieces()
  const second = new BodyPieces()
  first.add(Buffer.alloc(10_000, 1))
  second.add(Buffer.alloc(10_000, 2))
  const seen: string[] = []
  first.use((bytes) => seen.push(bytes.toString('hex')))
  second.use((bytes) => seen.push(bytes.toString('hex')))
  expect(seen).toEqual(['01'.repeat(10_000), '02'.repeat(10_000)])
})
