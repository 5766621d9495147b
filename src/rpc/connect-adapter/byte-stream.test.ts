import { expect, test } from 'vitest'
import { rewriteBody } from './byte-stream.ts'

async function* count(seen: string[]): AsyncGenerator<Uint8Array> {
  try {
    yield Uint8Array.of(1)
    yield Uint8Array.of(2)
  } catch (thrown) {
    seen.push(`thrown ${String(thrown)}`)
    throw thrown
  } finally {
    seen.push('closed')
  }
}

const double = { writeChunk: (chunk: Uint8Array) => chunk.map((byte) => byte * 2) }

test('chunks are rewritten in order, then the stream ends', async () => {
  const seen: string[] = []
  const body = rewriteBody(count(seen), { ...double, atEnd: () => seen.push('end') })
  for await (const chunk of body) seen.push(String(chunk))
  expect(seen).toEqual(['2', '4', 'closed', 'end'])
})

test('a reader that stops closes the source', async () => {
  const seen: string[] = []
  for await (const chunk of rewriteBody(count(seen), double)) {
    seen.push(String(chunk))
    break
  }
  expect(seen).toEqual(['2', 'closed'])
})

test('an error of the reader reaches the source', async () => {
  const seen: string[] = []
  const iterator = rewriteBody(count(seen), double)[Symbol.asyncIterator]()
  await iterator.next()
  await expect(iterator.throw?.('no route')).rejects.toBe('no route')
  expect(seen).toEqual(['thrown no route', 'closed'])
})
