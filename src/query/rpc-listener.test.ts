import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '../../test/protocols/raw-connection.ts'
import { createLogger } from '../kernel/log.ts'
import { Readiness } from '../rpc/readiness.ts'
import { createRpcListener } from './rpc-listener.ts'

let server: Server

beforeEach(async () => {
  const listener = createRpcListener({
    authenticate: async () => Promise.reject(new Error('nobody is known')),
    interceptors: [],
    services: [],
    log: createLogger({ role: 'test', level: 'silent' }),
    readiness: new Readiness({}),
    errorDomain: 'millrace.test',
    bodyBytesMax: 1024,
    longestCallSeconds: 1,
    publicUrl: 'http://127.0.0.1',
    isBehindEdge: true,
    version: '0',
  })
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
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
