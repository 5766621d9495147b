import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { BodyBudget, type BodyKind, type BodyOwner } from '../../src/edge/body-budget.ts'
import type { EdgeMethod } from '../../src/edge/exchange.ts'
import { jsonAnswer } from '../../src/rpc/answer.ts'
import { ForwardingEdge } from '../harness/forwarding-edge.ts'
import { waitFor } from '../harness/wait.ts'
import { RawConnection, request } from '../protocols/raw-connection.ts'

const MIB = 1024 * 1024
const TAKE = '/test.v1.TestService/Take'
const ASK = '/shared.insights.v1.InsightsService/Query'

/** Accepts every body, and answers its length. */
const take: EdgeMethod = {
  serve: (head, exchange) => {
    const credential = head.header('x-api-key') ?? ''
    exchange.readBody(
      8 * MIB,
      (outcome) =>
        exchange.answer(jsonAnswer(200, 'body' in outcome ? { bytes: outcome.body.length } : outcome)),
      { kind: 'ingestion', credential, network: head.peer },
    )
  },
}

const opened: { close(): unknown }[] = []

afterEach(() => {
  for (const one of opened.splice(0).reverse()) one.close()
})

async function openEdge(budget: BodyBudget): Promise<ForwardingEdge> {
  const edge = await ForwardingEdge.open({
    target: 'http://127.0.0.1:1',
    budget,
    ingestion: new Map([[TAKE, take]]),
  })
  opened.push(edge)
  return edge
}

function openSession(edge: ForwardingEdge): ClientHttp2Session {
  const session = connect(edge.frontUrl)
  session.on('error', () => undefined)
  opened.push({ close: () => session.destroy() })
  return session
}

/** Begins a request whose body has no end yet. */
function begin(session: ClientHttp2Session, path: string, key?: string): ClientHttp2Stream {
  const headers = {
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }
  return session.request(headers, { endStream: false }).on('error', () => undefined)
}

async function takeOverHttp1(edge: ForwardingEdge, key: string, body: Buffer): Promise<unknown> {
  const connection = await RawConnection.open(edge.http1Url)
  opened.push(connection)
  await connection.write(request(`POST ${TAKE}`, { 'x-api-key': key }, body))
  return JSON.parse((await connection.answer()).body)
}

/** Bodies that have no end, until one of them is refused or all of them stand. */
async function fill(edge: ForwardingEdge, begins: readonly (() => ClientHttp2Stream)[]): Promise<void> {
  let answered = 0
  const streams = begins.map((one) => one().once('response', () => answered++))
  for (const stream of streams) stream.write(Buffer.alloc(200_000))
  await waitFor('the bodies to stand or be refused', () => {
    const standing = edge.budget.bytes / 200_000
    return standing + answered >= streams.length ? true : undefined
  })
}

test('endless bodies over one connection leave budget for other connections, even under the same key', async () => {
  const edge = await openEdge(new BodyBudget(4 * MIB))
  const session = openSession(edge)
  await fill(
    edge,
    Array.from({ length: 30 }, () => () => begin(session, TAKE, 'pub_one')),
  )
  expect(edge.budget.isSpent).toBe(false)
  for (const key of ['pub_one', 'pub_two'])
    expect(await takeOverHttp1(edge, key, Buffer.alloc(MIB))).toEqual({ bytes: MIB })
})

test('endless bodies under one key leave budget for other keys', async () => {
  const edge = await openEdge(new BodyBudget(4 * MIB))
  await fill(
    edge,
    Array.from({ length: 30 }, () => () => begin(openSession(edge), TAKE, 'pub_one')),
  )
  expect(edge.budget.isSpent).toBe(false)
  expect(await takeOverHttp1(edge, 'pub_two', Buffer.alloc(MIB))).toEqual({ bytes: MIB })
})

test.each([
  ['without a key', undefined],
  ['with unverified keys', 'prv_'],
])('bodies of forwarded calls %s leave budget for events', async (_, key) => {
  const edge = await openEdge(new BodyBudget(4 * MIB))
  await fill(
    edge,
    Array.from(
      { length: 30 },
      (_, index) => () => begin(openSession(edge), ASK, key === undefined ? undefined : `${key}${index}`),
    ),
  )
  expect(edge.budget.bytes).toBeLessThan(2 * MIB)
  expect(await takeOverHttp1(edge, 'pub_two', Buffer.alloc(MIB))).toEqual({ bytes: MIB })
})

test('a forwarded body over HTTP/2 counts against the budget until it ends', async () => {
  const edge = await openEdge(new BodyBudget(4 * MIB))
  const stream = begin(openSession(edge), ASK, 'prv_one')
  stream.write(Buffer.alloc(50_000))
  await waitFor('the body to be counted', () => (edge.budget.bytes === 50_000 ? true : undefined))
  stream.close()
  await waitFor('its room to be free', () => (edge.budget.bytes === 0 ? true : undefined))
})

const SOON = { windowMs: 300, bodyMsMax: 1200 }

test.each([
  ['drips', 1000],
  ['keeps the minimum rate but never ends', 40_000],
])('a connection is closed when its HTTP/1.1 body %s', async (_, bytes) => {
  const edge = await openEdge(new BodyBudget(4 * MIB, { pace: SOON }))
  const connection = await RawConnection.open(edge.http1Url)
  opened.push(connection)
  const head = request(`POST ${TAKE}`, { 'x-api-key': 'k', 'content-length': String(8 * MIB) })
  await connection.write(Buffer.concat([head, Buffer.alloc(bytes)]))
  const timer = setInterval(() => void connection.write(Buffer.alloc(bytes)), 50)
  await connection.untilEnded()
  clearInterval(timer)
  await waitFor('its room to be free', () => (edge.budget.bytes === 0 ? true : undefined))
  expect(connection.received.length).toBe(0)
})

test('a stream is reset when its HTTP/2 body keeps the minimum rate but never ends', async () => {
  const edge = await openEdge(new BodyBudget(4 * MIB, { pace: SOON }))
  const stream = begin(openSession(edge), TAKE, 'k')
  const timer = setInterval(() => stream.write(Buffer.alloc(40_000)), 50)
  await new Promise<void>((resolve) => stream.once('close', () => resolve()))
  clearInterval(timer)
  expect(stream.rstCode).toBe(11)
  await waitFor('its room to be free', () => (edge.budget.bytes === 0 ? true : undefined))
})

test('a slow upload that outlasts the timeout of the HTTP library is accepted over both HTTP versions', async () => {
  const edge = await openEdge(new BodyBudget(4 * MIB))
  const body = Buffer.alloc(160_000)
  const stream = begin(openSession(edge), TAKE, 'k')
  const connection = await RawConnection.open(edge.http1Url)
  opened.push(connection)
  await connection.write(request(`POST ${TAKE}`, { 'content-length': String(body.length) }))
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const piece = body.subarray(sent, sent + 2500)
      sent += piece.length
      stream.write(piece)
      void connection.write(piece)
      if (sent < body.length) return
      clearInterval(timer)
      resolve()
    }, 250)
  })
  stream.end()
  expect(JSON.parse((await connection.answer()).body)).toEqual({ bytes: body.length })
  expect(JSON.parse(await text(stream))).toEqual({ bytes: body.length })
})

const BUDGET = 8 * MIB
const OWNER: BodyOwner = { kind: 'ingestion', credential: 'key', network: 'net' }

/** Opens bodies of a mebibyte until one finds no room. */
function bodiesThatFit(budget: BodyBudget, owner: (index: number) => BodyOwner, connection?: string): number {
  for (let count = 0; ; count++) {
    const body = { connection, letGo: () => undefined, keep: () => undefined }
    const room = budget.open(owner(count), body)
    opened.push(room)
    if (!room.take(MIB)) return count
  }
}

test.each<readonly [string, BodyKind, Partial<BodyOwner>, string | undefined, number]>([
  ['a connection', 'ingestion', {}, 'one', 2],
  ['a key', 'ingestion', {}, undefined, 3],
  ['a network with many keys', 'ingestion', { credential: '' }, undefined, 4],
  ['forwarded calls with many keys', 'call', { credential: '' }, undefined, 3],
  ['calls without a credential', 'anonymous call', { credential: '' }, undefined, 1],
])('%s has a share of the room for long bodies', (_, kind, fields, connection, expected) => {
  const budget = new BodyBudget(BUDGET)
  expect(bodiesThatFit(budget, () => ({ ...OWNER, ...fields, kind }), connection)).toBe(expected)
  const other = { connection: undefined, letGo: () => undefined, keep: () => undefined }
  const room = budget.open({ kind: 'ingestion', credential: 'other', network: 'elsewhere' }, other)
  opened.push(room)
  expect(room.take(2 * MIB)).toBe(true)
})
