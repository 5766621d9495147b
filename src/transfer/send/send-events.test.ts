import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceError } from '../../contract/service-error.ts'
import { encodeConnectError } from '../../rpc/connect-error-wire.ts'
import { sendBatch, toBatches } from './send-events.ts'
import { SendError, ServiceClient } from './service-client.ts'

type Answer = { readonly status: number; readonly body: string; readonly retryAfter?: string } | 'hang up'

const OK: Answer = { status: 200, body: '{}' }

let server: Server
let client: ServiceClient
let answer: (texts: readonly string[], call: number) => Answer
let calls: string[][]
let causes: string[]

beforeEach(async () => {
  calls = []
  causes = []
  server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { events } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      readonly events: readonly string[]
    }
    calls.push([...events])
    const said = answer(events, calls.length)
    if (said === 'hang up') return void request.socket.destroy()
    response.writeHead(said.status, said.retryAfter ? { 'retry-after': said.retryAfter } : {}).end(said.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const target = { url: `http://127.0.0.1:${port}/`, key: 'prv_x' }
  client = new ServiceClient(target, {
    connectionsMax: 2,
    signal: new AbortController().signal,
    onRetry: (cause) => causes.push(cause),
  })
})

afterEach(() => {
  client.close()
  server.closeAllConnections()
  server.close()
})

test('a batch is retried until it is accepted: after overload, failures and broken connections', async () => {
  const answers: readonly Answer[] = [
    { ...refuse({ code: 'resource_exhausted', reason: 'OVERLOADED' }), retryAfter: '1' },
    { status: 503, body: 'not JSON' },
    'hang up',
    OK,
  ]
  answer = (_, call) => answers[call - 1] ?? OK
  expect(await send(['a', 'b'])).toEqual({ taken: 2, refused: [] })
  expect(calls).toHaveLength(4)
  expect(causes).toEqual(['it is wrong', 'status 503', expect.stringContaining('hang up')])
})

test('the event named by a rejection is removed, and the others are accepted', async () => {
  answer = (texts) => {
    const index = texts.findIndex((text) => text.startsWith('bad'))
    return index < 0 ? OK : refuse({ code: 'invalid_argument', field: `events[${index}].kind` })
  }
  expect(await send(['a', 'bad 1', 'b', 'bad 2'])).toEqual({ taken: 2, refused: ['bad 1', 'bad 2'] })
})

test('a batch is halved when a rejection names no event or the body is too large', async () => {
  answer = (texts) => {
    if (texts.length > 2) return refuse({ code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' })
    return texts.includes('bad') ? refuse({ code: 'invalid_argument' }) : OK
  }
  expect(await send(['a', 'b', 'c', 'bad', 'd'])).toEqual({ taken: 4, refused: ['bad'] })
})

test('a rejected key fails immediately', async () => {
  answer = () => refuse({ code: 'unauthenticated' })
  await expect(send(['a'])).rejects.toThrow(SendError)
  expect(calls).toHaveLength(1)
})

test.each([
  { name: 'a thousand events are one batch', texts: new Array(1000).fill('a'), sizes: [1000] },
  { name: 'more are several', texts: new Array(2500).fill('a'), sizes: [1000, 1000, 500] },
  { name: 'large ones are fewer', texts: new Array(5).fill('a'.repeat(1_000_000)), sizes: [2, 2, 1] },
  { name: 'none are none', texts: [], sizes: [] },
])('$name', ({ texts, sizes }) => {
  expect(toBatches(texts.map((text: string) => ({ text }))).map(({ length }) => length)).toEqual(sizes)
})

async function send(
  texts: readonly string[],
): Promise<{ readonly taken: number; readonly refused: readonly string[] }> {
  const refused: string[] = []
  const events = texts.map((text) => ({ text: JSON.stringify(text) }))
  const taken = await sendBatch(client, events, ({ text }) => refused.push(JSON.parse(text)))
  return { taken, refused }
}

function refuse(of: {
  readonly code: 'resource_exhausted' | 'invalid_argument' | 'unauthenticated'
  readonly reason?: ServiceError['reason']
  readonly field?: string
}): Exclude<Answer, string> {
  const { code, reason = 'INVALID_EVENT_BATCH', field } = of
  const violations = field === undefined ? [] : [{ field, description: 'is wrong' }]
  const error = new ServiceError({ code, reason, message: `${field ?? 'it'} is wrong`, violations })
  const status = { resource_exhausted: 429, invalid_argument: 400, unauthenticated: 401 }[code]
  return { status, body: encodeConnectError(error, { requestId: 'r', domain: 'd' }) }
}
