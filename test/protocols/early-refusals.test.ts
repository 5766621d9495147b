import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE } from '../harness/events.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'

const BODY_BYTES_MAX = 64 * 1024
const ATTEMPTS = 20

let service: TestService

beforeAll(async () => {
  service = await TestService.start({ SERVICE_MAX_BODY_BYTES: String(BODY_BYTES_MAX) })
})

afterAll(async () => {
  await service?.destroy()
})

interface Refused {
  readonly path: string
  readonly key: string
}

/** Sends far more than is read, with `Connection: close`. */
async function sendTooMuch({ path, key }: Refused): Promise<string> {
  const outgoing = request(`${service.url}/${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', connection: 'close', 'x-api-key': key },
  })
  outgoing.end(Buffer.alloc(100 * BODY_BYTES_MAX, 'x'))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const { code } = JSON.parse(await text(response)) as { readonly code: string }
  return `${response.statusCode} ${code}`
}

test.each([
  ['of events that is too large', { path: BATCH_CREATE, key: PUBLIC_KEY }, '429 resource_exhausted'],
  ['of events without a key', { path: BATCH_CREATE, key: '' }, '401 unauthenticated'],
  [
    'of a query that is too large',
    { path: 'shared.insights.v1.InsightsService/Query', key: PUBLIC_KEY },
    '429 resource_exhausted',
  ],
])(
  'a body %s is refused in words, also on a connection that the client wants closed',
  async (_, refused, answer) => {
    const answers: string[] = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) answers.push(await sendTooMuch(refused))
    expect(answers).toEqual(Array(ATTEMPTS).fill(answer))
  },
)

test.each([
  ['of events', BATCH_CREATE],
  ['of traits', 'sdk.profiles.v1.ProfilesSDKService/Identify'],
])('a call %s without a key is refused over HTTP/2 before anything of its body came', async (_, path) => {
  const session = connect(service.url)
  const headers = { ':method': 'POST', ':path': `/${path}`, 'content-type': 'application/json' }
  const stream = session.request(headers, { endStream: false })
  const [head] = (await once(stream, 'response')) as [{ readonly ':status'?: number }]
  expect(head[':status']).toBe(401)
  expect(JSON.parse(await text(stream))).toMatchObject({ code: 'unauthenticated' })
  session.destroy()
})

const LONG_KEYS = [5, 14, 16, 40, 100].map((kib) => kib * 1024)

test.each(LONG_KEYS)('a key of %i bytes is refused in words over HTTP/1.1', async (length) => {
  const ask = async (path: string): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k'.repeat(length) }
    const response = await fetch(`${service.url}/${path}`, { method: 'POST', headers, body: '{}' })
    const { code } = (await response.json()) as { readonly code: string }
    return `${response.status} ${code}`
  }
  expect(await ask(BATCH_CREATE)).toBe('401 unauthenticated')
  const forwarded = length < 15 * 1024 ? '401 unauthenticated' : '400 invalid_argument'
  expect(await ask('shared.insights.v1.InsightsService/Query')).toBe(forwarded)
})
