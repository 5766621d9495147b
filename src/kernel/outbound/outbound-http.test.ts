import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import { rangesOf } from '../../../test/harness/loopback.ts'
import { freePort } from '../../../test/harness/wait.ts'
import { Outbound } from './outbound.ts'
import { createFixedHosts, type OutboundRequest, requestFixedHost, requestOutbound } from './outbound-http.ts'

const NO_SIGNAL = new AbortController().signal
const outbound = new Outbound({ allowed: rangesOf('127.0.0.1') })

let doubles: HttpDouble[]
let servers: Server[]
let sockets: Socket[]

beforeEach(() => {
  doubles = []
  servers = []
  sockets = []
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  await Promise.all(doubles.map((double) => double.stop()))
})

async function serve(answer: Parameters<typeof startHttpDouble>[0]): Promise<HttpDouble> {
  const double = await startHttpDouble(answer)
  doubles.push(double)
  return double
}

/** A server that sends arbitrary bytes once a request has arrived. */
async function serveRaw(write: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', () => write(socket))
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const BOUNDS = { timeoutMs: 5000, answerBytesMax: 1000 } as const
const POST = { method: 'POST', headers: {}, body: 'hello', ...BOUNDS } as const

async function post(url: string, fields: Partial<OutboundRequest> = {}, signal = NO_SIGNAL) {
  return await requestOutbound(outbound, { url, ...POST, ...fields }, signal)
}

/** Writes repeatedly, interleaved with everything else in this process. */
function keepWriting(socket: Socket, piece: string): void {
  const block = piece.repeat(1000)
  const write = () => {
    if (!socket.destroyed && socket.write(block)) setImmediate(write)
  }
  socket.on('drain', () => setImmediate(write))
  write()
}

test('a request arrives, and its response comes back', async () => {
  const double = await serve(() => ({ status: 201, headers: { 'x-a': 'b' }, body: { ok: true } }))
  const answer = await post(`${double.url}/path?a=b`, { headers: { 'x-c': 'd' } })
  expect([answer.status, answer.headers['x-a'], answer.body.toString()]).toEqual([201, 'b', '{"ok":true}'])
  expect(double.requests).toMatchObject([
    { method: 'POST', path: '/path?a=b', body: 'hello', headers: { 'x-c': 'd', host: double.url.slice(7) } },
  ])
})

test('a redirect is returned and not followed', async () => {
  const elsewhere = await serve(() => ({ status: 200 }))
  const locations = [elsewhere.url, 'http://169.254.169.254/latest/meta-data/', '/again']
  for (const location of locations) {
    const double = await serve(() => ({ status: 307, headers: { location } }))
    expect((await post(double.url)).status).toBe(307)
    expect(double.requests).toHaveLength(1)
  }
  expect(elsewhere.requests).toEqual([])
})

test.each([
  ['ftp://127.0.0.1/', 'bad-url'],
  ['nothing', 'bad-url'],
  ['http://user:password@127.0.0.1/', 'bad-url'],
  ['http://127.0.0.2/', 'refused-address'],
  ['http://2130706434/', 'refused-address'],
  ['http://0x7f.2/', 'refused-address'],
  ['http://[::1]/', 'refused-address'],
  ['http://[::ffff:127.0.0.2]/', 'refused-address'],
  ['https://[fd00:ec2::254]/', 'refused-address'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'refused-address'],
])('%s is rejected: %s', async (url, failure) => {
  await expect(post(url)).rejects.toMatchObject({ failure })
})

test('a port without a server has its own error', async () => {
  await expect(post(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
    failure: 'unreachable',
    code: 'ECONNREFUSED',
  })
})

test.each([
  ['an endless body', 'HTTP/1.1 200 OK\r\n\r\n', 'x', 'too-large'],
  ['endless chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n', 'too-large'],
  ['an endless head', 'HTTP/1.1 200 OK\r\n', 'x-a: b\r\n', 'bad-answer'],
  ['endless interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n', 'too-large'],
  ['endless 100 Continue responses', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'too-large'],
  ['a response that is not HTTP', '', 'hello\r\n', 'bad-answer'],
])('%s fails', async (_, head, piece, failure) => {
  const url = await serveRaw((socket) => {
    socket.write(head)
    keepWriting(socket, piece)
  })
  await expect(post(url, { timeoutMs: 20_000 })).rejects.toMatchObject({ failure })
})

test.each([
  ['nothing', ''],
  ['half of a head', 'HTTP/1.1 200 OK\r\nx-a:'],
  ['half of a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
])('a response that stops after %s times out at the deadline', async (_, text) => {
  const url = await serveRaw((socket) => socket.write(text))
  await expect(post(url, { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' })
})

test('a trickling response does not extend the deadline', async () => {
  const url = await serveRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(timer))
  })
  await expect(post(url, { timeoutMs: 200 })).rejects.toMatchObject({ failure: 'timeout' })
})

test.each([
  ['before the response', (socket: Socket) => socket.resetAndDestroy()],
  ['without a response', (socket: Socket) => socket.end()],
  ['within the head', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nx-a:')],
  ['within the body', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
])('a connection that the peer closes %s is not an unreachable host', async (_, close) => {
  const url = await serveRaw(close)
  await expect(post(url)).rejects.toMatchObject({ failure: 'no-answer' })
})

test('a caller that aborts gets its own reason', async () => {
  const url = await serveRaw(() => undefined)
  const stop = new AbortController()
  const answer = post(url, {}, stop.signal)
  stop.abort(new Error('the process stops'))
  await expect(answer).rejects.toThrow('the process stops')
})

test('a request goes to the address that was checked, with the name in its head', async () => {
  const double = await serve(() => ({ status: 200 }))
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const rebinding = new Outbound({
    allowed: rangesOf('127.0.0.1'),
    resolve: async () => answers.shift() ?? [],
  })
  const url = double.url.replace('127.0.0.1', 'rebinding.test')
  expect((await requestOutbound(rebinding, { url, ...POST }, NO_SIGNAL)).status).toBe(200)
  expect(double.requests[0]?.headers.host).toBe(new URL(url).host)
  await expect(requestOutbound(rebinding, { url, ...POST }, NO_SIGNAL)).rejects.toMatchObject({
    failure: 'refused-address',
  })
})

test('a handshake that never ends times out at the deadline of the connection', async () => {
  const url = (await serveRaw(() => undefined)).replace('http', 'https')
  const bounds = { timeoutMs: 600_000, connectTimeoutMs: 50 }
  await expect(post(url, bounds)).rejects.toMatchObject({ failure: 'timeout' })
})

test('a fixed host may have any address, and its connection is reused', async () => {
  let connectionCount = 0
  const server = createServer((socket) => {
    connectionCount++
    sockets.push(socket.on('error', () => undefined))
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
  })
  servers.push(server.listen(0, '127.0.0.3'))
  await once(server, 'listening')
  const url = `http://127.0.0.3:${(server.address() as AddressInfo).port}/`
  const send = createFixedHosts()
  const first = await send({ url, ...POST }, NO_SIGNAL)
  const second = await send({ url, ...POST }, NO_SIGNAL)
  expect([first, second].map(({ body }) => body.toString())).toEqual(['ok', 'ok'])
  expect(connectionCount).toBe(1)
})

test('a request to a fixed host has the same limits', async () => {
  const double = await serve(() => ({ status: 302, headers: { location: '/again' } }))
  expect((await requestFixedHost({ url: double.url, ...POST }, NO_SIGNAL)).status).toBe(302)
  expect(double.requests).toHaveLength(1)
  const silent = await serveRaw(() => undefined)
  const hurried = requestFixedHost({ url: silent, ...POST, timeoutMs: 50 }, NO_SIGNAL)
  await expect(hurried).rejects.toMatchObject({ failure: 'timeout' })
  const large = await serveRaw((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1001)}`))
  const unlimited = requestFixedHost({ url: large, ...POST }, NO_SIGNAL)
  await expect(unlimited).rejects.toMatchObject({ failure: 'too-large' })
  const url = `http://127.0.0.1:${await freePort()}`
  await expect(requestFixedHost({ url, ...POST }, NO_SIGNAL)).rejects.toMatchObject({
    failure: 'unreachable',
    code: 'ECONNREFUSED',
  })
})
