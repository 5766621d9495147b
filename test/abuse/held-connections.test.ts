import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer as createHttp2Server,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EDGE_NOTE_HEADERS } from '../../src/rpc/edge-notes.ts'
import { ForwardingEdge } from '../harness/forwarding-edge.ts'
import { waitFor } from '../harness/wait.ts'
import { type RawConnection, request } from '../protocols/raw-connection.ts'
import { openRaw } from './client.ts'

const SIGN_IN = '/public.auth.v1.AuthService/SignInWithEmail'
const LIST = '/shared.profiles.v1.ProfilesService/List'
const { hold: HOLD_HEADER, verified: VERIFIED_HEADER } = EDGE_NOTE_HEADERS
const JSON_TYPE = { 'content-type': 'application/json' }
const WITH_KEY = { ...JSON_TYPE, 'x-api-key': 'prv_one' }

/** More than the edge had connections to the process behind it, for all calls together. */
const MANY = 300

const opened: { close(): unknown }[] = []

let arrived: { readonly path: string; readonly headers: IncomingHttpHeaders }[]

beforeEach(() => {
  arrived = []
})

afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function openEdge(target: string): Promise<ForwardingEdge> {
  const edge = await ForwardingEdge.open({ target, idleTimeoutMs: 60_000 })
  opened.push(edge)
  return edge
}

/** A process behind the edge that answers nothing but the list. */
async function openHttp1(
  signIn: (response: ServerResponse, headers: IncomingHttpHeaders) => void,
): Promise<ForwardingEdge> {
  const server = createServer((asked, response) => {
    const { url, headers } = asked
    arrived.push({ path: url ?? '', headers })
    asked.resume().once('end', () => (url === LIST ? list(response) : signIn(response, headers)))
  }).listen(0, '127.0.0.1')
  const list = (response: ServerResponse): void => void response.setHeader(VERIFIED_HEADER, '1').end('{}')
  opened.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  })
  await once(server, 'listening')
  return await openEdge(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function openHttp2(
  signIn: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<ForwardingEdge> {
  const server = createHttp2Server().listen(0, '127.0.0.1')
  server.on('session', (session) => opened.push({ close: () => session.destroy() }))
  server.on('stream', (stream, headers) => {
    arrived.push({ path: headers[':path'] ?? '', headers })
    stream.on('error', () => undefined)
    if (headers[':path'] !== LIST) return signIn(stream, headers)
    stream.resume().respond({ ':status': 200, [VERIFIED_HEADER]: '1' })
    stream.end('{}')
  })
  opened.push(server)
  await once(server, 'listening')
  return await openEdge(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function openMany(
  edge: ForwardingEdge,
  count: number,
  from = '127.0.0.1',
): Promise<readonly RawConnection[]> {
  const connections = await Promise.all(
    Array.from({ length: count }, async () => await openRaw(edge.http1Url, from)),
  )
  opened.push(...connections)
  return connections
}

function openSession(edge: ForwardingEdge, from = '127.0.0.1'): ClientHttp2Session {
  const session = connect(edge.frontUrl, { localAddress: from } as object)
  session.on('error', () => undefined)
  opened.push({ close: () => session.destroy() })
  return session
}

function begin(session: ClientHttp2Session, path: string, headers: object): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers }, { endStream: false })
  return stream.on('error', () => undefined)
}

/** The status of a call with a key, over HTTP/1.1. */
async function list(edge: ForwardingEdge): Promise<number> {
  const [connection] = await openMany(edge, 1)
  await connection?.write(request(`POST ${LIST}`, WITH_KEY, '{}'))
  return (await connection?.answer())?.status ?? 0
}

async function listOverHttp2(edge: ForwardingEdge): Promise<number> {
  const stream = begin(openSession(edge), LIST, WITH_KEY).end('{}')
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  return headers[':status'] ?? 0
}

test('pending sign-ins over HTTP/1.1 do not block a call with a key', async () => {
  const edge = await openHttp1(() => undefined)
  const attackers = await openMany(edge, MANY)
  for (const one of attackers) await one.write(request(`POST ${SIGN_IN}`, JSON_TYPE, '{}'))
  await waitFor('the attack to stand', () => (edge.count.running === MANY ? true : undefined))
  expect(await list(edge)).toBe(200)
  expect(arrived.length).toBeLessThan(MANY / 2)
})

test('pending sign-ins over HTTP/2 do not block a call with a key', async () => {
  const edge = await openHttp2((stream) => stream.resume())
  for (const session of [openSession(edge), openSession(edge)])
    for (let count = 0; count < MANY / 2; count++) begin(session, SIGN_IN, JSON_TYPE).end('{}')
  await waitFor('the attack to stand', () => (edge.count.running === MANY ? true : undefined))
  expect(await listOverHttp2(edge)).toBe(200)
  expect(arrived.length).toBeLessThan(MANY / 2)
})

test('returns 429 with Retry-After when all connections are busy and the queue is full', async () => {
  const edge = await openHttp1(() => undefined)
  const attackers = await openMany(edge, 500)
  for (const one of attackers) await one.write(request(`POST ${SIGN_IN}`, JSON_TYPE, '{}'))
  const refused = await waitFor('a refusal', () => attackers.find(({ received }) => received.length > 0))
  const { status, headers, body } = await refused.answer()
  expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '1' })
  expect(JSON.parse(body)).toMatchObject({ code: 'resource_exhausted' })
})

test('a delayed refusal waits at the edge without a connection, and omits the header that asks for the delay', async () => {
  const edge = await openHttp1((response) => {
    response.writeHead(429, { [HOLD_HEADER]: '1500', 'content-type': 'application/json' })
    response.end('{"code":"resource_exhausted"}')
  })
  const attackers = await openMany(edge, MANY)
  const sent = performance.now()
  for (const one of attackers) await one.write(request(`POST ${SIGN_IN}`, JSON_TYPE, '{}'))
  // All of them have been answered by the process behind, which has more to do than connections.
  await waitFor('all to be refused', () => (arrived.length === MANY ? true : undefined))
  expect(await list(edge)).toBe(200)
  const answers = await Promise.all(attackers.map(async (one) => await one.answer()))
  expect(performance.now() - sent).toBeGreaterThan(1400)
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['429 {"code":"resource_exhausted"}']),
  )
  expect(answers.flatMap(({ headers }) => Object.keys(headers))).not.toContain(HOLD_HEADER)
})

test.each([
  ['with a body', false],
  ['of gRPC, without a body', true],
])('a refusal %s is delayed over HTTP/2', async (_, endStream) => {
  const edge = await openHttp2((stream) => {
    stream.resume().respond({ ':status': 429, [HOLD_HEADER]: '1000', 'grpc-status': '8' }, { endStream })
    if (!endStream) stream.end('{"code":"resource_exhausted"}')
  })
  const session = openSession(edge)
  const sent = performance.now()
  const stream = begin(session, SIGN_IN, JSON_TYPE).end('{}')
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }]
  expect(performance.now() - sent).toBeGreaterThan(900)
  expect(headers[':status']).toBe(429)
  expect(headers['grpc-status']).toBe('8')
  expect(headers[HOLD_HEADER]).toBeUndefined()
  expect(await text(stream)).toBe(endStream ? '' : '{"code":"resource_exhausted"}')
})

describe('a flood of sign-ins from two networks', () => {
  const ATTACKERS = ['127.0.0.1', '127.0.0.66']
  const HONEST = '127.0.0.2'
  const isHonest = (headers: IncomingHttpHeaders): boolean => headers['x-test-honest'] === 'yes'
  const BY_HONEST = { ...JSON_TYPE, 'x-test-honest': 'yes' }

  test('does not delay an HTTP/1.1 sign-in from a known network, whose answers omit the internal header', async () => {
    const edge = await openHttp1((response, headers) => (isHonest(headers) ? response.end('{}') : undefined))
    const [honest] = await openMany(edge, 1, HONEST)
    await honest?.write(request(`POST ${LIST}`, WITH_KEY, '{}'))
    expect((await honest?.answer())?.headers).not.toHaveProperty(VERIFIED_HEADER)
    for (const network of ATTACKERS)
      for (const one of await openMany(edge, MANY, network))
        await one.write(request(`POST ${SIGN_IN}`, JSON_TYPE, '{}'))
    await waitFor('the attack to stand', () => (edge.count.running === 2 * MANY ? true : undefined))
    await honest?.write(request(`POST ${SIGN_IN}`, BY_HONEST, '{}'))
    expect((await honest?.answer())?.status).toBe(200)
  })

  test('does not delay an HTTP/2 sign-in from a known network', async () => {
    const edge = await openHttp2((stream, headers) => {
      stream.resume()
      if (isHonest(headers)) stream.respond({ ':status': 200 }, { endStream: true })
    })
    const honest = openSession(edge, HONEST)
    const [listed] = (await once(begin(honest, LIST, WITH_KEY).end('{}'), 'response')) as [object]
    expect(listed).not.toHaveProperty(VERIFIED_HEADER)
    for (const network of ATTACKERS)
      for (const session of [openSession(edge, network), openSession(edge, network)])
        for (let count = 0; count < MANY / 2; count++) begin(session, SIGN_IN, JSON_TYPE).end('{}')
    await waitFor('the attack to stand', () => (edge.count.running === 2 * MANY ? true : undefined))
    const [signedIn] = (await once(begin(honest, SIGN_IN, BY_HONEST).end('{}'), 'response')) as [
      { readonly ':status'?: number },
    ]
    expect(signedIn[':status']).toBe(200)
  })
})

test.each([HOLD_HEADER, VERIFIED_HEADER])('the header %s of a client is not forwarded', async (header) => {
  const edge = await openHttp1(() => undefined)
  const [connection] = await openMany(edge, 1)
  await connection?.write(request(`POST ${LIST}`, { ...WITH_KEY, [header]: '1' }, '{}'))
  expect((await connection?.answer())?.status).toBe(200)
  expect(arrived[0]?.headers).not.toHaveProperty(header)
})

test('requests reach the query process only with their bodies', async () => {
  const edge = await openHttp2((stream) => stream.resume())
  for (let count = 0; count < 4; count++) {
    const session = openSession(edge)
    for (let head = 0; head < 200; head++) begin(session, LIST, WITH_KEY)
  }
  await waitFor('the attack to stand', () => (edge.count.running === 800 ? true : undefined))
  expect(arrived).toEqual([])
  expect(await listOverHttp2(edge)).toBe(200)
  expect(arrived).toHaveLength(1)
})

test('calls with a key from one network leave connections for another network', async () => {
  const edge = await openHttp2((stream) => stream.resume())
  for (let count = 0; count < 4; count++) {
    const session = openSession(edge)
    for (let call = 0; call < 100; call++)
      begin(session, '/shared.insights.v1.InsightsService/Query', WITH_KEY).end('{}')
  }
  await waitFor('the attack to stand', () => (edge.count.running === 400 ? true : undefined))
  // As many as one network may have of those that run.
  await waitFor('as many as may', () => (arrived.length >= 192 ? true : undefined))
  expect(arrived).toHaveLength(192)
  const stream = begin(openSession(edge, '127.0.0.2'), LIST, WITH_KEY).end('{}')
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  expect(headers[':status']).toBe(200)
})
