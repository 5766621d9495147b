import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type DialectAnswer, DialectService, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PEOPLE = 40
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
})

afterAll(async () => {
  await dialect?.stop()
})

function pathOf(key: string, prefix = ''): string {
  return `/ga4${prefix}/mp/collect?measurement_id=G-1&api_secret=${key}`
}

async function collect(body: unknown, path = pathOf(PUBLIC_KEY)): Promise<DialectAnswer> {
  return await dialect.post(path, JSON.stringify(body))
}

const TAKEN = { status: 204, body: '' }

/** What a server says of one person: five events in two requests, before and after the sign-in. */
async function sendPerson(person: number): Promise<void> {
  const client_id = `ga-client-${person}`
  const timestamp_micros = (Date.now() - 60_000 * person) * 1000
  const before = {
    client_id,
    timestamp_micros,
    events: [
      {
        name: 'page_view',
        params: {
          page_location: `https://shop.test/lamps/${person}?utm_source=news`,
          page_title: 'Größe 🌊',
          page_referrer: 'https://search.test/',
          session_id: '1795355895',
          engagement_time_msec: 100,
        },
      },
      { name: 'ga_step', params: { text: '𝄞'.repeat(2000) } },
      { name: 'ga_step', params: { text: '𝄞'.repeat(2000) } },
    ],
  }
  const after = {
    client_id,
    user_id: `ga-user-${person}`,
    timestamp_micros: String(timestamp_micros + 1_000_000),
    user_properties: { plan: { value: 'pro' }, name: { value: `Ann Über ${person}` } },
    user_agent: SAFARI,
    device: { category: 'Desktop', language: 'de-DE' },
    user_location: { city: 'Köln', country_id: 'DE' },
    events: [
      { name: 'ga_step', params: { place: 'after', session_id: 1795355895 } },
      {
        name: 'purchase',
        params: {
          transaction_id: `t-${person}`,
          currency: 'EUR',
          value: 9.5 + person,
          items: [{ item_id: 'a' }],
        },
      },
    ],
  }
  // Requests are sent twice: the second time is a retry.
  for (const body of [before, after, before, after]) expect(await collect(body)).toMatchObject(TAKEN)
}

test('a server sends 200 events, and a request that is repeated changes no count', async () => {
  for (let first = 0; first < PEOPLE; first += 10)
    await Promise.all(Array.from({ length: 10 }, async (_, index) => await sendPerson(first + index)))
  await dialect.waitForNumber({ kind: 'page_view', aggregation: 'TOTAL' }, PEOPLE)
  await dialect.waitForNumber({ kind: 'ga_step', aggregation: 'TOTAL' }, 3 * PEOPLE)
  await dialect.waitForUsers('ga_step', PEOPLE)
  const revenue = Array.from({ length: PEOPLE }, (_, person) => 9.5 + person).reduce((a, b) => a + b)
  await dialect.waitForNumber({ kind: 'purchase', aggregation: 'SUM', property: 'value' }, revenue)
  expect((await dialect.profileOf('ga-user-7')).properties).toEqual({ plan: 'pro', name: 'Ann Über 7' })
  const rowOf = async (kind: string, distinctId: string) =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  const view = await rowOf('page_view', 'ga-client-7')
  expect(view).toMatchObject({
    autoProperties: {
      $url: 'https://shop.test/lamps/7?utm_source=news',
      $title: 'Größe 🌊',
      $referrerDomain: 'search.test',
      $utmSource: 'news',
    },
    customProperties: { engagement_time_msec: 100 },
  })
  // The address and the user agent of a server say nothing about the user.
  expect(view.autoProperties).not.toHaveProperty('$browser')
  const purchase = await rowOf('purchase', 'ga-user-7')
  expect(purchase).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: {
      $browser: 'Safari',
      $deviceType: 'desktop',
      $language: 'de-DE',
      $city: 'Köln',
      $country: 'DE',
    },
    customProperties: { transaction_id: 't-7', currency: 'EUR', value: 16.5, items: '[{"item_id":"a"}]' },
  })
  expect(Date.parse(purchase.occurTime) - Date.parse(view.occurTime)).toBe(1000)
  const step = await waitFor('the row after the sign-in', async () =>
    (await dialect.explore('ga_step')).find(({ distinctId }) => distinctId === 'ga-user-7'),
  )
  expect(step.sessionId).toBe(view.sessionId)
  expect(step.sessionId).not.toBe(NO_SESSION)
})

test('events without a time are events of their own', async () => {
  const body = { client_id: 'ga-now', events: [{ name: 'ga_now' }, { name: 'ga_now' }] }
  expect(await collect(body)).toMatchObject(TAKEN)
  expect(await collect(body, `/ga4/mp/collect/?api_secret=${PUBLIC_KEY}`)).toMatchObject(TAKEN)
  expect(await dialect.eventsOf('ga_now', 4)).toHaveLength(4)
})

test('the debug path names what is wrong, and stores nothing', async () => {
  const events = [
    { name: 'ga_debug' },
    { params: {} },
    { name: 'ga_debug', timestamp_micros: 'soon' },
    { name: 'ga_debug', params: { text: 'x'.repeat(2000) } },
  ]
  const user_properties = { plan: { value: 'pro' } }
  const debug = pathOf(PUBLIC_KEY, '/debug')
  const answer = await collect({ client_id: 'ga-debug', user_properties, events }, debug)
  const messages = [
    ['events[1]', 'NO_NAME'],
    ['events[2]', 'TIME_REPLACED'],
    ['events[3]', 'TEXT_CUT'],
  ].map(([fieldPath, validationCode]) => ({ fieldPath, validationCode, description: expect.any(String) }))
  expect(answer).toMatchObject({ status: 200, body: { validationMessages: messages } })
  await collect({ client_id: 'ga-debug', events: [{ name: 'ga_end' }] })
  await dialect.eventsOf('ga_end')
  expect(await dialect.explore('ga_debug')).toEqual([])
})

test.each(unreadableBodies(JSON.stringify({ client_id: 'ga-raw', events: [{ name: 'ga_raw' }] })))(
  '%s is refused',
  async (_, body) => {
    const answer = await dialect.post(pathOf(PUBLIC_KEY), body, { origin: 'https://shop.example' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).toEqual({
      validationMessages: [{ description: expect.any(String), validationCode: expect.any(String) }],
    })
  },
)

test.each([
  ['a private key', pathOf(PRIVATE_KEY)],
  ['an unknown key', pathOf(`pub_${'x'.repeat(24)}`)],
  ['no key', '/ga4/mp/collect'],
])('%s is refused', async (_, path) => {
  const answer = await collect({ client_id: 'ga-raw', events: [] }, path)
  expect(answer).toMatchObject({ status: 401, body: { validationMessages: [{}] } })
})
