import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { encodeFrame, encodeHeaders, FLAG, FRAME, OPENING, PREFACE } from './http2-frames.ts'
import { peakMemory } from './process-memory.ts'
import { chunked, type RawAnswer, RawConnection, request, send } from './raw-connection.ts'
import { shapedConnection, splitAt } from './split-writes.ts'

const INGEST = `POST /${BATCH_CREATE}`
const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const EXPLORE = `POST /${EXPLORER}`
const JSON_TYPE = { 'content-type': 'application/json' }
const PUBLIC = { ...JSON_TYPE, 'x-api-key': PUBLIC_KEY }
const PRIVATE = { ...JSON_TYPE, 'x-api-key': PRIVATE_KEY }

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service.destroy()
})

const oneEvent = (): string => JSON.stringify({ events: [makeEvent()] })

async function exchange(bytes: string | Buffer): Promise<RawAnswer> {
  const connection = await send(service.url, bytes)
  const answer = await connection.answer()
  connection.close()
  return answer
}

const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { readonly code?: unknown }).code

async function checkReady(): Promise<void> {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
}

/** Sends the request once for each cut, one after the other. */
async function answerEach(bytes: Buffer, cuts: readonly number[]): Promise<string[]> {
  const connection = await RawConnection.open(service.url)
  for (const [index, cut] of cuts.entries()) {
    await connection.write(bytes.subarray(0, cut))
    await connection.write(bytes.subarray(cut))
    await connection.answers(index + 1)
  }
  const answers = await connection.answers(cuts.length)
  connection.close()
  return answers.map(({ body }) => body)
}

describe('valid HTTP/1.1', () => {
  test('pipelined requests with immediate answers are answered in order', async () => {
    const requests = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? request('GET /healthz', {}) : request('OPTIONS /sdk.events.v1.EventsService/x', {}),
    )
    const connection = await send(service.url, Buffer.concat(requests))
    const answers = await connection.answers(requests.length)
    connection.close()
    expect(answers.map(({ status }) => status)).toEqual(
      requests.map((_, index) => (index % 2 === 0 ? 200 : 204)),
    )
  })

  test('pipelined requests behind a slow one are answered in order or the connection closes', async () => {
    const ids = ['p1', 'p2', 'p3', 'p4']
    const requests = ids.map((id, index) =>
      index % 2 === 0
        ? request(INGEST, { ...PUBLIC, 'x-request-id': id }, oneEvent())
        : request(EXPLORE, { ...PRIVATE, 'x-request-id': id, connection: 'close' }, '{"pageSize":1}'),
    )
    const connection = await send(service.url, Buffer.concat(requests))
    const answers = await connection.untilClosed()
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(ids.slice(0, answers.length))
    await checkReady()
  })

  test.each([
    ['at the edge', request(INGEST, PUBLIC, oneEvent())],
    ['by the query process', request(EXPLORE, PRIVATE, '{"pageSize":1}')],
  ])('a request that comes byte by byte is answered %s', async (_, bytes) => {
    const connection = await RawConnection.open(service.url)
    await connection.trickle(bytes)
    expect(await connection.answer()).toMatchObject({ status: 200 })
    connection.close()
  })

  test('a batch sent in two pieces is answered wherever it is split', async () => {
    const bytes = request(INGEST, PUBLIC, oneEvent())
    const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1)
    const connectionCount = 8
    const bodies = await Promise.all(
      Array.from(
        { length: connectionCount },
        async (_, lane) =>
          await answerEach(
            bytes,
            cuts.filter((cut) => cut % connectionCount === lane),
          ),
      ),
    )
    expect(bodies.flat()).toEqual(cuts.map(() => '{"accepted":1}'))
  })

  // A close and a half-close look alike to the other side, and a query must not outlive its client.
  test.each([
    ['at the edge', request(INGEST, PUBLIC, oneEvent())],
    ['by the query process', request(EXPLORE, PRIVATE, '{"pageSize":1}')],
  ])('a half-closed connection gets a whole answer or is closed %s', async (_, bytes) => {
    const connection = await send(service.url, bytes)
    connection.endWriting()
    const answers = await connection.untilClosed()
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await checkReady()
  })

  test('a chunked body is read as one body', async () => {
    const headers = { ...PUBLIC, 'transfer-encoding': 'chunked' }
    expect(await exchange(request(INGEST, headers, chunked(oneEvent())))).toMatchObject({
      status: 200,
      body: '{"accepted":1}',
    })
  })

  test('a client that expects 100-continue can send its body', async () => {
    const body = oneEvent()
    const headers = { ...PUBLIC, expect: '100-continue', 'content-length': String(body.length) }
    const connection = await send(service.url, request(INGEST, headers))
    await connection.write(body)
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"accepted":1}' })
    connection.close()
  })
})

describe('invalid HTTP/1.1', () => {
  const event = JSON.stringify({ events: [] })
  const chunks = (text: string): Buffer =>
    request(INGEST, { ...PUBLIC, 'transfer-encoding': 'chunked' }, text)
  const sized = (length: string, body = event): Buffer =>
    request(INGEST, { ...PUBLIC, 'content-length': length }, body)

  test.each<readonly [string, string | Buffer]>([
    ['a header of 256 KiB', request(INGEST, { ...PUBLIC, 'x-flood': 'x'.repeat(262_144) }, event)],
    ['ten thousand headers', `${INGEST} HTTP/1.1\r\nhost: localhost\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
    ['headers without an end', `${INGEST} HTTP/1.1\r\n${'a: b\r\n'.repeat(100_000)}`],
    ['a path of 1 MiB', request(`POST /${'x'.repeat(1024 * 1024)}`, PUBLIC)],
    ['a request line without a path', 'POST HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['a request line without a version', `${INGEST}\r\nhost: localhost\r\n\r\n`],
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['HTTP/3.0', 'GET /healthz HTTP/3.0\r\nhost: localhost\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost localhost\r\n\r\n'],
    ['a header name with a space', 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx y: z\r\n\r\n'],
    ['zero bytes', Buffer.alloc(64)],
    ['a TLS handshake', Buffer.from('160301020001000001fc0303', 'hex')],
    ['random bytes', Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 167 + 13) % 256))],
    ['a chunk without a size', chunks('\r\n\r\n')],
    ['a chunk size that is no number', chunks('zz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk size of 20 digits', chunks('ffffffffffffffffffff\r\n{}')],
    ['a chunk that goes on after its end', chunks('2\r\n{}{}{}{}\r\n0\r\n\r\n')],
    ['a negative length', sized('-1')],
    ['a length that is no number', sized('ten')],
    ['a length of 20 digits', sized('99999999999999999999')],
    [
      'a length and chunks at once',
      request(INGEST, { ...PUBLIC, 'content-length': '2', 'transfer-encoding': 'chunked' }, chunked(event)),
    ],
    [
      'two lengths that differ',
      `${INGEST} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}}`,
    ],
  ])('%s is refused or the connection closed', async (_, bytes) => {
    const connection = await send(service.url, bytes)
    connection.endWriting()
    const answers = await connection.untilClosed()
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
    await checkReady()
  })

  test('a body shorter than its Content-Length gets no answer', async () => {
    const connection = await send(service.url, sized('1000'))
    connection.endWriting()
    expect(await connection.untilClosed()).toEqual([])
  })

  test('a body longer than its length does not become part of the batch', async () => {
    const connection = await send(
      service.url,
      Buffer.concat([sized('2', '{}'), Buffer.from('garbage\r\n\r\n')]),
    )
    connection.endWriting()
    const [first, ...others] = await connection.untilClosed()
    expect(first).toMatchObject({ status: 200, body: '{}' })
    expect(others.filter(({ status }) => status < 400)).toEqual([])
  })
})

describe('refusals', () => {
  test.each<readonly [string, Buffer, number, string]>([
    ['GET at the edge', request(`GET /${BATCH_CREATE}`, PUBLIC), 405, 'unimplemented'],
    ['PUT at the edge', request(`PUT /${BATCH_CREATE}`, PUBLIC, '{}'), 405, 'unimplemented'],
    ['GET of a forwarded method', request(`GET /${EXPLORER}`, PRIVATE), 405, 'unimplemented'],
    ['DELETE of a forwarded method', request(`DELETE /${EXPLORER}`, PRIVATE), 405, 'unimplemented'],
    ['an unknown path', request('POST /nowhere', PRIVATE, '{}'), 404, 'unimplemented'],
    [
      'an unknown method',
      request('POST /sdk.events.v1.EventsService/No', PUBLIC, '{}'),
      404,
      'unimplemented',
    ],
    ['no type at the edge', request(INGEST, { 'x-api-key': PUBLIC_KEY }, '{}'), 415, 'unimplemented'],
    [
      'an unknown type at the edge',
      request(INGEST, { ...PUBLIC, 'content-type': 'text/html' }, '{}'),
      415,
      'unimplemented',
    ],
    [
      'text/plain without a beacon',
      request(INGEST, { ...PUBLIC, 'content-type': 'text/plain' }, '{}'),
      415,
      'unimplemented',
    ],
    [
      'no type of a forwarded method',
      request(EXPLORE, { 'x-api-key': PRIVATE_KEY }, '{}'),
      415,
      'unimplemented',
    ],
    [
      'an unknown type of a forwarded method',
      request(EXPLORE, { ...PRIVATE, 'content-type': 'text/html' }, '{}'),
      415,
      'unimplemented',
    ],
    [
      'an unknown coding at the edge',
      request(INGEST, { ...PUBLIC, 'content-encoding': 'lzma' }, '{}'),
      501,
      'unimplemented',
    ],
    [
      'an unknown coding of a forwarded method',
      request(EXPLORE, { ...PRIVATE, 'content-encoding': 'lzma' }, '{}'),
      501,
      'unimplemented',
    ],
    [
      'corrupt gzip at the edge',
      request(INGEST, { ...PUBLIC, 'content-encoding': 'gzip' }, 'nonsense'),
      400,
      'invalid_argument',
    ],
    [
      'corrupt gzip of a forwarded method',
      request(EXPLORE, { ...PRIVATE, 'content-encoding': 'gzip' }, 'nonsense'),
      400,
      'invalid_argument',
    ],
    [
      'a private key in the query',
      request(`${INGEST}?api_key=${PRIVATE_KEY}`, JSON_TYPE, '{}'),
      401,
      'unauthenticated',
    ],
    [
      'a public key in the query of a read',
      request(`${EXPLORE}?api_key=${PUBLIC_KEY}`, JSON_TYPE, '{}'),
      401,
      'unauthenticated',
    ],
    [
      'gRPC over HTTP/1.1 at the edge',
      request(
        INGEST,
        { ...PUBLIC, 'content-type': 'application/json', 'connect-protocol-version': '2' },
        '{}',
      ),
      400,
      'invalid_argument',
    ],
    [
      'a deadline that is no number',
      request(INGEST, { ...PUBLIC, 'connect-timeout-ms': 'soon' }, '{}'),
      400,
      'invalid_argument',
    ],
  ])('%s', async (_, bytes, status, code) => {
    const answer = await exchange(bytes)
    expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status, code })
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{12}-[0-9a-z]+$/)
    expect(answer.body).toContain('google.rpc.ErrorInfo')
    expect(answer.body).toContain('google.rpc.RequestInfo')
  })

  test('a refused method is answered with the allowed one', async () => {
    expect((await exchange(request(`GET /${BATCH_CREATE}`, PUBLIC))).headers.allow).toBe('POST')
    expect((await exchange(request(`GET /${EXPLORER}`, PRIVATE))).headers.allow).toBe('POST')
  })
})

/** Headers that let a page of any origin read an answer, even to a request with credentials. */
const ECHO = {
  'access-control-allow-origin': 'https://shop.test',
  'access-control-allow-credentials': 'true',
  vary: 'Origin',
}

describe('beacons', () => {
  const beacon = `${INGEST}?api_key=${PUBLIC_KEY}`

  test.each<readonly [string, string, string | Buffer]>([
    ['text/plain', 'text/plain;charset=UTF-8', '{}'],
    ['JSON', 'application/json', '{}'],
    ['protobuf', 'application/proto', Buffer.alloc(0)],
  ])('a body as %s is accepted with a public key in the query string', async (_, type, body) => {
    const answer = await exchange(
      request(beacon, { 'content-type': type, origin: 'https://shop.test' }, body),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject(ECHO)
  })

  test('the events of a beacon are counted', async () => {
    const answer = await exchange(request(beacon, { 'content-type': 'text/plain' }, oneEvent()))
    expect(answer).toMatchObject({ status: 200, body: '{"accepted":1}' })
  })
})

describe('pages of other origins', () => {
  const PAGE = { origin: 'https://shop.test' }
  const PREFLIGHT = {
    ...PAGE,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-api-key,connect-protocol-version',
  }
  const METHODS = [
    [BATCH_CREATE, ECHO],
    ['sdk.profiles.v1.ProfilesSDKService/Identify', ECHO],
    ['sdk.devices.v1.DevicesService/Subscribe', ECHO],
    ['public.auth.v1.AuthService/SignInWithEmail', {}],
    ['shared.insights.v1.InsightsService/Query', {}],
    ['dashboard.orgs.v1.OrgsService/ListOrgs', {}],
  ] as const

  function corsOf(headers: Readonly<Record<string, unknown>>): object {
    const names = ['access-control-allow-origin', 'access-control-allow-credentials']
    return Object.fromEntries(names.filter((name) => name in headers).map((name) => [name, headers[name]]))
  }

  test.each(METHODS)('over HTTP/1.1 %s answers them with %j, preflight or not', async (method, echo) => {
    const preflight = await exchange(request(`OPTIONS /${method}`, PREFLIGHT))
    expect(preflight.status).toBe(204)
    expect(corsOf(preflight.headers)).toEqual(corsOf(echo))
    const names = preflight.headers['access-control-allow-headers']?.split(', ') ?? []
    const asked = ['content-type', 'x-api-key', 'connect-protocol-version', 'x-grpc-web', 'grpc-timeout']
    expect(asked.filter((name) => names.includes(name))).toEqual(echo === ECHO ? asked : [])
    for (const type of ['application/json', 'application/x-unknown']) {
      const actual = await exchange(request(`POST /${method}`, { 'content-type': type, ...PAGE }, '{}'))
      expect(corsOf(actual.headers)).toEqual(corsOf(echo))
    }
  })

  test.each(METHODS)('over HTTP/2 %s answers them with %j, preflight or not', async (method, echo) => {
    const session = connectHttp2(service.url)
    const ask = async (headers: Readonly<Record<string, string>>, body = '') => {
      const stream = session.request({ ':path': `/${method}`, ...headers })
      const [received] = await Promise.all([once(stream.end(body), 'response'), once(stream.resume(), 'end')])
      return received[0] as Record<string, unknown>
    }
    const preflight = await ask({ ':method': 'OPTIONS', ...PREFLIGHT })
    expect(preflight[':status']).toBe(204)
    expect(corsOf(preflight)).toEqual(corsOf(echo))
    for (const type of ['application/json', 'application/x-unknown']) {
      const actual = await ask({ ':method': 'POST', 'content-type': type, ...PAGE }, '{}')
      expect(corsOf(actual)).toEqual(corsOf(echo))
    }
    session.close()
  })
})

describe('HTTP/2', () => {
  const port = (): number => Number(new URL(service.url).port)

  async function healthBy(passOn: ReturnType<typeof splitAt>): Promise<number | undefined> {
    const session = connectHttp2(service.url, { createConnection: () => shapedConnection(port(), passOn) })
    session.on('error', () => undefined)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const stream = session.request({ ':path': '/healthz' })
      stream.on('response', (headers) => resolve(headers[':status']))
      stream.on('error', reject)
    })
    session.destroy()
    return status
  }

  test('is recognised wherever its preface is cut', async () => {
    const cuts = Array.from({ length: PREFACE.length + 16 }, (_, index) => index + 1)
    const statuses = await Promise.all(cuts.map((cut) => healthBy(splitAt(cut))))
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('is served byte by byte', async () => {
    const trickle = async (chunk: Buffer, write: (piece: Buffer) => Promise<void>): Promise<void> => {
      for (let index = 0; index < chunk.length; index++) await write(chunk.subarray(index, index + 1))
    }
    expect(await healthBy(trickle)).toBe(200)
  })

  test.each<readonly [string, Buffer]>([
    ['random bytes', Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 167 + 13) % 256))],
    ['an HTTP/1.1 request', request('GET /healthz', {})],
    ['a frame of 16 MiB', Buffer.from('ffffff000000000001', 'hex')],
    [
      'headers that are no HPACK',
      encodeFrame({ type: FRAME.headers, flags: 5, stream: 1, payload: Buffer.alloc(64, 0xff) }),
    ],
    [
      'data on a stream that was never opened',
      encodeFrame({ type: FRAME.data, flags: 1, stream: 7, payload: Buffer.from('x') }),
    ],
  ])('%s after the preface ends the connection', async (_, bytes) => {
    const connection = await send(service.url, Buffer.concat([OPENING, bytes]))
    await connection.untilEnded()
    await checkReady()
  })

  test('a flood of streams that are reset at once is cut off, and memory stays bounded', async () => {
    const before = peakMemory(service)
    const headers = encodeHeaders({
      ':method': 'POST',
      ':path': `/${EXPLORER}`,
      ':scheme': 'http',
      ':authority': 'localhost',
      'content-type': 'application/json',
      'x-api-key': PRIVATE_KEY,
    })
    const pair = (stream: number): Buffer =>
      Buffer.concat([
        encodeFrame({ type: FRAME.headers, flags: FLAG.endHeaders, stream, payload: headers }),
        encodeFrame({ type: FRAME.rstStream, flags: 0, stream, payload: Buffer.from([0, 0, 0, 8]) }),
      ])
    const flood = Buffer.concat(Array.from({ length: 20_000 }, (_, index) => pair(index * 2 + 1)))
    const connection = await send(service.url, Buffer.concat([OPENING, flood]))
    await connection.untilEnded()
    // What was forwarded before the cut is still being given up.
    await waitFor('the service to be ready again', async () =>
      (await fetch(`${service.url}/readyz`)).status === 200 ? true : undefined,
    )
    const after = peakMemory(service)
    expect(after.edge - before.edge).toBeLessThan(128)
    expect(after.query - before.query).toBeLessThan(128)
  })
})

describe('compressed bombs', () => {
  const BOMB_BYTES = 256 * 1024 * 1024
  const zeros = Buffer.alloc(BOMB_BYTES)
  const bombs: Readonly<Record<string, Buffer>> = {
    gzip: gzipSync(zeros),
    br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    zstd: zstdCompressSync(zeros),
  }

  test.each(
    Object.keys(bombs).flatMap((coding) => [
      ['at the edge', coding, INGEST, PUBLIC] as const,
      ['by the query process', coding, EXPLORE, PRIVATE] as const,
    ]),
  )('a bomb is refused %s: %s', async (_, coding, line, headers) => {
    const before = peakMemory(service)
    const bomb = request(line, { ...headers, 'content-encoding': coding }, bombs[coding])
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await exchange(bomb)))
    expect(answers.map(codeOf)).toEqual(Array(4).fill('resource_exhausted'))
    const after = peakMemory(service)
    expect(after.edge - before.edge).toBeLessThan(96)
    expect(after.query - before.query).toBeLessThan(96)
  })
})

describe('requests that are not forwarded as sent', () => {
  test('a path that names a host stays a path', async () => {
    const answer = await exchange(request('POST //203.0.113.1:9/x', PRIVATE, '{}'))
    expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 404, code: 'unimplemented' })
  })

  test.each(['x-note: a\x01b', 'x-note: a\x7fb', 'x\xe9: y'])(
    'a header that HTTP does not allow is refused: %j',
    async (line) => {
      const pid = service.pid('edge')
      const head = `${EXPLORE} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${line}\r\n`
      const connection = await send(service.url, `${head}content-length: 2\r\n\r\n{}`)
      connection.endWriting()
      const answers = await connection.untilClosed()
      expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([])
      await checkReady()
      expect(service.pid('edge')).toBe(pid)
    },
  )
})
