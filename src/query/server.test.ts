import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { type AddressInfo, connect as connectSocket, createServer, type Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  decodeFrames,
  encodeFrame,
  encodeHeaders,
  FLAG,
  FRAME,
  PREFACE,
} from '../../test/protocols/http2-frames.ts'
import { createLogger } from '../kernel/log.ts'
import { Readiness } from '../rpc/readiness.ts'
import { createQueryServers, type QueryServers } from './server.ts'

let servers: QueryServers
let front: Server
let port: number
/** A call of `/slow` has arrived; it is answered once it is released. */
let slowCall: PromiseWithResolvers<void>
let release: PromiseWithResolvers<void>

beforeEach(async () => {
  slowCall = Promise.withResolvers()
  release = Promise.withResolvers()
  servers = createQueryServers({
    authenticate: async () => ({ kind: 'anonymous' }),
    interceptors: [],
    services: [],
    log: createLogger({ role: 'test', level: 'silent' }),
    readiness: new Readiness({}),
    errorDomain: 'millrace.test',
    bodyBytesMax: 1024,
    longestCallSeconds: 1,
    publicUrl: 'http://127.0.0.1',
    isEmbeddable: async () => false,
    isBehindEdge: false,
    version: '0',
    headMsMax: 200,
    endpoints: new Map([['/slow', answerSlowly]]),
  })
  // As in the service, the servers get connections whose first bytes have been read.
  front = createServer({ noDelay: true }, (socket) => {
    socket.once('data', (first) => {
      socket.pause()
      socket.unshift(first)
      const isHttp2 = PREFACE.subarray(0, 3).equals(first.subarray(0, 3))
      servers[isHttp2 ? 'http2' : 'http1'].emit('connection', socket)
      if (!isHttp2) socket.resume()
    })
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  port = (front.address() as AddressInfo).port
})

afterEach(async () => {
  front.close()
  await servers.drain()
})

async function answerSlowly(): Promise<UniversalServerResponse> {
  slowCall.resolve()
  await release.promise
  return { status: 200, header: new Headers() }
}

const ping = encodeFrame({ type: FRAME.ping, flags: 0, stream: 0, payload: Buffer.alloc(8, 1) })

/** Sends a request and its reset in one piece, and waits until the server has read both. */
async function sendAndReset(expectation: string, code: number): Promise<void> {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': '/mcp',
    ':authority': 'x',
    expect: expectation,
  }
  const reset = Buffer.alloc(4)
  reset.writeUInt32BE(code)
  const socket = connectSocket(port, '127.0.0.1')
  socket.write(
    Buffer.concat([
      PREFACE,
      encodeFrame({ type: FRAME.settings, flags: 0, stream: 0, payload: Buffer.alloc(0) }),
      encodeFrame({ type: FRAME.headers, flags: FLAG.endHeaders, stream: 1, payload: encodeHeaders(fields) }),
      encodeFrame({ type: FRAME.rstStream, flags: 0, stream: 1, payload: reset }),
      ping,
    ]),
  )
  let received = Buffer.alloc(0)
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk])
    const frames = decodeFrames(received)
    if (frames.some(({ type, flags }) => type === FRAME.ping && flags === FLAG.ack)) break
  }
  socket.destroy()
}

async function statusOf(headers: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const session = connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':method': 'POST', ':path': '/unknown', ...headers })
  const seen: unknown[] = []
  stream.on('headers', (interim) => seen.push(interim[':status']))
  stream.on('response', (answer) => seen.push(answer[':status']))
  stream.end()
  stream.resume()
  await once(stream, 'close')
  session.close()
  return seen
}

test.each([
  ['100-continue', 0],
  ['100-continue', 8],
  ['something', 0],
  ['something', 8],
])(
  'a request that expects %s and is reset with code %i at once ends no process',
  async (expectation, code) => {
    await sendAndReset(expectation, code)
    expect((await statusOf({})).length).toBe(1)
  },
)

test('a request that expects to be told to go on is told, and another expectation is refused', async () => {
  const [first, last] = await statusOf({ expect: '100-continue' })
  expect(first).toBe(100)
  expect(last).toBeGreaterThanOrEqual(200)
  expect(await statusOf({ expect: 'something' })).toEqual([417])
})

test('a drain waits for the call of a kept connection, and then closes it', async () => {
  const agent = new Agent({ keepAlive: true })
  const ask = async (path: string): Promise<IncomingMessage> =>
    (await once(get({ host: '127.0.0.1', port, path, agent }), 'response'))[0]
  await once((await ask('/healthz')).resume(), 'end')
  const answered = ask('/slow')
  await slowCall.promise
  const happened: string[] = []
  const drained = servers.drain().then(() => happened.push('drained'))
  await setImmediate()
  happened.push('released')
  release.resolve()
  const { statusCode, socket } = (await answered).resume()
  const closed = once(socket, 'close')
  await drained
  expect({ happened, statusCode }).toEqual({ happened: ['released', 'drained'], statusCode: 200 })
  await closed
})

test('a connection whose request does not come in time is closed, also a kept one', async () => {
  const whole = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'
  const outcomes = ['GET /healthz HTTP/1.1\r\n', `${whole}GET /healthz HTTP/1.1\r\n`].map(async (sent) => {
    const socket = connectSocket(port, '127.0.0.1')
    socket.write(sent)
    let text = ''
    for await (const chunk of socket) text += chunk
    return text.match(/HTTP\/1\.1 \d+/g)
  })
  expect(await Promise.all(outcomes)).toEqual([['HTTP/1.1 408'], ['HTTP/1.1 200', 'HTTP/1.1 408']])
})
