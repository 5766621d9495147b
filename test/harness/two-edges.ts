import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntilDrained } from '../faults/drain.ts'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './events.ts'
import { type LocalRedis, startLocalRedis } from './local-redis.ts'
import { PRIVATE_KEY, PUBLIC_KEY, type TestService } from './service.ts'

const MINUTE_MS = 60_000
const EVENTS_PER_SECOND = 50
/** Several servers and services, one after the other. */
const START_MS_MAX = 180_000
const BURST = 2 * EVENTS_PER_SECOND

/** One visitor's browser behind a trusted proxy. */
const VISITOR = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Test/1.0',
  'x-forwarded-for': '203.0.113.77',
}

/** Two invocations that take events and share what several machines share. */
export interface TwoEdges {
  readonly first: TestService
  readonly second: TestService
  close(): Promise<void>
}

/** Starts two edges with shared settings. */
type StartEdges = (shared: Readonly<Record<string, string>>) => Promise<TwoEdges>

let redis: LocalRedis
let edges: TwoEdges

async function send(edge: TestService, events: readonly JsonEvent[], key = PUBLIC_KEY): Promise<number> {
  const { status } = await edge.call(BATCH_CREATE, { events }, { ...VISITOR, 'x-api-key': key })
  return status
}

/** Every stored event of a kind, when all that was acknowledged is delivered. */
async function stored(kind: string): Promise<Record<string, unknown>[]> {
  await Promise.all([waitUntilDrained(edges.first), waitUntilDrained(edges.second)])
  const { body } = await edges.second.call('shared.activity.v1.ActivityService/GetEventExplorer', {
    events: [{ kind }],
    pageSize: 1000,
  })
  return (body.events ?? []) as Record<string, unknown>[]
}

/** A cookieless event that occurred so many minutes ago. */
function cookieless(kind: string, minutesAgo: number): JsonEvent {
  const { distinctId: _, sessionId: __, ...event } = makeEvent({ kind, cookieless: true })
  return { ...event, occurTime: new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString() }
}

async function metric(service: TestService, name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
  const values = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** Tests of two edges on one Redis for every kind of ClickHouse, with further tests for some. */
export function describeTwoEdges(
  name: string,
  isPossible: boolean,
  start: StartEdges,
  describeMore: () => void = () => undefined,
): void {
  describe.skipIf(!isPossible)(name, () => {
    beforeAll(async () => {
      redis = await startLocalRedis()
      edges = await start({
        SERVICE_REDIS_URL: redis.url,
        SERVICE_RATE_LIMIT_EVENTS_PER_SECOND: String(EVENTS_PER_SECOND),
      })
    }, START_MS_MAX)

    afterAll(async () => {
      await edges?.close()
      await redis?.stop()
    })

    test('store a batch once that both receive at the same time', async () => {
      const events = Array.from({ length: 5 }, () => makeEvent({ kind: 'sent_to_both' }))
      const statuses = await Promise.all(
        [edges.first, edges.second, edges.first, edges.second].map(async (edge) => await send(edge, events)),
      )
      expect(statuses).toEqual([200, 200, 200, 200])
      const found = await stored('sent_to_both')
      expect(found.map(({ eventId }) => eventId).sort()).toEqual(events.map(({ eventId }) => eventId).sort())
    })

    test('agree on the identity and the session of a cookieless visitor', async () => {
      const statuses = await Promise.all(
        [edges.first, edges.second, edges.first, edges.second].map(
          async (edge, index) => await send(edge, [cookieless('visit', index / 60)]),
        ),
      )
      expect(statuses).toEqual([200, 200, 200, 200])
      const found = await stored('visit')
      expect(found).toHaveLength(4)
      expect(new Set(found.map(({ distinctId }) => distinctId)).size).toBe(1)
      expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(1)
    })

    test.each([
      ['now', 'retried', 0],
      ['too late for its session', 'retried_late', 40],
    ])('give a batch that is retried on the other one the same session: %s', async (_, kind, minutesAgo) => {
      await send(edges.first, [cookieless(`${kind}_before`, 0)])
      const events = [cookieless(kind, minutesAgo), cookieless(kind, minutesAgo + 0.01)]
      expect(await send(edges.first, events)).toBe(200)
      const before = await stored(kind)
      expect(before).toHaveLength(2)
      expect(await send(edges.second, events)).toBe(200)
      expect(await stored(kind)).toEqual(before)
    })

    test('count an event id that is repeated with other content, and keep both events', async () => {
      const before = await metric(edges.second, 'millrace_event_id_clashes_total')
      const event = makeEvent({ kind: 'clash', distinctId: 'anon-1' })
      expect(await send(edges.second, [event, { ...event, distinctId: 'anon-2' }, event])).toBe(200)
      // The third one meets the second one in memory, and is the first one in the store.
      expect(await metric(edges.second, 'millrace_event_id_clashes_total')).toBe(before + 2)
      expect(await stored('clash')).toHaveLength(2)
    })

    test('share the rate limit of a key, up to a batch for each', async () => {
      const startMs = performance.now()
      let accepted = 0
      let refusedInARow = 0
      for (let sent = 0; refusedInARow < 2; sent++) {
        const events = Array.from({ length: 10 }, () => makeEvent({ kind: 'limited' }))
        const isTaken = (await send(sent % 2 === 0 ? edges.first : edges.second, events, PRIVATE_KEY)) === 200
        if (isTaken) accepted += events.length
        refusedInARow = isTaken ? 0 : refusedInARow + 1
      }
      const flowed = ((performance.now() - startMs) / 1000) * EVENTS_PER_SECOND
      expect(accepted).toBeGreaterThanOrEqual(BURST - 20)
      expect(accepted).toBeLessThanOrEqual(BURST + flowed + 20)
      expect(await metric(edges.first, 'millrace_rate_limit_local_total')).toBe(0)
    })

    test('go on with a limit for each while Redis is away', async () => {
      redis.signal('SIGSTOP')
      try {
        const events = Array.from({ length: 100 }, () => makeEvent({ kind: 'without_redis' }))
        expect([await send(edges.first, events), await send(edges.second, events)]).toEqual([200, 200])
        expect([await send(edges.first, events), await send(edges.first, events)]).toContain(429)
        expect(await metric(edges.first, 'millrace_rate_limit_local_total')).toBeGreaterThan(0)
        expect(await stored('without_redis')).toHaveLength(100)
      } finally {
        redis.signal('SIGCONT')
      }
    })

    describeMore()
  })
}
