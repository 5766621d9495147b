import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../../test/protocols/raw-connection.ts'
import type { Caller } from '../access/caller.ts'
import { asCustomerId, asProjectId } from '../contract/ids.ts'
import { createLogger } from '../kernel/log.ts'
import { EDGE_NOTE_HEADERS } from '../rpc/edge-notes.ts'
import { Readiness } from '../rpc/readiness.ts'
import { createRpcListener } from './rpc-listener.ts'

const CHECK = '/grpc.health.v1.Health/Check'

let server: Server
let caller: Caller | undefined
let isBehindEdge: boolean

beforeEach(async () => {
  caller = undefined
  isBehindEdge = true
  await listen()
})

async function listen(): Promise<void> {
  const listener = createRpcListener({
    authenticate: async () => {
      if (caller) return caller
      throw new Error('no caller')
    },
    interceptors: [],
    services: [],
    log: createLogger({ role: 'test', level: 'silent' }),
    readiness: new Readiness({}),
    errorDomain: 'millrace.test',
    bodyBytesMax: 1024,
    longestCallSeconds: 1,
    publicUrl: 'http://127.0.0.1',
    isEmbeddable: async () => false,
    isBehindEdge,
    version: '0',
  })
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
}

function close(): void {
  server.close()
  server.closeAllConnections()
}

afterEach(close)

async function verifiedHeader(): Promise<string | null> {
  const { port } = server.address() as AddressInfo
  const headers = { 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${port}${CHECK}`
  const response = await fetch(url, { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(200)
  return response.headers.get(EDGE_NOTE_HEADERS.verified)
}

const projectId = asProjectId(1)

test.each<readonly [string, Caller, string | null]>([
  ['a session', { kind: 'customer', customerId: asCustomerId('c'), sessionId: 's', signedInMs: 0 }, '1'],
  ['a private key', { kind: 'key', projectId, keyKind: 'private', keyId: 'k', masked: 'prv_…abcd' }, '1'],
  ['a public key', { kind: 'key', projectId, keyKind: 'public', keyId: 'k', masked: 'pub_…abcd' }, null],
  ['no credential', { kind: 'anonymous' }, null],
])('a call with %s is noted as verified for the edge, or not', async (_, calledBy, expected) => {
  caller = calledBy
  expect(await verifiedHeader()).toBe(expected)
})

test('without an edge in between, no answer has a note', async () => {
  close()
  isBehindEdge = false
  caller = { kind: 'key', projectId, keyKind: 'private', keyId: 'k', masked: 'prv_…abcd' }
  await listen()
  expect(await verifiedHeader()).toBeNull()
})

test.each([
  ['is cut off', 'HTTP/1.1\r\nHost: [\r\n'],
  ['has a space', 'HTTP/1.1\r\nHost: a b\r\n'],
  ['is empty', 'HTTP/1.1\r\nHost: \r\n'],
  ['is not said', 'HTTP/1.0\r\n'],
])('a host that %s is refused', async (_, rest) => {
  const { port } = server.address() as AddressInfo
  const connection = await send(`http://127.0.0.1:${port}`, `POST /mcp ${rest}Content-Length: 0\r\n\r\n`)
  const { status, body } = await connection.answer()
  connection.close()
  expect({ status, code: JSON.parse(body).code }).toEqual({ status: 400, code: 'invalid_argument' })
})
