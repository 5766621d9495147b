import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import { PUBLIC_KEY, runMillrace, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { ingestOne } from './first-calls.ts'
import { wireOf } from './wires.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'

/** Within this a revoked key must be refused everywhere, in milliseconds. */
const REVOKED_WITHIN_MS = 5000

let service: TestService

beforeAll(async () => {
  service = await TestService.start({ SERVICE_RATE_LIMIT_EVENTS_PER_SECOND: '10' })
})

afterAll(async () => {
  await service.destroy()
})

async function millrace(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runMillrace(words, service.environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

async function createKey(
  kind: 'public' | 'private',
): Promise<{ readonly text: string; readonly id: string }> {
  const [project = ''] = (await millrace('projects', 'list')).split(/\s/, 1)
  const name = `key-${crypto.randomUUID()}`
  const text = await millrace('keys', 'create', project, kind, name)
  const line = (await millrace('keys', 'list')).split('\n').find((candidate) => candidate.endsWith(name))
  return { text, id: line?.split(' ', 1)[0] ?? '' }
}

const ingest = async (key: string): Promise<number> =>
  (await service.call(BATCH_CREATE, {}, { 'x-api-key': key })).status

const explore = async (key: string): Promise<number> =>
  (await service.call(EXPLORER, { pageSize: 1 }, { 'x-api-key': key })).status

test('a revoked key is refused by the edge and by the query process within five seconds', async () => {
  const { text, id } = await createKey('private')
  expect([await ingest(text), await explore(text)]).toEqual([200, 200])
  await millrace('keys', 'revoke', id)
  await waitFor(
    'the key to be refused by both',
    async () => {
      const statuses = [await ingest(text), await explore(text)]
      return statuses.every((status) => status === 401) ? true : undefined
    },
    REVOKED_WITHIN_MS,
  )
})

describe('a key that may send ten events a second', () => {
  test('gets its remaining budget, and Retry-After once its burst is spent', async () => {
    const { text } = await createKey('public')
    const send = async (count: number): ReturnType<TestService['call']> =>
      await service.call(
        BATCH_CREATE,
        { events: Array.from({ length: count }, () => makeEvent()) },
        { 'x-api-key': text, origin: 'https://shop.test' },
      )
    const first = await send(1)
    expect(first).toMatchObject({ status: 200, body: { accepted: 1 } })
    expect(first.headers.get('ratelimit-limit')).toBe('10')
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(18)
    // Overdrawn by more than the key regains while the answer is on its way.
    expect((await send(100)).status).toBe(200)
    const refused = await send(1)
    expect(refused).toMatchObject({ status: 429, body: { code: 'resource_exhausted' } })
    expect(JSON.stringify(refused.body)).toContain('google.rpc.RetryInfo')
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThanOrEqual(1)
    expect(retryAfter).toBeLessThanOrEqual(9)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(refused.headers.get('ratelimit-reset')).toBe(String(retryAfter))
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.test')
    const later = await waitFor('the key to be allowed again', async () => {
      const answer = await send(1)
      return answer.status === 200 ? answer : undefined
    })
    expect(later.body).toEqual({ accepted: 1 })
  })

  test('does not limit another key, and gets resource_exhausted over gRPC', async () => {
    const events = Array.from({ length: 100 }, () => makeEvent())
    expect((await service.call(BATCH_CREATE, { events }, { 'x-api-key': PUBLIC_KEY })).status).toBe(200)
    const client = wireOf('gRPC of @grpc/grpc-js over HTTP/2').open(service.url, 'identity')
    const reply = await client.call(ingestOne())
    client.close()
    expect(reply).toMatchObject({ code: 'resource_exhausted', reason: 'RATE_LIMITED' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })
})
