import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ForwardingEdge, type ForwardingEdgeOptions } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import {
  encodeFrame,
  encodeHeaders,
  FLAG,
  FRAME,
  type Frame,
  PREFACE,
} from '../../../test/protocols/http2-frames.ts'
import { RawConnection } from '../../../test/protocols/raw-connection.ts'
import { jsonAnswer } from '../../rpc/answer.ts'
import type { EdgeMethod } from '../exchange.ts'

const NO_ERROR = 0
const INTERNAL_ERROR = 2
const CANCEL = 8
const ENHANCE_YOUR_CALM = 11

/** A limit that a test waits for, and one that no test reaches. */
const SOON_MS = 200
const NEVER_MS = 600_000

/** As many as the edge of these tests has. */
const BUDGET_BYTES = 1024 * 1024
const BODY_BYTES_MAX = 8 * 1024 * 1024

/** The name of the setting, RFC 9113 section 6.5.2. */
const INITIAL_WINDOW_SIZE = Buffer.from([0, 4])

const TAKE = '/test.v1.TestService/Take'
const REFUSE = '/test.v1.TestService/Refuse'

/** A stream of requests, which is passed on as it comes. */
const STREAM = '/grpc.reflection.v1.TestService/Ask'

const take: EdgeMethod = {
  serve: (_, exchange) =>
    exchange.readBody(BODY_BYTES_MAX, (outcome) => {
      const said = 'body' in outcome ? { bytes: outcome.body.length } : outcome
      exchange.answer(jsonAnswer(200, said))
    }),
}

const refuse: EdgeMethod = {
  serve: (_, exchange) => exchange.readBody(0, () => exchange.answer(jsonAnswer(401, { code: 'no' }))),
}

const ingestion = new Map([
  [TAKE, take],
  [REFUSE, refuse],
])

const opened: { close(): void }[] = []

afterEach(() => {
  for (const one of opened.splice(0).reverse()) one.close()
})

async function openEdge(options: Partial<ForwardingEdgeOptions>): Promise<ForwardingEdge> {
  const edge = await ForwardingEdge.open({ target: 'http://127.0.0.1:1', ingestion, ...options })
  opened.push(edge)
  return edge
}

function openSession(
  edge: ForwardingEdge,
  settings: { readonly initialWindowSize?: number } = {},
): ClientHttp2Session {
  const session = connect(edge.frontUrl, { settings })
  session.on('error', () => undefined)
  opened.push({ close: () => session.destroy() })
  return session
}

/** Begins a request whose body has no end yet. */
function begin(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': path }, { endStream: false })
  stream.on('error', () => undefined)
  return stream
}

/** A process behind the edge; answers its address. */
async function openUpstream(serve: (stream: ServerHttp2Stream) => void): Promise<string> {
  const upstream = createServer().listen(0, '127.0.0.1')
  opened.push(upstream)
  await once(upstream, 'listening')
  upstream.on('stream', (stream) => serve(stream.on('error', () => undefined)))
  return `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
}

async function resetCodeOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  if (!stream.destroyed) await new Promise<void>((resolve) => stream.once('close', () => resolve()))
  return stream.rstCode
}

async function statusOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  return headers[':status']
}

async function untilIdle({ count, budget }: ForwardingEdge): Promise<void> {
  await waitFor('no request to be under way', () => (count.running === 0 ? true : undefined))
  expect(budget.bytes).toBe(0)
}

test('a body that stalls is dropped, and frees its share', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), TAKE)
  stream.write(Buffer.alloc(100_000))
  await waitFor('the body to be counted', () => (edge.budget.bytes === 100_000 ? true : undefined))
  expect(await resetCodeOf(stream)).toBe(ENHANCE_YOUR_CALM)
  await untilIdle(edge)
})

test('a body that arrives a byte at a time is dropped', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), TAKE)
  const timer = setInterval(() => stream.write('x'), SOON_MS / 20)
  const code = await resetCodeOf(stream)
  clearInterval(timer)
  expect(code).toBe(ENHANCE_YOUR_CALM)
  await untilIdle(edge)
})

test('a body that takes longer than the limit but keeps coming is taken', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), TAKE)
  const giveUp = performance.now() + 2 * SOON_MS
  let bytes = 0
  while (performance.now() < giveUp) {
    stream.write(Buffer.alloc(20_000))
    bytes += 20_000
    await waitFor('the piece to come', () => (edge.budget.bytes === bytes ? true : undefined))
  }
  stream.end()
  expect(await statusOf(stream)).toBe(200)
  expect(JSON.parse(await text(stream))).toEqual({ bytes })
  await untilIdle(edge)
})

test('a body is not read while those of others fill the budget', async () => {
  const edge = await openEdge({})
  const session = openSession(edge)
  edge.budget.add(BUDGET_BYTES - 1)
  const [first, second] = [begin(session, TAKE), begin(session, TAKE)]
  first.write('{')
  await waitFor('the body to come', () => (edge.budget.isSpent ? true : undefined))
  second.write('{')
  expect(JSON.parse(await text(second))).toEqual({ refused: 'no_budget' })
  first.end('}')
  expect(JSON.parse(await text(first))).toEqual({ bytes: 2 })
  expect(edge.budget.bytes).toBe(BUDGET_BYTES - 1)
})

test('a body alone may be longer than the budget', async () => {
  const edge = await openEdge({})
  const stream = begin(openSession(edge), TAKE)
  stream.end(Buffer.alloc(3 * BUDGET_BYTES))
  expect(JSON.parse(await text(stream))).toEqual({ bytes: 3 * BUDGET_BYTES })
  await untilIdle(edge)
})

test('a request without a body needs no room', async () => {
  const edge = await openEdge({})
  edge.budget.add(BUDGET_BYTES)
  const stream = begin(openSession(edge), TAKE)
  stream.end()
  expect(JSON.parse(await text(stream))).toEqual({ bytes: 0 })
})

test('a refusal by headers waits for nothing of the body, and a stop does not wait for its end', async () => {
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS })
  const stream = begin(openSession(edge), REFUSE)
  expect(await statusOf(stream)).toBe(401)
  expect(await text(stream)).toBe('{"code":"no"}')
  await edge.count.drain()
  expect(stream.closed).toBe(false)
})

test('a client that never ends the body of a refused request is dropped', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), REFUSE)
  expect(await statusOf(stream)).toBe(401)
  stream.resume()
  expect(await resetCodeOf(stream)).toBe(NO_ERROR)
})

test('a body frees its share with the answer, even before the client reads it', async () => {
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS })
  const stream = begin(openSession(edge, { initialWindowSize: 0 }), TAKE)
  stream.end(Buffer.alloc(60_000))
  expect(await statusOf(stream)).toBe(200)
  expect(edge.budget.bytes).toBe(0)
})

test('a client that does not read its answer is dropped', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge, { initialWindowSize: 0 }), TAKE)
  stream.end('{}')
  stream.resume()
  expect(await resetCodeOf(stream)).toBe(CANCEL)
  await untilIdle(edge)
})

test('a client that reads nothing of its answer is dropped, regardless of other traffic on its connection', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const session = openSession(edge, { initialWindowSize: 0 })
  const stream = begin(session, TAKE)
  stream.end('{}')
  stream.resume()
  const timer = setInterval(() => session.request({ ':method': 'OPTIONS', ':path': TAKE }), SOON_MS / 20)
  const code = await resetCodeOf(stream)
  clearInterval(timer)
  expect(code).toBe(CANCEL)
  await untilIdle(edge)
})

test.each([
  ['fits between the processes', 10],
  ['waits for the client in part', 50_000],
  ['waits for the client on both sides of the edge', 500_000],
])('a client that does not read a forwarded answer that %s is dropped', async (_, bytes) => {
  const target = await openUpstream((stream) => {
    stream.resume().respond({ ':status': 200 })
    stream.end(Buffer.alloc(bytes))
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const stream = begin(openSession(edge, { initialWindowSize: 0 }), '/test.v1.TestService/Ask')
  let isWhole = false
  stream.resume().once('end', () => {
    isWhole = stream.rstCode === NO_ERROR
  })
  stream.end('{}')
  expect(await resetCodeOf(stream)).toBe(CANCEL)
  expect(isWhole).toBe(false)
  await untilIdle(edge)
})

test('a client that reads nothing of its connection holds no stop', async () => {
  const target = await openUpstream((stream) => {
    stream.resume().respond({ ':status': 200 })
    stream.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const connection = await RawConnection.open(edge.frontUrl)
  opened.push(connection)
  connection.socket.pause()
  const whole = Buffer.from([0x7f, 0xff, 0, 0])
  const head = { ':method': 'GET', ':scheme': 'http', ':path': '/test.v1.TestService/Ask', ':authority': 'x' }
  const frames: readonly Frame[] = [
    { type: FRAME.settings, flags: 0, stream: 0, payload: Buffer.concat([INITIAL_WINDOW_SIZE, whole]) },
    { type: FRAME.windowUpdate, flags: 0, stream: 0, payload: whole },
    {
      type: FRAME.headers,
      flags: FLAG.endHeaders | FLAG.endStream,
      stream: 1,
      payload: encodeHeaders(head),
    },
  ]
  await connection.write(Buffer.concat([PREFACE, ...frames.map(encodeFrame)]))
  await waitFor('the call to come', () => (edge.count.running === 1 ? true : undefined))
  await untilIdle(edge)
})

test('the watch of a call ends with it', async () => {
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS })
  const session = openSession(edge)
  const call = async (): Promise<number> => {
    const stream = begin(session, TAKE)
    stream.resume().end('{}')
    await resetCodeOf(stream)
    await untilIdle(edge)
    return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  }
  const timers = await call()
  expect(await call()).toBe(timers)
})

test('a client that takes a forwarded answer slowly gets it whole', async () => {
  const target = await openUpstream((stream) => {
    stream.resume().respond({ ':status': 200 })
    stream.end(Buffer.alloc(2_000_000))
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const stream = begin(openSession(edge, { initialWindowSize: 16_384 }), '/test.v1.TestService/Ask')
  stream.end('{}')
  let bytes = 0
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length
    await sleep(SOON_MS / 8)
  }
  expect(bytes).toBe(2_000_000)
  await untilIdle(edge)
})

test('a forwarded stream that stalls is dropped, and its call cancelled', async () => {
  const given = Promise.withResolvers<number>()
  const target = await openUpstream((stream) => {
    stream.resume().once('close', () => given.resolve(stream.rstCode))
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const stream = begin(openSession(edge), STREAM)
  stream.write('{')
  expect(await resetCodeOf(stream)).toBe(ENHANCE_YOUR_CALM)
  expect(await given.promise).toBe(CANCEL)
  await untilIdle(edge)
})

test('a forwarded body that the upstream does not read yet is not dropped', async () => {
  const target = await openUpstream((stream) => {
    setTimeout(async () => {
      const { length } = await text(stream)
      stream.respond({ ':status': 200 })
      stream.end(String(length))
    }, 3 * SOON_MS)
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const stream = begin(openSession(edge), STREAM)
  stream.end(Buffer.alloc(4 * 1024 * 1024, 'x'))
  expect(await statusOf(stream)).toBe(200)
  expect(await text(stream)).toBe(String(4 * 1024 * 1024))
  await untilIdle(edge)
})

test('half an answer does not look complete when the body of its call stalls', async () => {
  const target = await openUpstream((stream) => {
    stream.resume().respond({ ':status': 200 })
    stream.write('half')
  })
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target })
  const stream = begin(openSession(edge), STREAM)
  stream.write('{')
  let seen = ''
  let isWhole = false
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.toString()
  })
  stream.once('end', () => {
    isWhole = stream.rstCode === NO_ERROR
  })
  expect(await resetCodeOf(stream)).toBe(INTERNAL_ERROR)
  expect({ seen, isWhole }).toEqual({ seen: 'half', isWhole: false })
  await untilIdle(edge)
})

test('the rest of a body that arrives after the answer is read and discarded', async () => {
  const target = await openUpstream((stream) => {
    stream.once('data', () => stream.respond({ ':status': 401 }, { endStream: true }))
  })
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS, target })
  const stream = begin(openSession(edge), STREAM)
  stream.resume().write('{')
  expect(await statusOf(stream)).toBe(401)
  stream.end(Buffer.alloc(BODY_BYTES_MAX))
  expect(await resetCodeOf(stream)).toBe(NO_ERROR)
})

test('a body that is answered before its end is read and discarded', async () => {
  const target = await openUpstream((stream) => {
    stream.once('data', () => stream.pause().respond({ ':status': 401 }, { endStream: true }))
  })
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS, idleTimeoutMs: NEVER_MS, target })
  const stream = begin(openSession(edge), STREAM)
  stream.resume().end(Buffer.alloc(BODY_BYTES_MAX))
  expect(await statusOf(stream)).toBe(401)
  expect(await resetCodeOf(stream)).toBe(NO_ERROR)
})
