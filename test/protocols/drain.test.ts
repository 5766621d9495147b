import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { RawConnection, request } from './raw-connection.ts'
import { SLOW_FILTER, StoreBackdoor } from './slow-traits.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const PUBLIC = { 'content-type': 'application/json', 'x-api-key': PUBLIC_KEY }
const PRIVATE = { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY }
const HEALTH = request('GET /healthz', {})

let service: TestService

beforeEach(async () => {
  service = await TestService.start()
})

afterEach(async () => {
  await service.destroy()
})

const batch = (): Buffer => Buffer.from(JSON.stringify({ events: [makeEvent()] }))

/** Sends a request without the end of its body; the answer before it proves that its head was read. */
async function beginUpload(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url)
  const whole = request(`POST /${path}`, headers, body)
  await connection.write(Buffer.concat([HEALTH, whole.subarray(0, whole.length - 1)]))
  expect((await connection.answer()).headers.connection).toBeUndefined()
  return connection
}

interface Upload {
  readonly session: ClientHttp2Session
  readonly stream: ClientHttp2Stream
  readonly outcome: Promise<{ readonly status: number; readonly body: string }>
}

async function beginHttp2Upload(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Upload> {
  const session = connectHttp2(service.url)
  await once(session, 'connect')
  const stream = session.request({ ':method': 'POST', ':path': `/${path}`, ...headers })
  const outcome = new Promise<{ status: number; body: string }>((resolve, reject) => {
    let status = 0
    let text = ''
    stream.on('response', (received) => {
      status = received[':status'] ?? 0
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('end', () => resolve({ status, body: text }))
    stream.on('error', reject)
  })
  stream.write(body.subarray(0, body.length - 1))
  await pinged(session)
  return { session, stream, outcome }
}

/** Frames are read in order: the answer to a ping proves that all frames before it were read. */
async function pinged(session: ClientHttp2Session): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    session.ping((error) => (error ? reject(error) : resolve()))
  })
}

/** Stops the service; resolves when it accepts no more connections. */
async function beginStop(): Promise<{ readonly ended: Promise<number | null> }> {
  const ended = service.shutDown().then(({ code }) => code)
  await waitFor('new connections to be refused', async () => {
    try {
      const connection = await RawConnection.open(service.url)
      connection.close()
      return undefined
    } catch {
      return true
    }
  })
  return { ended }
}

test('uploads in flight at a stop signal are answered, and the service exits with code 0', async () => {
  const body = batch()
  const question = Buffer.from('{"pageSize":1}')
  const ingest = await beginUpload(BATCH_CREATE, PUBLIC, body)
  const explore = await beginUpload(EXPLORER, PRIVATE, question)
  const ingest2 = await beginHttp2Upload(BATCH_CREATE, PUBLIC, batch())
  const explore2 = await beginHttp2Upload(EXPLORER, PRIVATE, question)
  const goneAway = Promise.all(
    [ingest2, explore2].map(
      async ({ session }) =>
        await new Promise<number>((resolve) => session.once('goaway', (code) => resolve(code))),
    ),
  )
  const { ended } = await beginStop()
  expect(await goneAway).toEqual([0, 0])
  await ingest.write(body.subarray(-1))
  await explore.write(question.subarray(-1))
  ingest2.stream.end(body.subarray(-1))
  explore2.stream.end(question.subarray(-1))
  const answers = [(await ingest.untilClosed()).at(-1), (await explore.untilClosed()).at(-1)]
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200])
  expect(answers.map((answer) => answer?.headers.connection)).toEqual(['close', 'close'])
  expect((await ingest2.outcome).body).toBe('{"accepted":1}')
  expect((await explore2.outcome).status).toBe(200)
  expect(await ended).toBe(0)
  ingest2.session.destroy()
  explore2.session.destroy()
})

test.each([
  ['a stop signal', []],
  ['a stop signal to every process', ['edge', 'query'] as const],
])('a query in flight at %s is answered', async (_, roles) => {
  await service.call(BATCH_CREATE, { events: [makeEvent()] })
  const store = new StoreBackdoor(service)
  await waitFor('the event', async () => {
    const { body } = await service.call(EXPLORER, {})
    return body.events === undefined ? undefined : true
  })
  await store.makeTraitsSlow(2)
  const running = service.call(EXPLORER, { propertyFilters: [SLOW_FILTER] })
  await store.untilQueries(1)
  for (const role of roles) process.kill(service.pid(role), 'SIGTERM')
  const { code } = await service.shutDown()
  expect(await running).toMatchObject({ status: 200 })
  expect(code).toBe(0)
})

test('events acknowledged during a stop are stored after the next start', async () => {
  const event = makeEvent({ distinctId: 'anon-drained' })
  const body = Buffer.from(JSON.stringify({ events: [event] }))
  const ingest = await beginUpload(BATCH_CREATE, PUBLIC, body)
  const { ended } = await beginStop()
  await ingest.write(body.subarray(-1))
  expect((await ingest.untilClosed()).at(-1)).toMatchObject({ status: 200, body: '{"accepted":1}' })
  expect(await ended).toBe(0)
  await service.launch()
  const found = await waitFor('the event', async () => {
    const { body: page } = await service.call(EXPLORER, { distinctId: 'anon-drained' })
    return page.events as Record<string, unknown>[] | undefined
  })
  expect(found.map(({ eventId }) => eventId)).toEqual([event.eventId])
})
