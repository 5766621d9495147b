import { brotliCompressSync } from 'node:zlib'
import { createConnectRouter } from '@connectrpc/connect'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DashboardsService } from '../../src/contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { AuthService } from '../../src/contract/gen/public/auth/v1/auth_service_pb.js'
import { InsightsService } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../src/contract/service-error.ts'
import { decodeBatchBinarySlow } from '../../src/pipeline/decode/binary-slow.ts'
import { decodeBatchJsonSlow } from '../../src/pipeline/decode/json-slow.ts'
import { parseIdentify } from '../../src/pipeline/identify/parse-identify.ts'
import { BATCH_UNPACK_RATIO_MAX, decompress } from '../../src/rpc/compression.ts'
import { collectBytes, streamBytes } from '../../src/rpc/connect-adapter/byte-stream.ts'
import { CONNECT_COMPRESSIONS } from '../../src/rpc/connect-adapter/compression.ts'
import { adaptHandler } from '../../src/rpc/connect-adapter/handler.ts'

const BYTES_MAX = 8 * 1024 * 1024
const OPTIONS = { domain: 'service', bytesMax: BYTES_MAX, timeoutMsMax: 60_000 }
const SIGN_IN = '/public.auth.v1.AuthService/SignInWithEmail'
const QUERY = '/shared.insights.v1.InsightsService/Query'
const UPSERT = '/dashboard.dashboards.v1.DashboardsService/Upsert'

const handlers = new Map(
  createConnectRouter({ acceptCompression: [...CONNECT_COMPRESSIONS], readMaxBytes: BYTES_MAX })
    .service(AuthService, {})
    .service(InsightsService, {})
    .service(DashboardsService, {})
    .handlers.map((handler) => [handler.requestPath, adaptHandler(handler, OPTIONS)]),
)

afterEach(() => vi.restoreAllMocks())

function nest(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth)
}

/** Bodies of a mebibyte, the decompressed size that is always allowed, by their excess. */
const JSON_BODIES: readonly (readonly [name: string, body: string, words: string])[] = [
  ['deep lists', nest('[', ']', 500_000), 'nested too deeply'],
  ['deep objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`, 'nested too deeply'],
  ['deep lists that do not end', '['.repeat(1_000_000), 'nested too deeply'],
  ['deep lists behind a field', `{"spec":${nest('[', ']', 400_000)}}`, 'nested too deeply'],
  ['a wide list', `{"x":[${'0,'.repeat(500_000)}0]}`, 'too many elements'],
  ['a wide list of objects', `{"x":[${'{},'.repeat(300_000)}{}]}`, 'too many objects'],
  ['a wide object', `{${'"":0,'.repeat(205_000)}"a":0}`, 'too many elements'],
]

const BINARY_BODIES: readonly (readonly [name: string, body: string, words: string])[] = [
  ['unknown fields', '\x78\x01'.repeat(500_000), 'too many objects'],
  ['unknown groups', nest('\x7b', '\x7c', 500_000), 'nested too deeply'],
  ['unknown groups beside each other', '\x7b\x7c'.repeat(500_000), 'too many'],
]

describe.each([
  ['application/json', JSON_BODIES],
  ['application/proto', BINARY_BODIES],
  ['application/grpc-web+json', JSON_BODIES],
] as const)('%s', (contentType, bodies) => {
  test.each(bodies)('%s are refused before they are parsed', async (_name, body, words) => {
    const parse = vi.spyOn(JSON, 'parse')
    const { status, text } = await call(QUERY, contentType, Buffer.from(body, 'latin1'))
    expect(contentType.includes('grpc') ? 400 : status).toBe(400)
    expect(decodeURIComponent(text)).toContain(words)
    expect(Math.max(0, ...parse.mock.calls.map(([parsed]) => parsed.length))).toBeLessThan(1000)
  })

  test('anonymous callers may send 64 KiB, before and after decompression', async () => {
    const { text } = await call(SIGN_IN, contentType, Buffer.alloc(65_537, ' '))
    expect(decodeURIComponent(text)).toContain('at most 65536 bytes')
  })
})

test('a body that decompresses to more than 100 times its bytes is refused', async () => {
  const { status, text } = await call(QUERY, 'application/json', Buffer.alloc(BYTES_MAX, '['))
  expect(status).toBe(429)
  expect(text).toContain('decompresses to more than 100 times')
})

test('a dashboard with a hundred insight tiles is accepted', async () => {
  const filters = Array.from({ length: 50 }, () => ({ property: 'plan', value: 'x' }))
  const insight = { spec: { events: [{ event: { kind: 'a', filters } }] } }
  const tiles = Array.from({ length: 100 }, () => ({ displayName: 'a', insight }))
  const { status } = await call(UPSERT, 'application/json', Buffer.from(JSON.stringify({ tiles })))
  expect(status).toBe(501)
})

test('a query with a list of 100,000 values is accepted', async () => {
  const filters = [{ property: 'id', values: Array.from({ length: 100_000 }, (_, at) => `id-${at}`) }]
  const body = JSON.stringify({ spec: { events: [{ event: { kind: 'a', filters } }] } })
  expect((await call(QUERY, 'application/json', Buffer.from(body))).status).toBe(501)
})

test('an error quotes no long name, and names a hundred violations at most', () => {
  const name = 'x'.repeat(500_000)
  const violations = Array.from({ length: 5000 }, () => ({ field: name, description: name }))
  const error = new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: name,
    violations,
  })
  expect(error.message.length).toBeLessThan(1100)
  expect(error.violations).toHaveLength(100)
  expect(error.violations[99]?.field.length).toBeLessThan(1100)
})

describe('in a worker', () => {
  test.each([...JSON_BODIES.slice(0, 4)])(
    'a batch of %s is refused before it is parsed',
    (_name, body, words) => {
      const parse = vi.spyOn(JSON, 'parse')
      expect(() => decodeBatchJsonSlow(Buffer.from(body))).toThrow(words)
      expect(parse).not.toHaveBeenCalled()
    },
  )

  test.each([...JSON_BODIES.slice(0, 6)])(
    'traits of %s are refused before they are parsed',
    (_name, body, words) => {
      const parse = vi.spyOn(JSON, 'parse')
      const traits = Buffer.from(`{"externalId":"a","traits":{"a":${body}}}`)
      expect(parseIdentify('json', traits)).toMatchObject({
        ok: false,
        error: { description: expect.stringContaining(words.slice(0, 8)) },
      })
      expect(parse).not.toHaveBeenCalled()
    },
  )

  test('decoding of protobuf stops after a thousand events', () => {
    const subarray = vi.spyOn(Uint8Array.prototype, 'subarray')
    expect(() => decodeBatchBinarySlow(Buffer.from('\x0a\x00'.repeat(500_000), 'latin1'))).toThrow(
      'at most 1000 events',
    )
    expect(subarray.mock.calls.length).toBeLessThan(5000)
  })

  test('properties of protobuf are not gathered beyond those of an event', () => {
    const entries = Array.from({ length: 50_000 }, (_, at) => field(3, field(1, Buffer.from(`k${at}`))))
    const batch = field(1, Buffer.concat(entries))
    expect(() => decodeBatchBinarySlow(batch)).toThrow('at most 256 properties')
  })

  test('unknown fields of an Identify are not gathered', () => {
    const body = Buffer.concat([
      field(1, Buffer.from('a')),
      Buffer.from('\x78\x01'.repeat(500_000), 'latin1'),
    ])
    expect(parseIdentify('proto', body)).toMatchObject({ ok: false })
  })

  test('a batch unpacks further than other messages, but not from nothing', () => {
    const bounds = { bytesMax: BYTES_MAX, ratioMax: BATCH_UNPACK_RATIO_MAX }
    const bomb = brotliCompressSync(Buffer.alloc(BYTES_MAX, '['))
    expect(decompress(bomb, 'br', bounds)).toMatchObject({ ok: false, error: { reason: 'BODY_TOO_LARGE' } })
  })
})

async function call(
  path: string,
  contentType: string,
  message: Buffer,
): Promise<{ readonly status: number; readonly text: string }> {
  const handler = handlers.get(path)
  if (!handler) throw new Error(`nothing at ${path}`)
  const packed = brotliCompressSync(message)
  const isEnveloped = contentType.includes('grpc')
  const envelope = Buffer.alloc(5, 1)
  envelope.writeUInt32BE(packed.length, 1)
  const response = await handler({
    httpVersion: '2.0',
    method: 'POST',
    url: `http://localhost${path}`,
    header: new Headers({
      'content-type': contentType,
      [isEnveloped ? 'grpc-encoding' : 'content-encoding']: 'br',
    }),
    body: streamBytes(isEnveloped ? Buffer.concat([envelope, packed]) : packed),
    signal: new AbortController().signal,
  })
  const body = await collectBytes(response.body ?? streamBytes(Buffer.alloc(0)), BYTES_MAX)
  if (!body.ok) throw body.error
  return { status: response.status, text: body.value.toString() }
}

/** A field of bytes of protobuf. */
function field(number: number, bytes: Buffer): Buffer {
  const length: number[] = []
  let rest = bytes.length
  for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes])
}
