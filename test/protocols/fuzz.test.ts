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
import { encodeEnvelope } from './grpc-web-text-client.ts'
import { decodeFrames, PREFACE } from './http2-frames.ts'
import { mutate, Random } from './mutate.ts'
import { peakMemory } from './process-memory.ts'
import { chunked, parseAnswers, RawConnection, request } from './raw-connection.ts'
import { shapedConnection } from './split-writes.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 2)
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
const LANES = 8
const GROWTH_MIB_MAX = 192

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
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

/** Sends bytes in up to three pieces, and closes the sending half. */
async function sendInPieces(bytes: Buffer, random: Random): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url)
  const cuts = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort((a, b) => a - b)
  await connection.write(bytes.subarray(0, cuts[0]))
  await connection.write(bytes.subarray(cuts[0], cuts[1]))
  await connection.write(bytes.subarray(cuts[1]))
  connection.endWriting()
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
      await connection.untilEnded()
      const types = decodeFrames(connection.received).map(({ type }) => type)
      if (types.some((type) => type > 9)) throw new Error(`frames of the types ${types.join(' ')}`)
    })
    expect(count).toBeGreaterThan(LANES)
    await checkHealthy(before, pids)
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
