import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { create, toBinary } from '@bufbuild/protobuf'
import {
  ActivityService,
  GetEventExplorerRequestSchema,
  type GetEventExplorerResponse,
} from '../../../src/contract/gen/shared/activity/v1/activity_service_pb.js'
import { BATCH_CREATE, makeEvent } from '../../harness/events.ts'
import { isAlive, waitFor } from '../../harness/wait.ts'
import { WIRES } from '../../protocols/wires.ts'
import { ask, call, JSON_CALL } from '../client.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const EVENT_COUNT = 3_000
const PAGE_SIZE = 1_000
const KIND = 'large_answer'

/** Sends events with texts of 60 to 640 bytes once, and gives the text of each. */
const seeded = new WeakMap<ServiceUnderAttack, Promise<ReadonlyMap<string, string>>>()

async function seed(service: ServiceUnderAttack): Promise<ReadonlyMap<string, string>> {
  const known = seeded.get(service)
  if (known) return await known
  const making = sendEvents(service)
  seeded.set(service, making)
  return await making
}

async function sendEvents(service: ServiceUnderAttack): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const startMs = Date.now() - 3_600_000
  for (let first = 0; first < EVENT_COUNT; first += 500) {
    const events = Array.from({ length: 500 }, (_, offset) => {
      const index = first + offset
      const eventId = randomUUID()
      const text = createHash('sha512')
        .update(String(index))
        .digest('base64')
        .repeat(8)
        .slice(0, 60 + ((index * 37) % 581))
      texts.set(eventId, text)
      return makeEvent({
        eventId,
        kind: KIND,
        occurTime: new Date(startMs + index).toISOString(),
        customProperties: { text: { stringValue: text } },
      })
    })
    const { status } = await call(service.url, BATCH_CREATE, { events }, { 'x-api-key': service.publicKey })
    claim(status === 200, () => `the events are answered with ${status}`)
  }
  await waitFor(
    'the events',
    async () => {
      const { json } = await call(
        service.url,
        'shared.insights.v1.InsightsService/Query',
        {
          spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind: KIND } }] },
          granularity: 'GRANULARITY_DAY',
          timeRange: {
            from: new Date(startMs - 86_400_000).toISOString(),
            to: new Date(startMs + 86_400_000).toISOString(),
          },
        },
        { 'x-api-key': service.privateKey, 'cache-control': 'no-cache' },
      )
      return (json.segmentation as { readonly total?: number } | undefined)?.total === EVENT_COUNT
        ? true
        : undefined
    },
    60_000,
  )
  return texts
}

const body = (pageSize: number): string => JSON.stringify({ pageSize, events: [{ kind: KIND }] })

/** Throws unless the answer has the requested number of events, each with its text. */
function checkEvents(answer: Buffer, texts: ReadonlyMap<string, string>, pageSize: number): void {
  let events: readonly { readonly eventId: string }[]
  try {
    events = (JSON.parse(answer.toString()) as { readonly events: typeof events }).events
  } catch (cause) {
    throw new Error(`${answer.length} bytes are no whole JSON`, { cause })
  }
  claim(events.length === pageSize, () => `${events.length} events of ${pageSize}`)
  const wrong = events.filter(
    (event) => !JSON.stringify(event).includes(texts.get(event.eventId) ?? 'no such event'),
  )
  claim(wrong.length === 0, () => `${wrong.length} events have another text`)
}

/** How a reader reads. */
const READERS = {
  'at once': async () => undefined,
  'with pauses of 40 ms': async () => await delay(40),
  'with a pause of two seconds in its middle': async (chunk: number) =>
    chunk === 3 ? await delay(2000) : undefined,
} as const

type Reader = keyof typeof READERS

/** Reads an answer over HTTP/1.1 from a socket with a small buffer. */
async function readHttp1(
  service: ServiceUnderAttack,
  {
    pageSize,
    reader,
    coding = 'identity',
  }: { readonly pageSize: number; readonly reader: Reader; readonly coding?: string },
): Promise<Buffer> {
  const outgoing = request(`${service.url}/${EXPLORER}`, {
    method: 'POST',
    agent: false,
    highWaterMark: 16 * 1024,
    headers: { ...JSON_CALL, 'x-api-key': service.privateKey, 'accept-encoding': coding },
  } as object)
  outgoing.end(body(pageSize))
  const [response] = (await once(outgoing, 'response', { signal: AbortSignal.timeout(15_000) })) as [
    IncomingMessage,
  ]
  claim(response.statusCode === 200, () => `answered with ${response.statusCode}`)
  const chunks = await readSlowly(response, reader)
  const packed = Buffer.concat(chunks)
  if (response.headers['content-encoding'] === 'gzip') return await promisify(gunzip)(packed)
  if (response.headers['content-encoding'] === 'br') return await promisify(brotliDecompress)(packed)
  return packed
}

async function readSlowly(
  stream: AsyncIterable<Buffer> & { destroy(error?: Error): unknown },
  reader: Reader,
): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  const timer = setTimeout(
    () => stream.destroy(new Error(`cut off after ${Buffer.concat(chunks).length} bytes in 40 s`)),
    40_000,
  )
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      await READERS[reader](chunks.length)
    }
  } catch (cause) {
    throw new Error(
      `broken after ${Buffer.concat(chunks).length} bytes: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    )
  } finally {
    clearTimeout(timer)
  }
  return chunks
}

async function readHttp2(
  service: ServiceUnderAttack,
  {
    pageSize,
    reader,
    windowBytes,
  }: { readonly pageSize: number; readonly reader: Reader; readonly windowBytes: number },
): Promise<Buffer> {
  const session = connectHttp2(service.url, { settings: { initialWindowSize: windowBytes } })
  session.on('error', () => undefined)
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${EXPLORER}`,
      ...JSON_CALL,
      'x-api-key': service.privateKey,
    })
    stream.end(body(pageSize))
    return Buffer.concat(await readSlowly(stream, reader))
  } finally {
    session.destroy()
  }
}

/** Ends the processes between a client and the answer, so that the next answer is their first. */
async function renew(service: ServiceUnderAttack): Promise<void> {
  const pids = (['edge', 'query'] as const).map((role) => service.pid(role))
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  await waitFor(
    'new processes',
    async () => {
      if (pids.some(isAlive)) return undefined
      return (await fetch(`${service.url}/readyz`)).status === 200 &&
        !pids.includes(service.pid('edge')) &&
        !pids.includes(service.pid('query'))
        ? true
        : undefined
    },
    40_000,
  )
}

const fresh: readonly Statement[] = (['at once', 'with pauses of 40 ms'] as const).map((reader) => ({
  title: `the first large answer of processes is whole for a client that reads ${reader}, six times`,
  isSlow: true,
  check: async (service) => {
    const texts = await seed(service)
    const seen: string[] = []
    for (let round = 0; round < 6; round++) {
      await renew(service)
      try {
        checkEvents(await readHttp1(service, { pageSize: PAGE_SIZE, reader }), texts, PAGE_SIZE)
      } catch (error) {
        seen.push(`${round}: ${error instanceof Error ? error.message : error}`)
      }
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}))

const crowd: readonly Statement[] = [1, 8, 64].map((count) => ({
  title: `${count} large answers at once, the first of their processes, are whole and equal`,
  isSlow: true,
  check: async (service) => {
    const texts = await seed(service)
    await renew(service)
    const answers = await Promise.allSettled(
      Array.from({ length: count }, async (_, index) => {
        const reader: Reader = index % 3 === 0 ? 'with pauses of 40 ms' : 'at once'
        const pageSize = [1000, 313, 290, 77][index % 4] ?? 1
        const answer =
          index % 2 === 0
            ? await readHttp1(service, { pageSize, reader })
            : await readHttp2(service, { pageSize, reader, windowBytes: index % 4 === 1 ? 1024 : 65_535 })
        checkEvents(answer, texts, pageSize)
      }),
    )
    const broken = answers.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    const others = broken.filter((text) => !text.includes('answered with 429'))
    claim(others.length === 0, () => `${others.length} of ${count}: ${others[0]}`)
    claim(broken.length < count, () => 'all are refused')
  },
}))

const sizes: readonly Statement[] = (Object.keys(READERS) as Reader[]).map((reader) => ({
  title: `answers of every size up to a megabyte are the same over HTTP/1.1, compressed or not, and HTTP/2, for a client that reads ${reader}`,
  isSlow: true,
  check: async (service) => {
    const texts = await seed(service)
    const seen: string[] = []
    for (const pageSize of [1, 40, 82, 84, 164, 168, 250, 290, 313, 330, 500, 660, 1000]) {
      const readings: readonly (readonly [string, () => Promise<Buffer>])[] = [
        ['HTTP/1.1', async () => await readHttp1(service, { pageSize, reader })],
        ['gzip', async () => await readHttp1(service, { pageSize, reader, coding: 'gzip' })],
        ['brotli', async () => await readHttp1(service, { pageSize, reader, coding: 'br' })],
        ['HTTP/2', async () => await readHttp2(service, { pageSize, reader, windowBytes: 65_535 })],
        [
          'HTTP/2 with a window of 1 KiB',
          async () => await readHttp2(service, { pageSize, reader: 'at once', windowBytes: 1024 }),
        ],
      ]
      const digests = new Set<string>()
      for (const [name, read] of readings) {
        try {
          const answer = await read()
          checkEvents(answer, texts, pageSize)
          digests.add(createHash('sha256').update(answer).digest('hex'))
        } catch (error) {
          seen.push(`${pageSize} by ${name}: ${error instanceof Error ? error.message : error}`)
        }
      }
      if (digests.size > 1) seen.push(`${pageSize}: ${digests.size} different answers`)
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}))

const wires: Statement = {
  title: 'a large answer is the same message over every protocol and coding',
  isSlow: true,
  check: async (service) => {
    const texts = await seed(service)
    const seen: string[] = []
    const digests = new Map<string, string>()
    for (const wire of WIRES)
      for (const coding of wire.codings) {
        const client = wire.open(service.url, coding)
        try {
          const request = create(GetEventExplorerRequestSchema, {
            pageSize: PAGE_SIZE,
            events: [{ kind: KIND }],
          })
          const { method } = ActivityService
          const reply = await client.call({
            method: method.getEventExplorer,
            request,
            header: { 'x-api-key': service.privateKey },
          })
          const [message] = reply.messages as readonly GetEventExplorerResponse[]
          if (!message) seen.push(`${wire.title} ${coding}: ${reply.code} ${reply.message}`)
          else {
            const bytes = toBinary(method.getEventExplorer.output, message)
            if (message.events.length !== PAGE_SIZE)
              seen.push(`${wire.title}: ${message.events.length} events`)
            if (!message.events.every(({ eventId }) => texts.has(eventId)))
              seen.push(`${wire.title}: other events`)
            digests.set(createHash('sha256').update(bytes).digest('hex'), `${wire.title} ${coding}`)
          }
        } finally {
          client.close()
        }
      }
    if (digests.size !== 1)
      seen.push(`${digests.size} different messages: ${[...digests.values()].join(', ')}`)
    claim(seen.length === 0, () => seen.join('; '))
  },
}

const gone: Statement = {
  title: 'readers that leave in the middle of large answers leave nothing behind that keeps others waiting',
  isSlow: true,
  check: async (service) => {
    await seed(service)
    for (let round = 0; round < 40; round++) {
      const outgoing = request(`${service.url}/${EXPLORER}`, {
        method: 'POST',
        agent: false,
        headers: { ...JSON_CALL, 'x-api-key': service.privateKey },
      })
      outgoing.on('error', () => undefined)
      outgoing.end(body(PAGE_SIZE))
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
      response.on('error', () => undefined)
      response.once('data', () => outgoing.destroy())
      // `once` would reject: the response ends with the error that its reader left.
      await new Promise((resolve) => response.once('close', resolve))
    }
    const { status, ms } = await ask(service.url, {
      path: `/${EXPLORER}`,
      headers: { ...JSON_CALL, 'x-api-key': service.privateKey },
      body: body(10),
    })
    claim(status === 200 && ms < 2000, () => `${status} after ${Math.round(ms)} ms`)
  },
}

/** Large answers to fast and slow readers. */
export const answers: Chapter = { name: 'answers', statements: [...fresh, ...crowd, ...sizes, wires, gone] }
