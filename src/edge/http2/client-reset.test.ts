import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ForwardingEdge } from '../../../test/harness/forwarding-edge.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import {
  decodeFrames,
  encodeFrame,
  encodeHeaders,
  FLAG,
  FRAME,
  OPENING,
  PREFACE,
} from '../../../test/protocols/http2-frames.ts'
import { RawConnection } from '../../../test/protocols/raw-connection.ts'
import { jsonAnswer } from '../../rpc/answer.ts'
import type { EdgeMethod } from '../exchange.ts'

const NO_ERROR = 0
const CANCEL = 8
const SETTINGS_INITIAL_WINDOW_SIZE = 4

const TAKE = '/test.v1.TestService/Take'
const REFUSE = '/test.v1.TestService/Refuse'
/** A stream of requests, which is passed on as it comes. */
const ASK = '/grpc.reflection.v1.TestService/Ask'

/** More than the process behind takes in before it reads, so that the edge waits with the rest. */
const LONG = Array.from({ length: 60 }, () => data(Buffer.alloc(16_384, 'x')))

let taken: number
let asked: ServerHttp2Stream[]
let answer: (stream: ServerHttp2Stream) => void
let edge: ForwardingEdge
let connection: RawConnection
const upstream = createServer()

const take: EdgeMethod = {
  serve: (_, exchange) =>
    exchange.readBody(1_000_000, () => {
      taken++
      exchange.answer(jsonAnswer(200, {}))
    }),
}

const refuse: EdgeMethod = {
  serve: (_, exchange) => exchange.readBody(0, () => exchange.answer(jsonAnswer(401, {}))),
}

beforeEach(async () => {
  taken = 0
  asked = []
  answer = () => undefined
  upstream.removeAllListeners('stream').on('stream', (stream) => {
    asked.push(stream.on('error', () => undefined))
    answer(stream)
  })
  if (!upstream.listening) await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  edge = await ForwardingEdge.open({
    target: `http://127.0.0.1:${port}`,
    ingestion: new Map([
      [TAKE, take],
      [REFUSE, refuse],
    ]),
  })
  connection = await RawConnection.open(edge.frontUrl)
})

afterEach(() => {
  connection.close()
  edge.close()
})

/** Long bodies may only come once the windows of the edge are known. */
async function greet(): Promise<void> {
  await connection.write(OPENING)
  await waitFor('the settings of the edge', () => (connection.received.length > 0 ? true : undefined))
  const ack = { type: FRAME.settings, flags: FLAG.ack, stream: 0, payload: Buffer.alloc(0) }
  await connection.write(encodeFrame(ack))
}

/** An opening that lets no answer come but its head. */
function withoutWindow(): Buffer {
  const payload = Buffer.from([0, SETTINGS_INITIAL_WINDOW_SIZE, 0, 0, 0, 0])
  return Buffer.concat([PREFACE, encodeFrame({ type: FRAME.settings, flags: 0, stream: 0, payload })])
}

function head(path: string): Buffer {
  const payload = encodeHeaders({ ':method': 'POST', ':scheme': 'http', ':path': path, ':authority': 'x' })
  return encodeFrame({ type: FRAME.headers, flags: FLAG.endHeaders, stream: 1, payload })
}

function data(payload: Buffer, flags = 0): Buffer {
  return encodeFrame({ type: FRAME.data, flags, stream: 1, payload })
}

function reset(code: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(code)
  return encodeFrame({ type: FRAME.rstStream, flags: 0, stream: 1, payload })
}

async function untilIdle(): Promise<void> {
  await waitFor('no request to be under way', () => (edge.count.running === 0 ? true : undefined), 5000)
  expect(edge.budget.bytes).toBe(0)
}

const HALF = data(Buffer.from('{"half":'))
const END = data(Buffer.alloc(0), FLAG.endStream)

/** The peer reads in order: once this resolves, it has read everything before. */
async function untilRead(): Promise<void> {
  const frame = { type: FRAME.ping, flags: 0, stream: 0, payload: Buffer.alloc(8) }
  await connection.write(encodeFrame(frame))
  await waitFor('the echo of a ping', () => {
    const frames = decodeFrames(connection.received)
    return frames.some(({ type }) => type === FRAME.ping) ? true : undefined
  })
}

const FRAMES = {
  'half a batch': [head(TAKE), HALF],
  'half a call': [head(ASK), HALF],
  'a whole call': [head(ASK), HALF, END],
  'a head': [head(ASK)],
}

test.each(Object.entries(FRAMES))('%s that arrives together with a reset is dropped', async (_, frames) => {
  await greet()
  await connection.write(Buffer.concat([...frames, reset(NO_ERROR)]))
  await untilRead()
  await untilIdle()
  expect({ taken, asked }).toEqual({ taken: 0, asked: [] })
})

test.each(Object.entries(FRAMES))(
  '%s that comes together with a reset at the beginning of a connection goes nowhere',
  async (_, frames) => {
    await connection.write(Buffer.concat([OPENING, ...frames, reset(NO_ERROR)]))
    await untilRead()
    await untilIdle()
    expect({ taken, asked }).toEqual({ taken: 0, asked: [] })
  },
)

test.each([
  ['whole', [HALF, END]],
  ['too large', [...LONG, ...LONG.slice(0, 3)]],
])('a batch that is %s may come together with its reset', async (_, body) => {
  await greet()
  await connection.write(Buffer.concat([head(TAKE), ...body, reset(NO_ERROR)]))
  await untilRead()
  await untilIdle()
})

test.each([NO_ERROR, CANCEL])('half a batch is not taken after a reset with code %i', async (code) => {
  await greet()
  await connection.write(Buffer.concat([head(TAKE), HALF]))
  await waitFor('the half to be read', () => (edge.budget.bytes > 0 ? true : undefined))
  await connection.write(reset(code))
  await untilRead()
  await untilIdle()
  expect(taken).toBe(0)
})

test.each([NO_ERROR, CANCEL])(
  'an answer that was not read is freed after a reset with code %i',
  async (code) => {
    await connection.write(Buffer.concat([withoutWindow(), head(REFUSE), HALF]))
    await waitFor('the head of the answer', () => {
      const frames = decodeFrames(connection.received)
      return frames.some(({ type }) => type === FRAME.headers) ? true : undefined
    })
    expect(edge.count.running).toBe(1)
    await connection.write(reset(code))
    await untilIdle()
  },
)

test.each([NO_ERROR, CANCEL])('half a call is given up after a reset with code %i', async (code) => {
  await greet()
  let isWhole = false
  answer = (stream) =>
    stream.resume().once('end', () => {
      isWhole = stream.rstCode === NO_ERROR
    })
  await connection.write(Buffer.concat([head(ASK), HALF]))
  const stream = await waitFor('the call', () => asked[0])
  await connection.write(reset(code))
  if (!stream.destroyed) await once(stream, 'close')
  expect({ isWhole, code: stream.rstCode }).toEqual({ isWhole: false, code: CANCEL })
  await untilIdle()
})

test.each([
  ['without an end', []],
  ['with an end', [END]],
])('a long call %s whose answer is not read is cancelled after a reset, answered or not', async (_, end) => {
  await greet()
  await connection.write(Buffer.concat([head(ASK), ...LONG, ...end]))
  const stream = await waitFor('the call', () => asked[0])
  await connection.write(reset(NO_ERROR))
  await untilRead()
  // The edge may have given it up already.
  if (!stream.closed) stream.respond({ ':status': 200 })
  stream.end('too late')
  await untilIdle()
  expect(stream.rstCode).toBe(CANCEL)
})
