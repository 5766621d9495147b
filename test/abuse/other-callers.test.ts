import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { RawConnection, request } from '../protocols/raw-connection.ts'

const LIST = 'shared.profiles.v1.ProfilesService/List'
const COUNT = 'shared.insights.v1.InsightsService/GetFilterSchema'
const BODY_BYTES = 7.4 * 1024 * 1024

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
  return async () => await service?.destroy()
})

const opened: { close(): void }[] = []

afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

function openSession(): ClientHttp2Session {
  const session = connect(service.url)
  session.on('error', () => undefined)
  opened.push({ close: () => session.destroy() })
  return session
}

/** Heads of calls whose bodies never end; each body begins with so many bytes. */
function beginMany(path: string, key: string, count: number, bytes: number): void {
  const session = openSession()
  const headers = { ':method': 'POST', ':path': `/${path}`, 'content-type': 'application/json' }
  for (let index = 0; index < count; index++) {
    const stream = session.request(key === '' ? headers : { ...headers, 'x-api-key': key }, {
      endStream: false,
    })
    stream.on('error', () => undefined).resume()
    if (bytes > 0) stream.write(Buffer.alloc(bytes, ' '))
  }
}

/** Waits until no more comes of the bodies that stand. */
async function untilStanding(): Promise<void> {
  let before = -1
  await waitFor('the bodies to stand', async () => {
    const bytes = await bodyBytes()
    const isStanding = bytes > BODY_BYTES && bytes === before
    before = bytes
    return isStanding ? true : undefined
  })
}

async function bodyBytes(): Promise<number> {
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
  return Number(/^millrace_body_bytes\{role="edge"\} (\d+)/m.exec(metrics)?.[1])
}

async function askOverHttp2(): Promise<number> {
  const stream = openSession().request({
    ':method': 'POST',
    ':path': `/${COUNT}`,
    'content-type': 'application/json',
    'x-api-key': PRIVATE_KEY,
  })
  stream.end('{}')
  const [headers] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  return headers[':status'] ?? 0
}

/** The statuses of other callers during an attack. */
async function statuses(): Promise<readonly number[]> {
  const batch = { events: [makeEvent()] }
  const answers = [
    await service.call(BATCH_CREATE, batch),
    await service.call(BATCH_CREATE, { events: Array.from({ length: 500 }, () => makeEvent()) }),
    await service.call(COUNT, {}),
  ]
  return [...answers.map(({ status }) => status), await askOverHttp2()]
}

test('other callers are served while bodies drip under one key over one connection', async () => {
  beginMany(BATCH_CREATE, PUBLIC_KEY, 18, BODY_BYTES)
  await untilStanding()
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await bodyBytes()).toBeGreaterThan(BODY_BYTES)
})

test.each([
  ['without a key', {}],
  ['under unknown keys', { 'x-api-key': 'prv_unknown' }],
])('other callers are served while bodies drip over HTTP/1.1 %s', async (_, key) => {
  const connections = await Promise.all(
    Array.from({ length: 18 }, async () => await RawConnection.open(service.url)),
  )
  opened.push(...connections)
  const headers = { 'content-type': 'application/json', ...key, 'content-length': String(8 * 1024 * 1024) }
  const head = request(`POST /${LIST}`, headers)
  for (const one of connections) void one.write(Buffer.concat([head, Buffer.alloc(BODY_BYTES, ' ')]))
  await untilStanding()
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await bodyBytes()).toBeGreaterThan(BODY_BYTES)
})

test('other callers are served while more than 4,000 HTTP/2 requests wait for their bodies', async () => {
  for (let count = 0; count < 17; count++) beginMany(LIST, PRIVATE_KEY, 256, 0)
  await waitFor('the heads to stand', async () => {
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
    const running = Number(/^millrace_requests_running\{role="edge"\} (\d+)/m.exec(metrics)?.[1])
    return running > 4000 ? true : undefined
  })
  expect(await statuses()).toEqual([200, 200, 200, 200])
})
