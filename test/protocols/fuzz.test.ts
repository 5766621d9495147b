/**
 * Mutated requests. `FUZZ_SECONDS` sets how long each test goes on (2 by default; the long run is 600), and `FUZZ_SEED`
 * repeats a run whose seed stands in the title: `FUZZ_SEED=1 FUZZ_SECONDS=600 npx vitest run test/protocols/fuzz.test.ts`.
 */

import { randomInt } from 'node:crypto'
import { connect as connectHttp2 } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { encodeEnvelope } from './grpc-web-text-client.ts'
import { decodeFrames, encodeFrame, encodeHeaders, FLAG, FRAME, PREFACE } from './http2-frames.ts'
import { mutate, Random } from './mutate.ts'
import { peakMemory } from './process-memory.ts'
import { chunked, parseAnswers, RawConnection, request } from './raw-connection.ts'
import { shapedConnection } from './split-writes.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 2)
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const LANES = 8
const GROWTH_MIB_MAX = 192

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
const PUBLIC = { 'content-type': 'application/json', 'x-api-key': PUBLIC_KEY }
const PRIVATE = { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY }

let service: TestService

beforeAll(async () => {
  service = await TestService.start({ SERVICE_LOG_LEVEL: 'error' })
})

afterAll(async () => {
  await service.destroy()
})

const batch = JSON.stringify({ events: [makeEvent()] })

const HTTP1_REQUESTS: readonly Buffer[] = [
  request('GET /healthz', {}),
  request(`POST /${BATCH_CREATE}`, PUBLIC, batch),
  request(`POST /${BATCH_CREATE}`, { ...PUBLIC, 'transfer-encoding': 'chunked' }, chunked(batch)),
  request(`POST /${BATCH_CREATE}`, { ...PUBLIC, 'content-encoding': 'gzip' }, gzipSync(batch)),
  request(`POST /${BATCH_CREATE}?api_key=${PUBLIC_KEY}`, { 'content-type': 'text/plain' }, batch),
  request(
    `POST /${BATCH_CREATE}`,
    { ...PUBLIC, 'content-type': 'application/grpc-web+json', 'grpc-timeout': '5S' },
    encodeEnvelope(0, Buffer.from(batch)),
  ),
  request(`POST /${EXPLORER}`, { ...PRIVATE, 'accept-encoding': 'br' }, '{"pageSize":2}'),
  request(
    `POST /${EXPLORER}`,
    { ...PRIVATE, 'content-type': 'application/grpc-web+proto' },
    encodeEnvelope(0, Buffer.from([40, 2])),
  ),
]

/** Lanes that try one mutation after another until the time is over; the last case of each is in the error. */
async function fuzz(salt: number, attempt: (random: Random) => Promise<void>): Promise<number> {
  const end = performance.now() + SECONDS * 1000
  const counts = await Promise.all(
    Array.from({ length: LANES }, async (_, lane) => {
      let count = 0
      for (; performance.now() < end; count++) {
        const seed = SEED + salt + lane * 1_000_003 + count * 7919
        try {
          await attempt(new Random(seed))
        } catch (error) {
          const log = service.output.stderr.slice(-2000)
          throw new Error(`seed ${SEED}, case ${seed}; ${log}`, { cause: error })
        }
      }
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function checkHealthy(before: ReturnType<typeof peakMemory>, pids: readonly number[]): Promise<void> {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect([service.pid('edge'), service.pid('query')]).toEqual(pids)
  const after = peakMemory(service)
  expect(after.edge - before.edge).toBeLessThan(GROWTH_MIB_MAX)
  expect(after.query - before.query).toBeLessThan(GROWTH_MIB_MAX)
}

/** Sends bytes in up to three pieces. */
async function sendInPieces(bytes: Buffer, random: Random): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url)
  const cuts = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort((a, b) => a - b)
  await connection.write(bytes.subarray(0, cuts[0]))
  await connection.write(bytes.subarray(cuts[0], cuts[1]))
  await connection.write(bytes.subarray(cuts[1]))
  return connection
}

test(
  `mutated requests of HTTP/1.1 are answered or let go, never with an internal error (seed ${SEED})`,
  async () => {
    const before = peakMemory(service)
    const pids = [service.pid('edge'), service.pid('query')]
    const count = await fuzz(0, async (random) => {
      const bytes = mutate(random.pick(HTTP1_REQUESTS), random)
      const connection = await sendInPieces(bytes, random)
      connection.endWriting()
      await connection.untilEnded()
      // The last answer may be cut: with its half closed the client has left.
      const { answers } = parseAnswers(connection.received, false)
      const internal = answers.filter(({ status, body }) => status === 500 || body.includes('"internal"'))
      if (internal.length > 0) throw new Error(`${JSON.stringify(internal)} to ${bytes.toString('latin1')}`)
    })
    expect(count).toBeGreaterThan(LANES)
    await checkHealthy(before, pids)
  },
  60_000 + SECONDS * 1000,
)

test(
  `mutated frames of HTTP/2 end in whole frames and a closed connection (seed ${SEED})`,
  async () => {
    const recordings = await Promise.all([
      record({ ':path': `/${BATCH_CREATE}`, ...PUBLIC }, Buffer.from(batch)),
      record({ ':path': `/${EXPLORER}`, ...PRIVATE }, Buffer.from('{"pageSize":2}')),
      record(
        { ':path': `/${EXPLORER}`, ...PRIVATE, 'content-type': 'application/grpc', te: 'trailers' },
        encodeEnvelope(0, Buffer.from([40, 2])),
      ),
    ])
    const before = peakMemory(service)
    const pids = [service.pid('edge'), service.pid('query')]
    const count = await fuzz(1, async (random) => {
      const frames = random.pick(recordings).subarray(PREFACE.length)
      const connection = await sendInPieces(Buffer.concat([PREFACE, mutate(frames, random)]), random)
      connection.endWriting()
      await connection.untilEnded()
      const types = decodeFrames(connection.received).map(({ type }) => type)
      if (types.some((type) => type > 9)) throw new Error(`frames of the types ${types.join(' ')}`)
    })
    expect(count).toBeGreaterThan(LANES)
    await checkHealthy(before, pids)
  },
  60_000 + SECONDS * 1000,
)

const PATHS = [
  `/${BATCH_CREATE}`,
  `/${IDENTIFY}`,
  `/${EXPLORER}`,
  '/mcp',
  '/sdk.js',
  '/healthz',
  '/readyz',
  '/',
]
const METHODS = ['POST', 'POST', 'POST', 'GET', 'HEAD', 'OPTIONS']
const TYPES = ['application/json', 'application/grpc', 'application/connect+json', 'text/plain']
const RESET_CODES = [0, 0, 1, 2, 5, 7, 8, 11]

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const LAST = Buffer.from('lastping')
const LAST_PING = encodeFrame({ type: FRAME.ping, flags: 0, stream: 0, payload: LAST })

/** Whole frames about two streams, each of which a client may send, in an order that few do. */
function shuffledFrames(random: Random): Buffer {
  const window = u32(random.pick([0, 1, 65_535]))
  const frames = [
    PREFACE,
    encodeFrame({
      type: FRAME.settings,
      flags: 0,
      stream: 0,
      payload: Buffer.concat([Buffer.from([0, 4]), window]),
    }),
  ]
  for (const stream of [1, 3]) {
    const head = {
      ':method': random.pick(METHODS),
      ':scheme': 'http',
      ':path': random.pick(PATHS),
      ':authority': random.pick(['x', 'localhost:1', '[']),
      host: random.pick(['x', '[', 'a b']),
      'content-type': random.pick(TYPES),
      'x-api-key': random.pick([PUBLIC_KEY, PRIVATE_KEY, 'unknown']),
      ...(random.below(4) === 0 ? { expect: '100-continue' } : {}),
    }
    const end = (): number => (random.below(4) === 0 ? FLAG.endStream : 0)
    frames.push(
      encodeFrame({
        type: FRAME.headers,
        flags: FLAG.endHeaders | end(),
        stream,
        payload: encodeHeaders(head),
      }),
    )
    for (let left = random.below(6); left > 0; left--) {
      const payload = random.pick([Buffer.from(batch), Buffer.from('{"half":'), Buffer.alloc(16_384, 32)])
      const kinds = [
        () => encodeFrame({ type: FRAME.data, flags: end(), stream, payload }),
        () => Buffer.concat(Array(30).fill(encodeFrame({ type: FRAME.data, flags: 0, stream, payload }))),
        () =>
          encodeFrame({ type: FRAME.rstStream, flags: 0, stream, payload: u32(random.pick(RESET_CODES)) }),
        () => encodeFrame({ type: FRAME.windowUpdate, flags: 0, stream, payload: u32(random.below(99) + 1) }),
        () => encodeFrame({ type: FRAME.ping, flags: 0, stream: 0, payload: Buffer.alloc(8) }),
      ]
      frames.push(random.pick(kinds)())
    }
  }
  return Buffer.concat(frames)
}

test(
  `frames of HTTP/2 in an odd order end no process, and leave nothing under way (seed ${SEED})`,
  async () => {
    const pids = [service.pid('edge'), service.pid('query')]
    const count = await fuzz(2, async (random) => {
      const connection = await sendInPieces(Buffer.concat([shuffledFrames(random), LAST_PING]), random)
      await waitFor('the echo of the last frame, or the end', () =>
        connection.isEnded || connection.received.includes(LAST) ? true : undefined,
      )
      connection.close()
    })
    expect(count).toBeGreaterThan(LANES)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect([service.pid('edge'), service.pid('query')]).toEqual(pids)
    await waitFor('no request to be under way', async () => {
      const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
      return /^millrace_requests_running\{.*\} 0$/m.test(metrics) ? true : undefined
    })
  },
  60_000 + SECONDS * 1000,
)

/** Every byte that a client of node:http2 sends for a call. */
async function record(headers: Readonly<Record<string, string>>, body: Buffer): Promise<Buffer> {
  const sent: Buffer[] = []
  const session = connectHttp2(service.url, {
    createConnection: () =>
      shapedConnection(Number(new URL(service.url).port), async (chunk, write) => {
        sent.push(Buffer.from(chunk))
        await write(chunk)
      }),
  })
  await new Promise<void>((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ...headers })
    stream.on('error', reject)
    stream.on('close', resolve)
    stream.resume()
    stream.end(body)
  })
  const recorded = Buffer.concat(sent)
  session.destroy()
  return recorded
}
