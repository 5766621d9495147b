import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { ForwardingEdge, type ForwardingEdgeOptions } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { jsonAnswer } from '../../rpc/answer.ts'
import type { IngestionMethod } from '../ingestion-method.ts'

const NO_ERROR = 0
const CANCEL = 8
const ENHANCE_YOUR_CALM = 11

/** A limit that a test waits for, and one that no test reaches. */
const SOON_MS = 200
const NEVER_MS = 600_000

const BODY_BYTES_MAX = 8 * 1024 * 1024

const TAKE = '/test.v1.TestService/Take'
const REFUSE = '/test.v1.TestService/Refuse'

const take: IngestionMethod = {
  serve: (_, exchange) =>
    exchange.readBody(BODY_BYTES_MAX, (outcome) => {
      const bytes = 'body' in outcome ? outcome.body.length : -1
      exchange.answer(jsonAnswer(200, { bytes }))
    }),
}

const refuse: IngestionMethod = {
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
  const session = connect(edge.http2Url, { settings })
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

test('a body that stands still is let go, and gives back the room that it took', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), TAKE)
  stream.write(Buffer.alloc(100_000))
  await waitFor('the body to be counted', () => (edge.budget.bytes === 100_000 ? true : undefined))
  expect(await resetCodeOf(stream)).toBe(ENHANCE_YOUR_CALM)
  await untilIdle(edge)
})

test('a body of which a byte comes now and then is let go', async () => {
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

test('a refusal by headers waits for nothing of the body, and a stop does not wait for its end', async () => {
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS })
  const stream = begin(openSession(edge), REFUSE)
  expect(await statusOf(stream)).toBe(401)
  expect(await text(stream)).toBe('{"code":"no"}')
  await edge.count.drain()
  expect(stream.closed).toBe(false)
})

test('a client that never ends the body of a refused request is let go', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge), REFUSE)
  expect(await statusOf(stream)).toBe(401)
  stream.resume()
  expect(await resetCodeOf(stream)).toBe(NO_ERROR)
})

test('a body gives back its room with the answer, whenever the client takes that', async () => {
  const edge = await openEdge({ stallTimeoutMs: NEVER_MS })
  const stream = begin(openSession(edge, { initialWindowSize: 0 }), TAKE)
  stream.end(Buffer.alloc(60_000))
  expect(await statusOf(stream)).toBe(200)
  expect(edge.budget.bytes).toBe(0)
})

test('a client that takes nothing of its answer is let go', async () => {
  const edge = await openEdge({ stallTimeoutMs: SOON_MS })
  const stream = begin(openSession(edge, { initialWindowSize: 0 }), TAKE)
  stream.end('{}')
  stream.resume()
  expect(await resetCodeOf(stream)).toBe(CANCEL)
  await untilIdle(edge)
})

test('a forwarded body that stands still is let go, and its call given up', async () => {
  const upstream = createServer().listen(0, '127.0.0.1')
  opened.push(upstream)
  await once(upstream, 'listening')
  const given = Promise.withResolvers<number>()
  upstream.on('stream', (stream) => {
    stream.resume().once('close', () => given.resolve(stream.rstCode))
  })
  const { port } = upstream.address() as AddressInfo
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target: `http://127.0.0.1:${port}` })
  const stream = begin(openSession(edge), '/test.v1.TestService/Ask')
  stream.write('{')
  expect(await resetCodeOf(stream)).toBe(ENHANCE_YOUR_CALM)
  expect(await given.promise).toBe(CANCEL)
  await untilIdle(edge)
})

test('a forwarded body that the process behind does not read yet is not let go', async () => {
  const upstream = createServer().listen(0, '127.0.0.1')
  opened.push(upstream)
  await once(upstream, 'listening')
  upstream.on('stream', (stream) => {
    setTimeout(async () => {
      const { length } = await text(stream)
      stream.respond({ ':status': 200 })
      stream.end(String(length))
    }, 3 * SOON_MS)
  })
  const { port } = upstream.address() as AddressInfo
  const edge = await openEdge({ stallTimeoutMs: SOON_MS, target: `http://127.0.0.1:${port}` })
  const stream = begin(openSession(edge), '/test.v1.TestService/Ask')
  stream.end(Buffer.alloc(4 * 1024 * 1024, 'x'))
  expect(await statusOf(stream)).toBe(200)
  expect(await text(stream)).toBe(String(4 * 1024 * 1024))
  await untilIdle(edge)
})
