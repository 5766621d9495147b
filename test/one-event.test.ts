import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PUBLIC_KEY, reasonOf, runMillrace, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const EXPLORER = 'shared.activity.v1.ActivityService/GetEventExplorer'
const QUERY = 'shared.insights.v1.InsightsService/Query'

/** Headers of a browser behind a trusted proxy. */
const CHROME = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'x-forwarded-for': '203.0.113.9',
}

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service.destroy()
})

async function explore(request: object): Promise<Record<string, unknown>[]> {
  const { status, body } = await service.call(EXPLORER, request)
  expect(status).toBe(200)
  return (body.events ?? []) as Record<string, unknown>[]
}

test('the explorer returns an event as it was sent', async () => {
  const event = makeEvent({
    eventId: randomUUID().toUpperCase(),
    distinctId: 'anon-typed',
    occurTime: '2026-03-01T12:00:00.123987+02:00',
    autoProperties: {
      $url: { stringValue: 'https://example.com/ä?q=1' },
      $referrer: { stringValue: '' },
      $browser: { intValue: '7' },
      $ip: { stringValue: '192.0.2.1' },
      $bot_score: { intValue: '99' },
    },
    customProperties: {
      text: { stringValue: "quote ' backslash \\ newline \n nul \0 emoji 🌊" },
      big: { int_value: '-9223372036854775808' },
      small: { intValue: 42 },
      price: { doubleValue: -0.1 },
      paid: { boolValue: false },
      at: { timestampValue: '2026-01-01T00:00:00.0019+01:00' },
    },
  })
  const answer = await service.call(BATCH_CREATE, { events: [event] }, { 'x-api-key': PUBLIC_KEY })
  expect(answer).toMatchObject({ status: 200, body: { accepted: 1 } })
  const [found] = await waitFor('the event', async () => {
    const events = await explore({ distinctId: 'anon-typed' })
    return events.length > 0 ? events : undefined
  })
  expect(found).toEqual({
    eventId: String(event.eventId).toLowerCase(),
    kind: 'page_view',
    distinctId: 'anon-typed',
    sessionId: event.sessionId,
    occurTime: '2026-03-01T10:00:00.123Z',
    autoProperties: expect.objectContaining({
      $url: 'https://example.com/ä?q=1',
      $referrer: '',
      $browser: 7,
    }),
    customProperties: {
      text: "quote ' backslash \\ newline \n nul \0 emoji 🌊",
      big: '-9223372036854775808',
      small: 42,
      price: -0.1,
      paid: false,
      at: '2025-12-31T23:00:00.001Z',
    },
  })
})

test('an event is enriched by its request, its URL and its referrer, and never keeps the address', async () => {
  const event = makeEvent({
    distinctId: 'anon-enriched',
    autoProperties: {
      $url: { stringValue: 'https://shop.example.com/cart?utm_source=news&utm_medium=email' },
      $country: { stringValue: 'ZZ' },
    },
  })
  await service.call(
    BATCH_CREATE,
    { events: [event] },
    { ...CHROME, 'cf-ipcountry': 'PT', 'cf-bot-score': '97' },
  )
  const [found] = await waitFor('the event', async () => {
    const events = await explore({ distinctId: 'anon-enriched' })
    return events.length > 0 ? events : undefined
  })
  expect(found?.autoProperties).toMatchObject({
    $country: 'PT',
    $bot_score: 97,
    $browser: 'Chrome',
    $os: 'Windows',
    $deviceType: 'desktop',
    $pathname: '/cart',
    $hostname: 'shop.example.com',
    $utmSource: 'news',
    $channel: 'Email',
  })
  expect(JSON.stringify(found)).not.toContain('203.0.113.9')
})

test('cookieless events of one client get one identity and one session; an old one is dropped and named', async () => {
  const now = Date.now()
  const cookieless = (occurTime: number): object => {
    const { distinctId: _, sessionId: __, ...event } = makeEvent({ kind: 'cookieless', cookieless: true })
    return { ...event, occurTime: new Date(occurTime).toISOString() }
  }
  const events = [cookieless(now), cookieless(now - 1000), cookieless(now - 3 * 86_400_000)]
  const answer = await service.call(BATCH_CREATE, { events }, CHROME)
  expect(answer.body).toEqual({ accepted: 2, dropped: 1, droppedByReason: { day_out_of_range: 1 } })
  const found = await waitFor('both events', async () => {
    const page = await explore({ events: [{ kind: 'cookieless' }] })
    return page.length === 2 ? page : undefined
  })
  expect(new Set(found.map(({ distinctId }) => distinctId)).size).toBe(1)
  expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(1)
  expect(found[0]?.distinctId).toMatch(/^cookieless-[A-Za-z0-9_-]{22}$/)
})

test('cookieless events without a user agent are refused with their own reason', async () => {
  const { distinctId: _, sessionId: __, ...event } = makeEvent({ cookieless: true })
  const answer = await service.call(BATCH_CREATE, { events: [event] }, { 'user-agent': '' })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
  expect(reasonOf(answer.body)).toBe('COOKIELESS_IDENTITY_UNAVAILABLE')
})

test('a typed event that breaks its schema is kept and marked', async () => {
  const customProperties = { amount: { stringValue: 'a lot' } }
  const event = makeEvent({ kind: 'purchase', distinctId: 'anon-typed-event', customProperties })
  expect(await service.call(BATCH_CREATE, { events: [event] })).toMatchObject({
    status: 200,
    body: { accepted: 1 },
  })
  const [found] = await waitFor('the event', async () => {
    const events = await explore({ distinctId: 'anon-typed-event' })
    return events.length > 0 ? events : undefined
  })
  expect(found?.autoProperties).toHaveProperty('$schema_violation')
})

test('a trends query counts each kind in every bucket of the range', async () => {
  const at = (time: string, kind: string): object => makeEvent({ occurTime: `2026-05-01T${time}Z`, kind })
  await service.call(BATCH_CREATE, {
    events: [
      at('09:59:59.999', 'a'),
      at('10:00:00', 'a'),
      at('11:59:59.999', 'a'),
      at('11:00:00', 'b'),
      at('12:30:00', 'a'),
    ],
  })
  const request = {
    spec: {
      insight_type: 'INSIGHT_TYPE_TRENDS',
      events: [{ event: { kind: 'a' } }, { event: { kind: 'b' } }],
    },
    timeRange: { from: '2026-05-01T10:00:00Z', to: '2026-05-01T12:30:00Z' },
    granularity: 'GRANULARITY_HOUR',
  }
  const points = (...values: (number | undefined)[]): object[] =>
    values.map((value, index) => ({
      time: `2026-05-01T1${index}:00:00Z`,
      ...(value === undefined ? {} : { value }),
    }))
  const answer = await waitFor('both kinds', async () => {
    const { body } = await service.call(QUERY, request)
    return JSON.stringify(body).includes('"value"') ? body : undefined
  })
  expect(answer).toEqual({
    trends: {
      series: [
        { eventKind: 'a', points: points(1, 1, undefined) },
        { eventKind: 'b', points: points(undefined, 1, undefined) },
      ],
    },
  })
})

test('the same event again is accepted and counted once', async () => {
  const event = makeEvent({ kind: 'repeated', occurTime: '2026-06-01T00:00:00Z', distinctId: 'anon-again' })
  for (const events of [
    [event],
    [event, event],
    [{ ...event, eventId: String(event.eventId).toUpperCase() }],
  ]) {
    const { body } = await service.call(BATCH_CREATE, { events })
    expect(body).toEqual({ accepted: events.length })
    await waitFor('the copy to be stored', async () => {
      const found = await explore({ distinctId: 'anon-again' })
      return found.length > 0 ? true : undefined
    })
  }
  const later = makeEvent({ kind: 'repeated', occurTime: '2026-06-01T00:00:01Z', distinctId: 'anon-again' })
  await service.call(BATCH_CREATE, { events: [event, later] })
  await waitFor('the later event', async () => {
    const found = await explore({ distinctId: 'anon-again' })
    return found.some(({ eventId }) => eventId === later.eventId) ? true : undefined
  })
  expect(await explore({ distinctId: 'anon-again' })).toHaveLength(2)
})

test('pages of the explorer follow each other without a gap or a repeat, also among equal times', async () => {
  const events = Array.from({ length: 7 }, (_, index) =>
    makeEvent({
      kind: 'paged',
      occurTime: `2026-07-01T00:00:0${Math.floor(index / 3)}Z`,
      distinctId: 'anon-pages',
    }),
  )
  await service.call(BATCH_CREATE, { events })
  await waitFor('all events', async () => {
    return (await explore({ distinctId: 'anon-pages' })).length === 7 ? true : undefined
  })
  const seen: Record<string, unknown>[] = []
  let pageToken = ''
  do {
    const { body } = await service.call(EXPLORER, { distinctId: 'anon-pages', pageSize: 2, pageToken })
    seen.push(...(body.events as Record<string, unknown>[]))
    pageToken = String(body.nextPageToken ?? '')
  } while (pageToken !== '')
  const key = (event: Record<string, unknown>): string =>
    `${new Date(String(event.occurTime)).toISOString()} ${event.eventId}`
  expect(seen.map(key)).toEqual(events.map(key).sort().reverse())
})

test('another project sees nothing', async () => {
  const made = await runMillrace(['projects', 'create', 'Other'], service.environment)
  const key = await runMillrace(['keys', 'create', made.stdout.trim(), 'private'], service.environment)
  expect(key.stdout).toMatch(/^prv_/)
  const { status, body } = await service.call(EXPLORER, {}, { 'x-api-key': key.stdout.trim() })
  expect({ status, body }).toEqual({ status: 200, body: {} })
})

test.each([
  ['a missing key', '', 401, 'unauthenticated'],
  ['an unknown key', `prv_${'x'.repeat(24)}`, 401, 'unauthenticated'],
  ['a public key', PUBLIC_KEY, 403, 'permission_denied'],
])('%s cannot read', async (_, key, status, code) => {
  const answer = await service.call(QUERY, {}, { 'x-api-key': key })
  expect(answer).toMatchObject({ status, body: { code } })
})

test('answers and errors carry the request id of the client', async () => {
  const headers = { 'x-request-id': 'client-id.1' }
  for (const call of [
    await service.call(BATCH_CREATE, {}, headers),
    await service.call(BATCH_CREATE, '{', headers),
    await service.call(EXPLORER, {}, headers),
    await service.call(QUERY, {}, headers),
  ]) {
    expect(call.headers.get('x-request-id')).toBe('client-id.1')
  }
})

test('hostile values are values', async () => {
  const hostile = ["'; DROP TABLE events; --", '{p0:String}', 'a\\', 'tab\tnul\0', '𝒳'.repeat(400)]
  const events = hostile.map((distinctId) => makeEvent({ distinctId, occurTime: '2026-08-01T00:00:00Z' }))
  await service.call(BATCH_CREATE, { events })
  for (const distinctId of hostile) {
    const [found] = await waitFor(JSON.stringify(distinctId), async () => {
      const page = await explore({ distinctId })
      return page.length > 0 ? page : undefined
    })
    expect(found?.distinctId).toBe(distinctId)
  }
})

test('a body over the limit is refused and the connection stays usable', async () => {
  const answer = await service.call(BATCH_CREATE, { events: [], filler: 'x'.repeat(9 * 1024 * 1024) })
  expect(answer).toMatchObject({ status: 429, body: { code: 'resource_exhausted' } })
  expect(await service.call(BATCH_CREATE, {})).toMatchObject({ status: 200, body: {} })
})

test('events of bots are marked by the user agent of a public key, and by a CDN for any key', async () => {
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }
  const sent = {
    browser: { 'x-api-key': PUBLIC_KEY, ...CHROME },
    crawler: { 'x-api-key': PUBLIC_KEY, ...crawler },
    server: crawler,
    scored: { ...CHROME, 'cf-bot-score': '3' },
  }
  for (const [name, headers] of Object.entries(sent)) {
    const event = makeEvent({ distinctId: `bots-${name}`, kind: 'bots_only' })
    expect(await service.call(BATCH_CREATE, { events: [event] }, headers)).toMatchObject({ status: 200 })
  }
  const events = await waitFor('the events', async () => {
    const found = await explore({ events: [{ kind: 'bots_only' }] })
    return found.length === 4 ? found : undefined
  })
  const marks = events.map(({ distinctId, autoProperties }) => [
    distinctId,
    (autoProperties as { readonly $bot?: boolean } | undefined)?.$bot,
  ])
  expect(Object.fromEntries(marks)).toEqual({
    'bots-browser': undefined,
    'bots-crawler': true,
    'bots-server': undefined,
    'bots-scored': true,
  })
  const spec = { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind: 'bots_only' } }] }
  const day = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) }
  const count = async (excludeBots: boolean): Promise<unknown> => {
    const request = { spec: { ...spec, excludeBots }, timeRange: day, granularity: 'GRANULARITY_DAY' }
    return (await service.call(QUERY, request)).body.segmentation
  }
  expect([await count(false), await count(true)]).toMatchObject([{ total: 4 }, { total: 2 }])
})
