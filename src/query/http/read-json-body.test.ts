import { gzipSync } from 'node:zlib'
import type { UniversalServerRequest } from '@connectrpc/connect/protocol'
import { expect, test } from 'vitest'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { readJsonBody } from './read-json-body.ts'

const BYTES_MAX = 10_000

function post(body: Uint8Array, headers: Readonly<Record<string, string>> = {}): UniversalServerRequest {
  return {
    httpVersion: '1.1',
    url: 'http://localhost/mcp',
    method: 'POST',
    header: new Headers({ 'content-type': 'application/json; charset=utf-8', ...headers }),
    body: streamBytes(body),
    signal: new AbortController().signal,
  }
}

test.each([
  ['as it is', post(Buffer.from('{"a":1}'))],
  ['compressed', post(gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })],
])('a message comes %s', async (_, request) => {
  expect(await readJsonBody(request, BYTES_MAX)).toEqual({ a: 1 })
})

test.each([
  ['no JSON', post(Buffer.from('{')), 'INVALID_REQUEST'],
  ['nothing', post(Buffer.alloc(0)), 'INVALID_REQUEST'],
  ['too many messages', post(Buffer.from(JSON.stringify(Array(17).fill({})))), 'INVALID_REQUEST'],
  ['what is nested too deeply', post(Buffer.from('['.repeat(5000) + ']'.repeat(5000))), 'INVALID_REQUEST'],
  ['no UTF-8', post(Buffer.from([0x22, 0xff, 0x22])), 'INVALID_REQUEST'],
  [
    'another content type',
    post(Buffer.from('{}'), { 'content-type': 'text/plain' }),
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'binary messages',
    post(Buffer.from('{}'), { 'content-type': 'application/proto' }),
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['an unknown coding', post(Buffer.from('{}'), { 'content-encoding': 'lzma' }), 'UNSUPPORTED_ENCODING'],
  ['too much', post(Buffer.alloc(BYTES_MAX + 1, ' ')), 'BODY_TOO_LARGE'],
  [
    'what grows too much',
    post(gzipSync(Buffer.alloc(BYTES_MAX + 1, ' ')), { 'content-encoding': 'gzip' }),
    'BODY_TOO_LARGE',
  ],
])('%s is refused', async (_, request, reason) => {
  await expect(readJsonBody(request, BYTES_MAX)).rejects.toMatchObject({ reason })
})
