import { strict as assert } from 'node:assert'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../test/harness/wait.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { createLogger } from '../../kernel/log.ts'
import { Readiness } from '../../rpc/readiness.ts'
import { BodyBudget } from '../body-budget.ts'
import { ClientFactsReader } from '../client-facts.ts'
import { RequestCount } from '../exchange.ts'
import { UpstreamPulse } from '../upstream-pulse.ts'
import { UpstreamRooms } from '../upstream-rooms.ts'
import { Http1Forwarder } from './http1-forward.ts'
import { Http1Server } from './http1-server.ts'

const BUDGET_BYTES = 1000
const CONNECTIONS_MAX = 50
const HALF = Buffer.alloc(BUDGET_BYTES / 2, 'x')

let budget: BodyBudget
let server: Http1Server
let port: number

beforeEach(async () => {
  const whole = {
    kinds: { ingestion: 1, call: 1, 'anonymous call': 1 },
    credential: 1,
    network: 1,
    connection: 1,
  }
  budget = new BodyBudget(BUDGET_BYTES, { shares: whole })
  const none = parseAddressRanges([])
  assert(none.ok)
  const up = async (): Promise<void> => undefined
  const log = createLogger({ role: 'test', level: 'silent' })
  const rooms = new UpstreamRooms(new ClientFactsReader(none.value))
  server = new Http1Server({
    rooms,
    ingestion: new Map(),
    forwarder: new Http1Forwarder({
      rooms,
      target: () => 'http://127.0.0.1:9',
      log,
      errorDomain: 'test',
      idleTimeoutMs: 1000,
      pulse: new UpstreamPulse({ isSilent: async () => false, log }),
    }),
    readiness: new Readiness({ up }),
    budget,
    count: new RequestCount(),
    bodyBytesMax: 10 * BUDGET_BYTES,
    errorDomain: 'test',
    trustedProxies: none.value,
    connectionsMax: CONNECTIONS_MAX,
  })
  port = await freePort()
  await server.listen('127.0.0.1', port)
})

afterEach(() => server.close())

interface Begun {
  /** Sends half a budget more. */
  readonly write: () => void
  /** The same, and the end. */
  readonly finish: () => void
  readonly end: () => void
  readonly status: Promise<number | undefined>
}

/** A request that has sent half a budget of its body. */
function begin(headers: OutgoingHttpHeaders = { 'content-length': 2 * HALF.length }): Begun {
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/x',
    headers,
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    call.on('error', reject)
  })
  call.write(HALF)
  return { write: () => call.write(HALF), finish: () => call.end(HALF), end: () => call.end(), status }
}

test('a body is not read while those of others fill the budget', async () => {
  const [first, second] = [begin(), begin()]
  await expect.poll(() => budget.isSpent).toBe(true)
  const third = begin()
  expect(await third.status).toBe(429)
  for (const { finish, status } of [first, second]) {
    finish()
    // It was forwarded to a port without a listener.
    expect(await status).toBe(503)
  }
  await expect.poll(() => budget.bytes).toBe(0)
})

test('a body alone may be longer than the budget', async () => {
  const alone = begin({ 'content-length': 10 * HALF.length })
  for (let bytes = HALF.length; bytes <= 9 * HALF.length; bytes += HALF.length) {
    await expect.poll(() => budget.bytes).toBe(bytes)
    if (bytes < 9 * HALF.length) alone.write()
  }
  alone.finish()
  expect(await alone.status).toBe(503)
  await expect.poll(() => budget.bytes).toBe(0)
})

test('a request without a body needs no room', async () => {
  budget.add(BUDGET_BYTES)
  const { status } = await fetch(`http://127.0.0.1:${port}/x`)
  expect(status).toBe(503)
})

test('the end of a body needs no room', async () => {
  const call = begin({ 'transfer-encoding': 'chunked' })
  await expect.poll(() => budget.bytes).toBe(HALF.length)
  budget.add(BUDGET_BYTES)
  call.end()
  expect(await call.status).toBe(503)
})

test('connections beyond the limit are dropped, and others are served when there is room again', async () => {
  const sockets = Array.from({ length: 2 * CONNECTIONS_MAX }, () => connect(port, '127.0.0.1'))
  const open = (): Socket[] => sockets.filter((socket) => !socket.destroyed)
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  await expect.poll(() => open().length).toBe(CONNECTIONS_MAX)
  open()[0]?.destroy()
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  for (const socket of open()) socket.destroy()
})
