import { once } from 'node:events'
import { connect, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ForwardingEdge } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'

const CANCEL = 8
const INTERNAL_ERROR = 2

/** A process behind the edge, whose answers a test writes. */
class Upstream {
  readonly connections = new Set<Socket>()
  answer: (stream: ServerHttp2Stream) => void = () => undefined
  calls = 0
  readonly #server: Http2Server

  constructor() {
    this.#server = createServer().listen(0, '127.0.0.1')
    this.#server.on('connection', (socket: Socket) => this.connections.add(socket))
    this.#server.on('sessionError', () => undefined)
    this.#server.on('stream', (stream) => {
      this.calls++
      stream.on('error', () => undefined)
      stream.resume()
      this.answer(stream)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listening(): Promise<void> {
    await once(this.#server, 'listening')
  }

  close(): void {
    this.#server.close()
    for (const socket of this.connections) socket.destroy()
  }
}

/** One call as a client sees it. */
interface Seen {
  readonly status: number | undefined
  readonly text: string
  /** True when the answer had an end. */
  readonly isWhole: boolean
  readonly grpcStatus: string | undefined
  readonly resetCode: number
}

let upstream: Upstream
let edge: ForwardingEdge

beforeEach(async () => {
  upstream = new Upstream()
  await upstream.listening()
})

afterEach(() => {
  edge.close()
  upstream.close()
})

async function call(onData: () => void = () => undefined): Promise<Seen> {
  const session = connect(edge.frontUrl)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/x.v1.XService/Ask',
    'content-type': 'application/json',
  })
  let status: number | undefined
  let grpcStatus: string | undefined
  let text = ''
  let isWhole = false
  stream.on('response', (headers) => {
    status = headers[':status']
  })
  stream.on('trailers', (headers) => {
    grpcStatus = headers['grpc-status']?.toString()
  })
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    onData()
  })
  stream.on('end', () => {
    isWhole = stream.rstCode === 0
  })
  stream.on('error', () => undefined)
  stream.end('{}')
  await new Promise<void>((resolve) => stream.once('close', () => resolve()))
  session.destroy()
  return { status, text, isWhole, grpcStatus, resetCode: stream.rstCode }
}

async function checkNothingRuns(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined))
}

const die: Readonly<Record<string, () => void>> = {
  'closes its connections': () => {
    for (const socket of upstream.connections) socket.destroy()
  },
  'resets its connections': () => {
    for (const socket of upstream.connections) socket.resetAndDestroy()
  },
}

test.each(Object.keys(die))('a call without an answer is refused when the process behind %s', async (how) => {
  edge = await ForwardingEdge.open({ target: upstream.url })
  upstream.answer = () => die[how]?.()
  const { status, text } = await call()
  expect(status).toBe(503)
  expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' })
  await checkNothingRuns()
})

test.each(Object.keys(die))('an answer that broke off is reset when the process behind %s', async (how) => {
  edge = await ForwardingEdge.open({ target: upstream.url })
  upstream.answer = (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('{"half":')
  }
  expect(await call(die[how])).toEqual({
    status: 200,
    text: '{"half":',
    isWhole: false,
    grpcStatus: undefined,
    resetCode: INTERNAL_ERROR,
  })
  await checkNothingRuns()
})

test('a call of which nothing is heard in time is refused, and given up by the process behind', async () => {
  edge = await ForwardingEdge.open({ target: upstream.url, idleTimeoutMs: 50 })
  const given = Promise.withResolvers<number>()
  upstream.answer = (stream) => stream.once('close', () => given.resolve(stream.rstCode))
  const { status, text } = await call()
  expect(status).toBe(503)
  expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' })
  expect(await given.promise).toBe(CANCEL)
  expect(upstream.calls).toBe(1)
  await checkNothingRuns()
})

test('when the process behind hangs, a call is refused before its time is over', async () => {
  edge = await ForwardingEdge.open({ target: upstream.url, isSilent: async () => true })
  const startedMs = performance.now()
  const { status, text } = await call()
  expect(performance.now() - startedMs).toBeLessThan(10_000)
  expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  await checkNothingRuns()
})

test('an answer that stalls too long is reset', async () => {
  edge = await ForwardingEdge.open({ target: upstream.url, idleTimeoutMs: 50 })
  upstream.answer = (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('{"half":')
  }
  expect(await call()).toMatchObject({ text: '{"half":', isWhole: false, resetCode: INTERNAL_ERROR })
})

test.each<readonly [string, (stream: ServerHttp2Stream) => void, Partial<Seen>]>([
  [
    'with a body',
    (stream) => {
      stream.respond({ ':status': 200 })
      stream.end('{"whole":1}')
    },
    { status: 200, text: '{"whole":1}' },
  ],
  ['without a body', (stream) => stream.respond({ ':status': 204 }, { endStream: true }), { status: 204 }],
  [
    'with trailers',
    (stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true })
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.end('x')
    },
    { status: 200, text: 'x', grpcStatus: '0' },
  ],
])('an answer %s that came whole ends', async (_, answer, seen) => {
  edge = await ForwardingEdge.open({ target: upstream.url })
  upstream.answer = answer
  expect(await call()).toEqual({ text: '', isWhole: true, grpcStatus: undefined, resetCode: 0, ...seen })
  await checkNothingRuns()
})

test('the next call after a lost connection goes over a new one', async () => {
  edge = await ForwardingEdge.open({ target: upstream.url })
  upstream.answer = (stream) => stream.session?.destroy()
  expect((await call()).status).toBe(503)
  upstream.answer = (stream) => stream.respond({ ':status': 204 }, { endStream: true })
  expect((await call()).status).toBe(204)
})

test('a stream that broke off does not reach the process behind as if it were whole', async () => {
  edge = await ForwardingEdge.open({ target: upstream.url })
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<{ readonly isWhole: boolean; readonly resetCode: number }>()
  upstream.answer = (stream) => {
    let isWhole = false
    stream.once('data', () => begun.resolve())
    stream.once('end', () => {
      isWhole = stream.rstCode === 0
    })
    stream.once('close', () => ended.resolve({ isWhole, resetCode: stream.rstCode }))
  }
  const session = connect(edge.frontUrl)
  session.request({ ':method': 'POST', ':path': '/grpc.reflection.v1.XService/Ask' }).write('{"half":')
  await begun.promise
  session.destroy()
  expect(await ended.promise).toEqual({ isWhole: false, resetCode: CANCEL })
  await checkNothingRuns()
})
