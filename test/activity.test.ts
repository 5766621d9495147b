import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BATCH_CREATE, type JsonEvent, makeEvent } from './harness/events.ts'
import { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const ACTIVITY = 'shared.activity.v1.ActivityService'
const NOW_MS = Date.now()
const MINUTE_MS = 60_000

/** The key with the most parts that an event may have. */
const DOTTED = `${'a.'.repeat(99)}a`

let service: TestService

/** Events of one user, one a minute back from now, and two long ago. */
const MINE = [
  ...Array.from({ length: 25 }, (_, index) => mine({ occurMs: NOW_MS - index * MINUTE_MS, index })),
  mine({ occurMs: Date.UTC(2020, 1, 29, 12), index: 100 }),
  mine({ occurMs: Date.UTC(1999, 0, 1), index: 101 }),
]

function mine({ occurMs, index }: { readonly occurMs: number; readonly index: number }): JsonEvent {
  return makeEvent({
    distinctId: 'ann',
    kind: index % 2 === 0 ? 'even' : 'odd',
    occurTime: new Date(occurMs).toISOString(),
    autoProperties: { $browser: { stringValue: index === 0 ? 'Firefox' : 'Safari' } },
    customProperties: {
      index: { intValue: String(index) },
      plan: { stringValue: 'pro' },
      ...(index === 0 && { [DOTTED]: { stringValue: 'deep' } }),
    },
  })
}

beforeAll(async () => {
  service = await TestService.start()
  const others = Array.from({ length: 5 }, () => makeEvent({ distinctId: 'bob' }))
  const answer = await service.call(BATCH_CREATE, { events: [...MINE, ...others] })
  expect(answer).toMatchObject({ status: 200, body: { accepted: MINE.length + others.length } })
  await waitFor('the events', async () => {
    const { body } = await service.call(`${ACTIVITY}/GetEventExplorer`, { pageSize: 1000 })
    return (body.events as unknown[] | undefined)?.length === MINE.length + others.length ? true : undefined
  })
})

afterAll(async () => {
  await service.destroy()
})

async function call(method: string, request: object): Promise<Record<string, unknown>> {
  const { status, body } = await service.call(`${ACTIVITY}/${method}`, request)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

async function list(method: string, request: object): Promise<string[]> {
  const body = await call(method, request)
  return ((body.events ?? []) as { eventId: string }[]).map(({ eventId }) => eventId)
}

function idsOf(events: readonly JsonEvent[]): string[] {
  return events.map(({ eventId }) => String(eventId))
}

describe('a feed', () => {
  test('has the events of one user, newest first, from today to long ago', async () => {
    expect(await list('GetActivityFeed', { distinctId: 'ann' })).toEqual(idsOf(MINE))
  })

  test('has pages without gaps or overlaps', async () => {
    const seen: string[] = []
    let pageToken = ''
    do {
      const body = await call('GetActivityFeed', { distinctId: 'ann', pageSize: 4, pageToken })
      seen.push(...idsOf(body.events as JsonEvent[]))
      pageToken = String(body.nextPageToken ?? '')
    } while (pageToken !== '')
    expect(seen).toEqual(idsOf(MINE))
  })

  test('matches any of the kinds and all of the property filters', async () => {
    const request = {
      distinctId: 'ann',
      events: [
        { kind: 'even', filters: [{ property: 'index', operator: 'FILTER_OPERATOR_LTE', value: '4' }] },
        { kind: 'odd', filters: [{ property: 'index', operator: 'FILTER_OPERATOR_GT', value: '100' }] },
      ],
      propertyFilters: [
        { property: 'plan', operator: 'FILTER_OPERATOR_EQUALS', value: 'pro' },
        { property: '$browser', operator: 'FILTER_OPERATOR_NOT_EQUALS', value: 'Firefox' },
      ],
    }
    expect(await list('GetActivityFeed', request)).toEqual(
      idsOf([2, 4, 26].map((at): JsonEvent => MINE[at] ?? {})),
    )
  })

  test('needs a user', async () => {
    const { status, body } = await service.call(`${ACTIVITY}/GetActivityFeed`, {})
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
  })

  test('of a user without events is empty', async () => {
    expect(await list('GetActivityFeed', { distinctId: 'nobody' })).toEqual([])
  })

  test('is empty before the first and after the last event of the user', async () => {
    const between = (from: number, to: number): Promise<string[]> =>
      list('GetActivityFeed', {
        distinctId: 'ann',
        timeRange: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      })
    expect(await between(Date.UTC(1990, 0, 1), Date.UTC(1999, 0, 1))).toEqual([])
    expect(await between(NOW_MS + 1, NOW_MS + MINUTE_MS)).toEqual([])
    expect(await between(NOW_MS, NOW_MS + 1)).toHaveLength(1)
  })
})

test.each([
  ['GetActivityFeed', MINE.length],
  ['GetEventExplorer', MINE.length + 5],
])('%s takes the first and the last instant of a message for an open end', async (method, count) => {
  const [first, last] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z']
  const listIn = async (from: string, to: string) =>
    await list(method, { distinctId: method === 'GetActivityFeed' ? 'ann' : '', timeRange: { from, to } })
  expect(await listIn(first, last)).toHaveLength(count)
  expect(await listIn('1999-01-01T00:00:00Z', last)).toHaveLength(count)
  expect(await listIn(first, '2020-02-29T12:00:00Z')).toEqual(idsOf(MINE.slice(-1)))
  expect(await listIn(first, '1969-12-31T00:00:00Z')).toEqual([])
  expect(await listIn('2106-01-01T00:00:00Z', last)).toEqual([])
})

describe('the explorer', () => {
  test('has exactly one distinct id when one is named', async () => {
    expect(await list('GetEventExplorer', { distinctId: 'bob' })).toHaveLength(5)
  })

  test('has one session when one is named, in upper or lower case', async () => {
    const [event] = MINE
    const sessionId = String(event?.sessionId).toUpperCase()
    expect(await list('GetEventExplorer', { sessionId })).toEqual([event?.eventId])
  })

  test('by arrival puts an event that is dated ahead before earlier arrivals and after later ones', async () => {
    const send = async (occurMs: number): Promise<string> => {
      const event = makeEvent({ distinctId: 'cleo', occurTime: new Date(occurMs).toISOString() })
      expect(await service.call(BATCH_CREATE, { events: [event] })).toMatchObject({ body: { accepted: 1 } })
      const eventId = String(event.eventId)
      await waitFor('the event', async () =>
        (await list('GetEventExplorer', { distinctId: 'cleo' })).includes(eventId) ? true : undefined,
      )
      return eventId
    }
    const [old, ahead, fresh] = [
      await send(NOW_MS - 60 * MINUTE_MS),
      await send(NOW_MS + 180 * MINUTE_MS),
      await send(NOW_MS),
    ]
    const order = 'EVENT_ORDER_ARRIVAL'
    expect(await list('GetEventExplorer', { distinctId: 'cleo' })).toEqual([ahead, fresh, old])
    expect(await list('GetEventExplorer', { distinctId: 'cleo', order })).toEqual([fresh, ahead, old])
    expect((await list('GetEventExplorer', { order })).slice(0, 3)).toEqual([fresh, ahead, old])

    const first = await call('GetEventExplorer', { order, pageSize: 1, distinctId: 'cleo' })
    const [{ arrivalTime }] = first.events as [{ arrivalTime: string }]
    expect(Math.abs(Date.parse(arrivalTime) - Date.now())).toBeLessThan(10 * MINUTE_MS)
    const late = await send(NOW_MS - 120 * MINUTE_MS)
    const pageToken = first.nextPageToken
    expect(await list('GetEventExplorer', { order, distinctId: 'cleo', pageToken })).toEqual([ahead, old])
    const arrivalRange = { from: '2020-01-01T00:00:00Z', to: arrivalTime }
    expect(await list('GetEventExplorer', { order, distinctId: 'cleo', arrivalRange })).toEqual([ahead, old])
    expect((await list('GetEventExplorer', { order, distinctId: 'cleo' }))[0]).toBe(late)
  })

  test.each([
    ['a token of ours that was changed', { pageToken: Buffer.from('[1,2,3,4]').toString('base64url') }],
    ['a token that is none', { pageToken: 'x' }],
    ['an order that does not exist', { order: 7 }],
  ])('refuses %s', async (_, request) => {
    const { status, body } = await service.call(`${ACTIVITY}/GetEventExplorer`, request)
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
  })

  test('finds a key of as many parts as a key can have', async () => {
    const filters = [{ property: DOTTED, operator: 'FILTER_OPERATOR_EQUALS', value: 'deep' }]
    expect(await list('GetEventExplorer', { propertyFilters: filters })).toEqual([MINE[0]?.eventId])
  })

  test('refuses a filter without its value, naming it', async () => {
    const filters = [{ property: 'a', operator: 'FILTER_OPERATOR_BETWEEN', values: ['2', '1'] }]
    const { body } = await service.call(`${ACTIVITY}/GetEventExplorer`, { propertyFilters: filters })
    expect(body).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('propertyFilters[0].values'),
    })
  })
})

describe('a heatmap', () => {
  test('counts the events of each day of a range, without empty days', async () => {
    const timeRange = { from: '2020-02-28T00:00:00Z', to: '2020-03-02T00:00:00Z' }
    expect(await call('GetActivityHeatmap', { distinctId: 'ann', timeRange })).toEqual({
      days: [{ date: '2020-02-29', count: '1' }],
    })
  })

  test('covers the last 60 days by default', async () => {
    const { days } = await call('GetActivityHeatmap', { distinctId: 'ann' })
    const counts = (days as { count: string }[]).map(({ count }) => Number(count))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25)
  })

  test.each([
    ['timeRange.from', '1899-12-31T00:00:00Z', '1900-01-01T00:00:00Z'],
    ['timeRange.to', '2299-12-31T00:00:00Z', '2300-01-01T00:00:00.001Z'],
  ])('of another century is refused, naming %s', async (field, from, to) => {
    const { body } = await service.call(`${ACTIVITY}/GetActivityHeatmap`, { timeRange: { from, to } })
    expect(JSON.stringify(body)).toContain(field)
  })

  test('of more than 366 days is refused', async () => {
    const timeRange = { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00.001Z' }
    const { body } = await service.call(`${ACTIVITY}/GetActivityHeatmap`, { timeRange })
    expect(body).toMatchObject({ code: 'invalid_argument' })
  })
})

describe('profile stats', () => {
  test('summarize one user', async () => {
    const { stats, heatmap, properties } = await call('GetProfileStats', { distinctId: 'ann' })
    expect(stats).toMatchObject({
      firstSeen: '1999-01-01T00:00:00Z',
      lastSeen: new Date(NOW_MS).toISOString().replace('.000Z', 'Z'),
      totalEvents: '27',
      browser: 'Firefox',
    })
    expect((heatmap as unknown[]).length).toBeGreaterThan(0)
    expect(properties).toEqual({})
  })

  test('of a user without events are empty', async () => {
    expect(await call('GetProfileStats', { distinctId: randomUUID() })).toEqual({ stats: {}, properties: {} })
  })
})

test('a cookieless user has a feed, a heatmap and stats', async () => {
  const { distinctId, sessionId, ...event } = makeEvent({ kind: 'cookieless_visit' })
  await service.call(BATCH_CREATE, { events: [{ ...event, cookieless: true }] })
  const derivedId = await waitFor('the event', async () => {
    const body = await call('GetEventExplorer', { events: [{ kind: 'cookieless_visit' }] })
    return (body.events as { distinctId: string }[] | undefined)?.[0]?.distinctId
  })
  expect(await list('GetActivityFeed', { distinctId: derivedId })).toEqual(idsOf([event]))
  expect((await call('GetActivityHeatmap', { distinctId: derivedId })).days).toMatchObject([{ count: '1' }])
  const { stats } = await call('GetProfileStats', { distinctId: derivedId })
  expect(stats).toMatchObject({ totalEvents: '1' })
})
