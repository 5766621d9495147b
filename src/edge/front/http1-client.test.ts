import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ForwardingEdge } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { chunked, type RawAnswer, RawConnection, request } from '../../../test/protocols/raw-connection.ts'
import { jsonAnswer } from '../../rpc/answer.ts'
import { Router } from '../../rpc/router.ts'
import { BodyBudget } from '../body-budget.ts'
import { type EdgeTarget, edgeRoutes, FORWARD } from '../edge-routes.ts'
import { type Exchange, RequestCount, type RequestHead } from '../exchange.ts'
import { ClientHandles } from './client-handles.ts'
import { Front } from './front.ts'
import { Http1Clients } from './http1-client.ts'

const TAKE = 'POST /x.v1.XService/Take'
const HOLD = 'POST /x.v1.XService/Hold'
const ASK = 'POST /x.v1.XService/Ask'
const BUDGET_BYTES = 4 * 1024 * 1024
const RUNS = 30
const IDLE_MS = 300
/** More than the buffers of the system hold. */
const LONG_BYTES = 64 * 1024 * 1024

let upstream: Server
let edge: ForwardingEdge
let held: Exchange[]

function serve(head: RequestHead, exchange: Exchange): void {
  const note = head.header('x-note') ?? ''
  exchange.readBody(BUDGET_BYTES, (outcome) => {
    const result = 'body' in outcome ? { bytes: outcome.body.length } : outcome
    exchange.answer(jsonAnswer(200, { note, peer: head.peer, ...result }))
  })
}

const METHODS = new Map([
  ['/x.v1.XService/Take', { serve }],
  ['/x.v1.XService/Hold', { serve: (_: RequestHead, exchange: Exchange) => void held.push(exchange) }],
])

async function open(options: { readonly clientIdleTimeoutMs?: number } = {}): Promise<ForwardingEdge> {
  const { port } = upstream.address() as AddressInfo
  const budget = new BodyBudget(BUDGET_BYTES)
  return await ForwardingEdge.open({
    target: `http://127.0.0.1:${port}`,
    ingestion: METHODS,
    budget,
    ...options,
  })
}

/** Opens the edge again, where a connection is idle for a shorter time. */
async function openImpatient(): Promise<void> {
  edge.close()
  edge = await open({ clientIdleTimeoutMs: IDLE_MS })
}

beforeEach(async () => {
  held = []
  upstream = createServer((asked, response) => {
    asked.resume().once('end', () => response.end(JSON.stringify({ note: asked.headers['x-note'] ?? '' })))
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  edge = await open()
})

afterEach(() => {
  edge.close()
  upstream.close()
  upstream.closeAllConnections()
})

const noteOf = ({ body }: RawAnswer): unknown => JSON.parse(body).note

async function untilHeld(exchanges: number): Promise<void> {
  await waitFor('the request to be held', () => (held.length === exchanges ? true : undefined))
}

/** A front without a listener behind it: it can only answer what it serves itself. */
async function askFrontAlone(bytes: Buffer): Promise<readonly RawAnswer[]> {
  const clients = new Http1Clients({
    path: '/nonexistent/http1.sock',
    handles: new ClientHandles(),
    errorDomain: 'millrace.test',
    router: new Router<EdgeTarget>(edgeRoutes({ ingestion: METHODS }), FORWARD),
    budget: new BodyBudget(BUDGET_BYTES),
    count: new RequestCount(),
    allowedOrigins: new Set(),
  })
  const front = new Front({
    http1: (connection) => clients.take(connection),
    http2: ({ socket }) => socket.destroy(),
    isTrustedPeer: () => false,
  })
  const connection = await RawConnection.open(`http://127.0.0.1:${await front.listen('127.0.0.1', 0)}`)
  await connection.write(bytes)
  connection.endWriting()
  const answers = await connection.untilClosed()
  front.close()
  return answers
}

test.each([
  ['a short request of ingestion', [200], request(TAKE, {}, '{}')],
  ['a request in pieces', [200], request(TAKE, {}, 'x'.repeat(250_000))],
  ['a longer one', [], request(TAKE, {}, 'x'.repeat(300_000))],
  ['a preflight', [204], request('OPTIONS /x.v1.XService/Take', { origin: 'https://o.example' })],
  ['a malformed request', [400], Buffer.from('POST /x HTTP/1.1\r\nnonsense\r\n\r\n')],
  ['another call', [], request(ASK, {}, '{}')],
  ['HEAD of ingestion', [], request('HEAD /x.v1.XService/Take', {})],
  ['a body in chunks', [], request(TAKE, { 'transfer-encoding': 'chunked' }, chunked('{}'))],
])('without a listener, the answers to %s are %j', async (_, statuses, bytes) => {
  expect((await askFrontAlone(bytes)).map(({ status }) => status)).toEqual(statuses)
})

const KINDS: readonly ((note: string, bodyBytes: number) => Buffer)[] = [
  (note, bytes) => request(TAKE, { 'x-note': note }, 'x'.repeat(bytes)),
  (note, bytes) => request(ASK, { 'x-note': note, 'content-type': 'application/json' }, 'x'.repeat(bytes)),
  (note, bytes) => {
    const headers = { 'x-note': note, 'transfer-encoding': 'chunked' }
    return request(TAKE, headers, chunked('x'.repeat(bytes + 1)))
  },
]

/** Requests of several kinds, numbered by their notes, and offsets at which their bytes are cut. */
const sentRequests = fc
  .array(fc.tuple(fc.nat(KINDS.length - 1), fc.constantFrom(0, 1, 700, 20_000)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((kinds) => kinds.map(([index, bytes], note) => KINDS[index]?.(String(note), bytes) ?? Buffer.alloc(0)))
const sentCuts = fc.array(fc.nat(30_000), { maxLength: 4 })

async function writeInPieces(
  connection: RawConnection,
  bytes: Buffer,
  cuts: readonly number[],
): Promise<void> {
  const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
  for (const [index, end] of ends.entries()) await connection.write(bytes.subarray(ends[index - 1] ?? 0, end))
}

test('requests of any kind are answered one after the other, wherever they are cut', async () => {
  await fc.assert(
    fc.asyncProperty(sentRequests, sentCuts, async (requests, cuts) => {
      const connection = await RawConnection.open(edge.frontUrl)
      for (const [index, bytes] of requests.entries()) {
        await writeInPieces(connection, bytes, cuts)
        await connection.answers(index + 1)
      }
      const answers = await connection.answers(requests.length)
      connection.close()
      expect(answers.map(noteOf)).toEqual(requests.map((_, note) => String(note)))
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

// uWebSockets.js cuts a connection that brings a request before the answer to the one before it.
test('requests that come at once are answered in order, all of them or until the connection closes', async () => {
  await fc.assert(
    fc.asyncProperty(sentRequests, sentCuts, async (requests, cuts) => {
      const connection = await RawConnection.open(edge.frontUrl)
      await writeInPieces(connection, Buffer.concat(requests), cuts)
      connection.endWriting()
      const answers = await connection.untilClosed()
      expect(answers.map(noteOf)).toEqual(answers.map((_, note) => String(note)))
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

test('requests of both kinds alternate on one connection', async () => {
  const connection = await RawConnection.open(edge.frontUrl)
  const lines = [TAKE, ASK, ASK, TAKE, TAKE, ASK, TAKE]
  const handles: number[] = []
  for (const [index, line] of lines.entries()) {
    await connection.write(
      request(line, { 'x-note': String(index), 'content-type': 'application/json' }, '{}'),
    )
    await connection.answers(index + 1)
    handles.push(edge.handles.size)
  }
  const answers = await connection.answers(lines.length)
  expect(answers.map(noteOf)).toEqual(lines.map((_, index) => String(index)))
  expect(handles).toEqual(lines.map((line) => (line === TAKE ? 0 : 1)))
  connection.close()
})

test('a request behind one without an answer waits, and bytes beyond a limit stay with the client', async () => {
  const connection = await RawConnection.open(edge.frontUrl)
  await connection.write(request(HOLD, {}, '{}'))
  await untilHeld(1)
  await connection.write(request(TAKE, { 'x-note': 'next' }, 'x'.repeat(60_000)))
  await connection.write(request(ASK, { 'x-note': 'last', 'content-type': 'application/json' }, '{}'))
  expect(connection.received.length).toBe(0)
  held[0]?.answer(jsonAnswer(200, { note: 'first' }))
  expect((await connection.answers(3)).map(noteOf)).toEqual(['first', 'next', 'last'])
  connection.close()
})

test('a connection without a request is closed after a while, and one whose answer takes longer is not', async () => {
  await openImpatient()
  const [idle, busy] = [await RawConnection.open(edge.frontUrl), await RawConnection.open(edge.frontUrl)]
  await busy.write(request(HOLD, {}, '{}'))
  await idle.write(request(TAKE, {}, '{}'))
  await untilHeld(1)
  expect((await idle.untilClosed()).length).toBe(1)
  expect(busy.isEnded).toBe(false)
  held[0]?.answer(jsonAnswer(200, {}))
  expect((await busy.untilClosed()).length).toBe(1)
})

test('a body that is not in soon is awaited by the listener', async () => {
  const connection = await RawConnection.open(edge.frontUrl)
  const bytes = request(TAKE, { 'x-note': 'slow' }, '{}')
  await connection.write(bytes.subarray(0, -1))
  await waitFor('the request to count', () => (edge.count.running === 1 ? true : undefined))
  await waitFor('the listener to have it', () => (edge.handles.size === 1 ? true : undefined))
  await connection.write(bytes.subarray(-1))
  expect(noteOf(await connection.answer())).toBe('slow')
  connection.close()
  await waitFor('nothing to be left', () => (edge.count.running + edge.handles.size === 0 ? true : undefined))
})

test('the room for long requests in pieces is limited, and given back when their clients leave', async () => {
  const begun = request(TAKE, {}, 'x'.repeat(256 * 1024)).subarray(0, -1)
  const clients = await Promise.all(Array.from({ length: 65 }, () => RawConnection.open(edge.frontUrl)))
  for (const client of clients) await client.write(begun)
  await waitFor('the listener to have one', () => (edge.handles.size > 0 ? true : undefined))
  for (const client of clients) client.close()
  await waitFor('nothing to be left', () => (edge.count.running + edge.handles.size === 0 ? true : undefined))
  const next = await RawConnection.open(edge.frontUrl)
  await next.write(request(TAKE, { 'x-note': 'next' }, 'x'.repeat(250_000)))
  expect(noteOf(await next.answer())).toBe('next')
  expect(edge.handles.size).toBe(0)
  next.close()
})

test('a half-closed connection has its answer, and is closed', async () => {
  const connection = await RawConnection.open(edge.frontUrl)
  await connection.write(request(HOLD, {}, '{}'))
  await untilHeld(1)
  connection.endWriting()
  held[0]?.answer(jsonAnswer(200, {}))
  expect(await connection.untilClosed()).toMatchObject([{ status: 200 }])
})

test('a client that leaves before its answer leaves nothing behind', async () => {
  const connection = await RawConnection.open(edge.frontUrl)
  await connection.write(request(HOLD, {}, '{}'))
  await untilHeld(1)
  let isGone = false
  held[0]?.onGone(() => {
    isGone = true
  })
  connection.socket.resetAndDestroy()
  await waitFor('the client to be gone', () => (isGone ? true : undefined))
  expect([edge.count.running, edge.budget.bytes, held[0]?.isOver]).toEqual([0, 0, true])
})

test('a connection is closed with the answer when the client asks for it, and when the edge stops', async () => {
  const asking = await RawConnection.open(edge.frontUrl)
  await asking.write(request(TAKE, { connection: 'close' }, '{}'))
  expect(await asking.untilClosed()).toMatchObject([{ headers: { connection: 'close' } }])
  const [idle, busy] = [await RawConnection.open(edge.frontUrl), await RawConnection.open(edge.frontUrl)]
  await idle.write(request(TAKE, {}, '{}'))
  await idle.answer()
  await busy.write(request(HOLD, {}, '{}'))
  await untilHeld(1)
  const drained = edge.count.drain()
  edge.clients.close()
  expect((await idle.untilClosed()).length).toBe(1)
  held[0]?.answer(jsonAnswer(200, {}))
  await drained
  expect(await busy.untilClosed()).toMatchObject([{ headers: { connection: 'close' } }])
})

test('a body without room in the budget is refused', async () => {
  edge.budget.add(BUDGET_BYTES)
  const connection = await RawConnection.open(edge.frontUrl)
  await connection.write(request(TAKE, {}, '{}'))
  expect(JSON.parse((await connection.answer()).body)).toMatchObject({ refused: 'no_budget' })
  edge.budget.add(-BUDGET_BYTES)
  await connection.write(request(TAKE, {}, '{}'))
  expect(JSON.parse((await connection.answers(2))[1]?.body ?? '')).toMatchObject({
    bytes: 2,
    peer: '127.0.0.1',
  })
  expect(edge.budget.bytes).toBe(0)
  connection.close()
})

test('a client that takes nothing of a long answer is closed after a while', async () => {
  await openImpatient()
  const { port } = new URL(edge.frontUrl)
  const socket = connect(Number(port), '127.0.0.1')
    .on('error', () => undefined)
    .pause()
  await once(socket, 'connect')
  socket.write(request(HOLD, {}, '{}'))
  await untilHeld(1)
  held[0]?.answer({ status: 200, headers: [], body: Buffer.alloc(LONG_BYTES) })
  socket.write(request(HOLD, {}, '{}'))
  const closed = once(socket, 'close')
  await waitFor('the edge to have closed it', () => (edge.connections === 0 ? true : undefined))
  socket.resume()
  await closed
  expect(held.length).toBe(1)
})
