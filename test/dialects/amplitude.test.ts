import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInstance, Identify, Revenue } from '@amplitude/analytics-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type DialectAnswer, DialectService, type Found, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PATH = '/amplitude/2/httpapi'
const PEOPLE = 20

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start((path) => path.endsWith('/httpapi'))
})

afterAll(async () => {
  await dialect?.stop()
})

type Client = ReturnType<typeof createInstance>

async function openClient(serverUrl: string): Promise<Client> {
  const client = createInstance()
  const options = { serverUrl, flushIntervalMillis: 100, flushQueueSize: 50, logLevel: 0 }
  await client.init(PUBLIC_KEY, options).promise
  return client
}

/** What one person does: eleven calls, before and after the sign-in. */
function sendPerson(client: Client, person: number): Promise<unknown> {
  const device = { device_id: `amp-device-${person}` }
  const user = { ...device, user_id: `amp-user-${person}` }
  const session = { session_id: 1_795_355_895_814 + person }
  const traits = new Identify()
    .set('plan', 'pro')
    .set('name', `Ann Über ${person} 🌊`)
    .setOnce('first', 'mail')
  const revenue = new Revenue()
    .setProductId('lamp')
    .setPrice(9.5)
    .setQuantity(2 + (person % 3))
    .setRevenueType('one')
  const calls = [
    client.track('amp step', { place: 'before', text: '𝄞'.repeat(2000) }, { ...device, ...session }),
    client.track(
      '[Amplitude] Page Viewed',
      { '[Amplitude] Page Location': `https://shop.test/lamps/${person}?utm_source=news` },
      device,
    ),
    client.identify(traits, user),
    client.identify(
      new Identify().set('plan', 'team').setOnce('first', 'late').unset('gone').add('logins', 1),
      user,
    ),
    client.track('amp step', { place: 'after', list: [1, 'a'], nan: Number.NaN }, { ...user, ...session }),
    client.revenue(revenue, user),
    client.track('Order', { n: person }, { ...user, price: 2, quantity: 3, productId: 'chair' }),
    client.track(
      {
        event_type: 'amp_client',
        ip: '203.0.113.9',
        os_name: 'iOS',
        os_version: '18',
        language: 'de',
        platform: 'iOS',
        app_version: '1.2',
        session_id: -1,
      },
      { color: 'red' },
      user,
    ),
    client.setGroup('company', 'acme', user),
    client.groupIdentify('company', 'acme', new Identify().set('size', 5), user),
    client.track('amp_time', {}, { ...user, time: Date.now() - 60_000 * person }),
  ]
  return Promise.all(calls.map(({ promise }) => promise))
}

test('analytics-node sends 220 calls, and a lost answer changes no count', async () => {
  const client = await openClient(`${dialect.proxy.url}${PATH}`)
  await Promise.all(Array.from({ length: PEOPLE }, async (_, person) => await sendPerson(client, person)))
  await client.flush().promise
  expect(dialect.proxy.lost).toContain(PATH)
  const counts = {
    'amp.._step': 2 * PEOPLE,
    page_view: PEOPLE,
    revenue_amount: PEOPLE,
    Order: PEOPLE,
    amp_time: PEOPLE,
  }
  for (const [kind, count] of Object.entries(counts))
    await dialect.waitForNumber({ kind, aggregation: 'TOTAL' }, count)
  // The ids of the device and the user are one person each.
  await dialect.waitForUsers('amp.._step', PEOPLE)
  const sum = Array.from({ length: PEOPLE }, (_, person) => 9.5 * (2 + (person % 3))).reduce((a, b) => a + b)
  await dialect.waitForNumber({ kind: 'revenue_amount', aggregation: 'SUM', property: 'revenue' }, sum)
  await dialect.waitForNumber({ kind: 'Order', aggregation: 'SUM', property: 'revenue' }, 6 * PEOPLE)
  const profile = await dialect.profileOf('amp-user-7')
  expect(profile.properties).toEqual({ plan: 'team', name: 'Ann Über 7 🌊', first: 'mail', company: 'acme' })
})

test('the rows of analytics-node are those of the calls', async () => {
  const client = await openClient(`${dialect.url}${PATH}`)
  await sendPerson(client, 99)
  const rowOf = async (kind: string, distinctId: string): Promise<Found> =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  const [before, after] = [
    await rowOf('amp.._step', 'amp-device-99'),
    await rowOf('amp.._step', 'amp-user-99'),
  ]
  expect(before.customProperties).toEqual({ event_name: 'amp step', place: 'before', text: '𝄞'.repeat(1024) })
  expect(after.customProperties).toEqual({ event_name: 'amp step', place: 'after', list: '[1,"a"]' })
  expect(before.sessionId).toBe(after.sessionId)
  expect(before.sessionId).not.toBe(NO_SESSION)
  const page = await rowOf('page_view', 'amp-device-99')
  expect(page).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: { $pathname: '/lamps/99', $utmSource: 'news', $lib: 'amplitude-node-ts' },
  })
  // The address and the user agent of a server say nothing about the user.
  expect(page.autoProperties).not.toHaveProperty('$browser')
  expect(await rowOf('amp_client', 'amp-user-99')).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: { $os: 'iOS', $osVersion: '18', $language: 'de', $platform: 'iOS', $appVersion: '1.2' },
    customProperties: { color: 'red' },
  })
  expect((await rowOf('revenue_amount', 'amp-user-99')).customProperties).toEqual({
    productId: 'lamp',
    price: 9.5,
    quantity: 2,
    revenueType: 'one',
    revenue: 19,
  })
  const agoMs = Date.parse(page.occurTime) - Date.parse((await rowOf('amp_time', 'amp-user-99')).occurTime)
  expect(agoMs / 60_000).toBeCloseTo(99, 0)
})

describe.skipIf(!hasChromium())('analytics-browser', () => {
  test('sends a visit with a sign-in as one session of one person', async () => {
    const file = createRequire(import.meta.url).resolve('@amplitude/analytics-browser/package.json')
    const script = readFileSync(file.replace('package.json', 'lib/scripts/amplitude-min.js'), 'utf8')
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      const elsewhere: string[] = []
      await context.route(/amplitude\.com/, async (route) => {
        elsewhere.push(route.request().url())
        await route.abort()
      })
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news')
      await page.addScriptTag({ content: script })
      const options = {
        serverUrl: `${dialect.url}${PATH}`,
        fetchRemoteConfig: false,
        deviceId: 'amp-browser',
      }
      await page.evaluate(`(async () => {
        await amplitude.init(${JSON.stringify(PUBLIC_KEY)}, undefined, ${JSON.stringify(options)}).promise
        await amplitude.track('ab step', { place: 'before' }).promise
        amplitude.setUserId('amp-eve')
        await amplitude.identify(new amplitude.Identify().set('plan', 'pro')).promise
        await amplitude.track('ab step', { place: 'after', emoji: '🌊' }).promise
      })()`)
      const found = [...(await dialect.eventsOf('ab.._step', 2))].sort((a, b) =>
        a.occurTime < b.occurTime ? -1 : 1,
      )
      expect(found.map(({ distinctId }) => distinctId)).toEqual(['amp-browser', 'amp-eve'])
      expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(1)
      expect(found[0]?.sessionId).not.toBe(NO_SESSION)
      expect(found[0]?.autoProperties).toMatchObject({
        $browser: expect.stringContaining('Chrome'),
        $platform: 'Web',
      })
      expect(found[1]?.customProperties).toMatchObject({ place: 'after', emoji: '🌊' })
      await dialect.waitForUsers('ab.._step', 1)
      expect((await dialect.profileOf('amp-eve')).properties).toMatchObject({ plan: 'pro' })
      const view = await waitFor('the page view', async () =>
        (await dialect.explore('page_view')).find(({ distinctId }) => distinctId === 'amp-browser'),
      )
      expect(view).toMatchObject({ sessionId: found[0]?.sessionId, autoProperties: { $pathname: '/lamps' } })
      expect(elsewhere).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

const EVENT = {
  event_type: 'amp_raw',
  device_id: 'raw',
  insert_id: '01980000-0000-7000-8000-00000000000a',
  time: 1_795_355_895_814,
}
const TEXT = JSON.stringify({ api_key: PUBLIC_KEY, events: [EVENT] })

async function post(path: string, body: string | Buffer): Promise<DialectAnswer> {
  return await dialect.post(path, body, { origin: 'https://shop.example' })
}

test('an event is the same on both paths, and what cannot be stored is not counted', async () => {
  const events = [
    EVENT,
    { ...EVENT, event_type: undefined },
    { ...EVENT, device_id: undefined },
    'no event',
    ...Array.from({ length: 1900 }, () => ({})),
  ]
  for (const path of [PATH, '/amplitude/batch/'])
    expect(await post(path, JSON.stringify({ api_key: PUBLIC_KEY, events }))).toMatchObject({
      status: 200,
      body: { code: 200, events_ingested: 1, server_upload_time: expect.any(Number) },
    })
  await post(PATH, TEXT.replace('amp_raw', 'amp_end').replace('0000000a', '0000000b'))
  await dialect.eventsOf('amp_end')
  const found = await dialect.explore('amp_raw')
  expect(found.map(({ eventId, occurTime }) => [eventId, occurTime])).toEqual([
    [EVENT.insert_id, new Date(EVENT.time).toISOString()],
  ])
})

test('the identify API sets properties of a user', async () => {
  const identification = JSON.stringify([
    { user_id: 'amp-api', user_properties: { plan: 'free', $set: { seats: 3 } } },
  ])
  const query = new URLSearchParams({ api_key: PUBLIC_KEY, identification })
  expect(await post(`/amplitude/identify?${query}`, '')).toMatchObject({ status: 200 })
  expect((await dialect.profileOf('amp-api')).properties).toEqual({ plan: 'free', seats: 3 })
})

test.each(unreadableBodies(TEXT))('%s is refused in the form of Amplitude', async (_, body) => {
  const answer = await post(`${PATH}?api_key=${PUBLIC_KEY}`, body)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.body).toMatchObject({ code: answer.status, error: expect.any(String) })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
})

test.each([
  ['a private key', PRIVATE_KEY],
  ['an unknown key', `pub_${'x'.repeat(24)}`],
  ['no key', ''],
])('%s is refused so that the SDK gives up', async (_, key) => {
  expect(await post(PATH, TEXT.replace(PUBLIC_KEY, key))).toMatchObject({
    status: 400,
    body: { code: 400, error: expect.stringMatching(/^Invalid API key/) },
  })
})
