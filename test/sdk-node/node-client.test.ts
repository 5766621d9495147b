import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMillrace, type Millrace, type MillraceError, type Options } from '../../sdk/node/src/index.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts'
import { readCopies } from './read-copies.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const GET_BY_EXTERNAL_ID = 'shared.profiles.v1.ProfilesService/GetByExternalId'

let service: TestService
let proxy: FlakyProxy
let errors: MillraceError[]
let clients: Millrace[]

beforeAll(async () => {
  service = await TestService.start({ SERVICE_WELL_KNOWN_EVENTS: 'enforce' })
})

afterAll(async () => {
  await service?.destroy()
})

beforeEach(async () => {
  errors = []
  clients = []
  proxy = await startFlakyProxy(service.url)
})

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close(1)))
  await proxy.stop()
})

function connect(options: Partial<Options> = {}): Millrace {
  const onError = (error: MillraceError) => errors.push(error)
  const client = createMillrace({ key: PRIVATE_KEY, url: proxy.url, flushOn: [], onError, ...options })
  clients.push(client)
  return client
}

/** Tracks so many events and returns their ids. */
function trackMany(client: Millrace, kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, number) => {
    const eventId = randomUUID()
    client.track({ kind, eventId, distinctId: `user-${number % 7}`, properties: { number } })
    return eventId
  })
}

/** Every event of the kind is stored, each is read once, and there is no other. */
async function expectOnce(kind: string, eventIds: readonly string[]): Promise<void> {
  const copies = await readCopies(service, kind, eventIds)
  expect(copies).toEqual(new Map(eventIds.map((id) => [id, 1])))
}

test('an event arrives with its properties, its time and no session', async () => {
  const client = connect({ key: PUBLIC_KEY })
  const time = new Date(Date.now() - 60_000)
  const properties = { plan: 'pro', seats: 3, ratio: 0.5, big: 2n ** 53n, $url: 'https://shop.example/a' }
  expect(client.track({ kind: 'node_event', distinctId: 'ann', properties, time })).toBe(true)
  expect(await client.flush()).toBe(true)
  const event = await waitFor('the event', async () => {
    const { body } = await service.call(EXPLORER, { events: [{ kind: 'node_event' }] })
    const [first] = (body.events ?? []) as readonly Record<string, unknown>[]
    return first
  })
  expect(event).toMatchObject({
    distinctId: 'ann',
    occurTime: time.toISOString(),
    sessionId: '00000000-0000-0000-0000-000000000000',
    customProperties: { plan: 'pro', seats: 3, ratio: 0.5 },
    autoProperties: { $pathname: '/a' },
  })
  // The user agent of a server is none of the user's.
  expect(event.autoProperties).not.toHaveProperty('$bot')
  expect(event.autoProperties).not.toHaveProperty('$browser')
  expect(client.stats()).toMatchObject({ waiting: 0, sent: 1, retries: 0 })
  expect(errors).toEqual([])
})

test('identify creates a profile, and the later of two calls wins', async () => {
  const client = connect()
  client.identify({ externalId: 'bob', traits: { plan: 'free', seats: 1 } })
  client.identify({ externalId: 'bob', traits: { plan: 'pro' } })
  expect(await client.flush()).toBe(true)
  await waitFor('the profile', async () => {
    const { body } = await service.call(GET_BY_EXTERNAL_ID, { externalId: 'bob' })
    const { properties } = (body.profile ?? {}) as { readonly properties?: Record<string, unknown> }
    return properties?.plan === 'pro' && properties.seats === 1 ? true : undefined
  })
})

test('an answer that is lost is asked for again with the same ids, and every event counts once', async () => {
  const client = connect({ batchEventsMax: 50 })
  proxy.treat((number) => (number % 3 === 0 ? 'pass' : number % 3 === 1 ? 'lose-answer' : 'refuse'))
  const ids = trackMany(client, 'lost_answers', 200)
  expect(await client.flush(60_000)).toBe(true)
  await expectOnce('lost_answers', ids)
  expect(proxy.count('lose-answer')).toBeGreaterThanOrEqual(4)
  expect(errors.length).toBe(client.stats().retries)
  expect(errors.every(({ reason, lost }) => reason === 'unavailable' && lost === 0)).toBe(true)
})

test('a service that is away for a while gets every event when it is back, in their order', async () => {
  const client = connect({ batchEventsMax: 50 })
  proxy.treat(() => 'refuse')
  const ids = trackMany(client, 'away', 300)
  await waitFor('three attempts', () => (proxy.count('refuse') >= 3 ? true : undefined))
  expect(client.stats()).toMatchObject({ waiting: 300, sent: 0 })
  expect(await client.flush(1)).toBe(false)
  proxy.treat(() => 'pass')
  expect(await client.flush(60_000)).toBe(true)
  await expectOnce('away', ids)
  expect(client.stats().dropped).toEqual({ invalid: 0, rejected: 0, queue_full: 0, unsent: 0 })
})

test('no event is lost and none counts twice while the edge is killed again and again', async () => {
  const client = connect({ url: service.url, batchEventsMax: 20, flushIntervalMs: 20 })
  const ids: string[] = []
  let kills = 0
  for (let round = 0; round < 4; round++) {
    ids.push(...trackMany(client, 'killed_edge', 400))
    const sentBefore = client.stats().sent
    await waitFor('a batch to be taken', () => (client.stats().sent > sentBefore ? true : undefined))
    process.kill(service.pid('edge'), 'SIGKILL')
    kills++
    await waitFor('the edge to be back', async () =>
      (await fetch(`${service.url}/healthz`)).status === 200 ? true : undefined,
    )
  }
  expect(await client.flush(60_000)).toBe(true)
  expect(kills).toBe(4)
  await expectOnce('killed_edge', ids)
  expect(client.stats()).toMatchObject({ waiting: 0, sent: 1600 })
})

test.each([
  ['drop-newest', 0],
  ['drop-oldest', 50],
] as const)('a full queue with %s keeps 100 events and reports the others once', async (whenFull, first) => {
  const kind = whenFull.replace('-', '_')
  const client = connect({ queueEventsMax: 100, whenFull })
  const ids = trackMany(client, kind, 150)
  expect(client.stats()).toMatchObject({ waiting: 100, dropped: { queue_full: 50 } })
  expect(await client.flush(60_000)).toBe(true)
  await expectOnce(kind, ids.slice(first, first + 100))
  expect(errors.map(({ reason, lost }) => [reason, lost])).toEqual([['queue_full', 50]])
})

test('a producer that waits for room loses nothing', async () => {
  const client = connect({ queueEventsMax: 10, batchEventsMax: 10 })
  const ids: string[] = []
  for (let number = 0; number < 100; number++) {
    expect(await client.waitForRoom()).toBe(true)
    ids.push(...trackMany(client, 'patient', 1))
  }
  expect(await client.flush(60_000)).toBe(true)
  await expectOnce('patient', ids)
  proxy.treat(() => 'refuse')
  trackMany(client, 'patient', 10)
  expect(await client.waitForRoom(1)).toBe(false)
})

test('of a batch that the service refuses, only the event that it names is left out', async () => {
  const client = connect()
  const before = trackMany(client, 'good', 3)
  client.track({ kind: 'scroll', distinctId: 'ann', properties: { percent: 101 } })
  const after = trackMany(client, 'good', 2)
  expect(await client.flush(60_000)).toBe(true)
  await expectOnce('good', [...before, ...after])
  const losses = errors.filter(({ lost }) => lost > 0)
  expect(losses).toMatchObject([{ reason: 'rejected', lost: 1, message: expect.stringContaining('scroll') }])
  expect(client.stats()).toMatchObject({ sent: 5, dropped: { rejected: 1 } })
})

test('calls that the service would refuse are dropped and reported, and throw nothing', async () => {
  const client = connect()
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const calls = [
    client.track({ kind: 'bad kind', distinctId: 'ann' }),
    client.track({ kind: 'service.own', distinctId: 'ann' }),
    client.track({ kind: 'a', distinctId: '' }),
    client.track({ kind: 'a', distinctId: 'cookieless-1' }),
    client.track({ kind: 'a', distinctId: 'ann', eventId: '1' }),
    client.track({ kind: 'a', distinctId: 'ann', sessionId: '1' }),
    client.track({ kind: 'a', distinctId: 'ann', time: Number.NaN }),
    client.track({ kind: 'a', distinctId: 'ann', properties: { circular } }),
    client.track(undefined as never),
    client.identify({ externalId: '' }),
    client.identify({ externalId: 'ann', anonymousId: 'ann' }),
    client.identify({ externalId: 'ann', traits: { text: 'x'.repeat(300_000) } }),
    client.identify({ externalId: 'ann', traits: { n: 1n } }),
  ]
  expect(calls).toEqual(calls.map(() => false))
  expect(errors.map(({ reason, lost }) => [reason, lost])).toEqual(calls.map(() => ['invalid', 1]))
  expect(client.stats()).toMatchObject({ waiting: 0, dropped: { invalid: calls.length } })
})

test('a key that the service refuses keeps events waiting, and close reports them as unsent', async () => {
  const client = connect({ key: 'prv_unknownunknownunknown' })
  trackMany(client, 'unauthorized', 5)
  expect(await client.close(500)).toBe(false)
  const reported = new Set(errors.map(({ reason, lost }) => `${reason} ${lost}`))
  expect([...reported]).toEqual(['unauthorized 0', 'unsent 5'])
  expect(client.track({ kind: 'a', distinctId: 'ann' })).toBe(false)
  expect(client.stats()).toMatchObject({ waiting: 0, dropped: { unsent: 6 } })
})
