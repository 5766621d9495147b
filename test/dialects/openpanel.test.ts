import { fileURLToPath } from 'node:url'
import { OpenPanel } from '@openpanel/sdk'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { type DialectAnswer, DialectService, type Found, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PATH = '/openpanel/track'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IDS = { deviceId: '', sessionId: NO_SESSION }

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
})

afterAll(async () => {
  await dialect?.stop()
})

/** Sends as the SDK does in a browser. */
async function send(body: object, headers: Readonly<Record<string, string>> = {}): Promise<DialectAnswer> {
  return await dialect.post(PATH, JSON.stringify(body), {
    'content-type': 'application/json',
    'user-agent': FIREFOX,
    origin: 'https://shop.test',
    'openpanel-client-id': PUBLIC_KEY,
    'openpanel-sdk-name': 'web',
    ...headers,
  })
}

async function only(kind: string): Promise<Found> {
  const found = await dialect.eventsOf(kind)
  expect(found).toHaveLength(1)
  return found[0] as Found
}

test('@openpanel/sdk sends 210 calls; equal calls are events of their own', async () => {
  const op = new OpenPanel({
    clientId: PUBLIC_KEY,
    clientSecret: 'sec_x',
    apiUrl: `${dialect.url}/openpanel`,
  })
  op.setGlobalProperties({ app: 'shop' })
  const data = { plan: 'Größe 🌊', seats: 3, isNew: true, text: '𝄞'.repeat(2000), list: [1, 'a'] }
  for (let batch = 0; batch < 8; batch++) {
    const calls = Array.from(
      { length: 26 },
      async () => await op.track('op Sign Up', { profileId: 'op-1', ...data }),
    )
    expect(new Set((await Promise.all(calls)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(IDS)]),
    )
  }
  await op.identify({
    profileId: 'op-1',
    firstName: 'Ann',
    email: 'ann@shop.test',
    properties: { tier: 'gold' },
  })
  await op.revenue(4950, { currency: 'EUR' })
  await op.increment({ profileId: 'op-1', property: 'visits' })
  await dialect.waitForNumber({ kind: 'op.._Sign.._Up', aggregation: 'TOTAL' }, 208)
  const [event] = await dialect.eventsOf('op.._Sign.._Up')
  expect(event).toMatchObject({
    distinctId: 'op-1',
    sessionId: NO_SESSION,
    autoProperties: { $lib: 'openpanel-node' },
    customProperties: {
      event_name: 'op Sign Up',
      app: 'shop',
      plan: 'Größe 🌊',
      seats: 3,
      isNew: true,
      text: '𝄞'.repeat(1024),
      list: '[1,"a"]',
    },
  })
  expect(event?.autoProperties).not.toHaveProperty('$browser')
  expect(event?.customProperties).not.toHaveProperty('profileId')
  expect((await only('revenue')).customProperties).toEqual({ app: 'shop', currency: 'EUR', revenue: 4950 })
  expect((await dialect.profileOf('op-1')).properties).toEqual({
    app: 'shop',
    firstName: 'Ann',
    email: 'ann@shop.test',
    tier: 'gold',
  })
})

describe.skipIf(!hasChromium())('@openpanel/web', () => {
  test('sends the pages, links and users of a browser', async () => {
    const bundle = await rolldown({ input: fileURLToPath(import.meta.resolve('@openpanel/web')) })
    const { output } = await bundle.generate({
      format: 'iife',
      name: 'openpanel',
      exports: 'named',
      codeSplitting: false,
    })
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      const problems: string[] = []
      page.on('console', (message) => problems.push(message.text()))
      page.on('pageerror', ({ message }) => problems.push(message))
      await page.goto('http://shop.test/lamps?utm_source=news', { referer: 'http://search.test/' })
      await page.addScriptTag({ content: output[0].code })
      const options = {
        clientId: PUBLIC_KEY,
        apiUrl: `${dialect.url}/openpanel`,
        trackScreenViews: true,
        trackOutgoingLinks: true,
        trackAttributes: true,
      }
      await page.evaluate(`window.op = new openpanel.OpenPanel(${JSON.stringify(options)})`)
      await dialect.eventsOf('page_view')
      await page.evaluate(`(async () => {
        document.body.innerHTML =
          '<a href="https://other.test/out">Elsewhere</a><button data-track="op_buy" data-item-id="7">Buy</button>'
        document.querySelector('a').addEventListener('click', (event) => event.preventDefault())
        document.querySelector('a').click()
        document.querySelector('button').click()
        await op.identify({ profileId: 'op-web', firstName: 'Bea' })
        await op.track('op_known', { plan: 'pro' })
        op.screenView('/lamps/7')
      })()`)
      const views = await dialect.eventsOf('page_view', 2)
      const [visitor, known] = [
        views.find(({ distinctId }) => distinctId !== 'op-web'),
        await only('op_known'),
      ]
      expect(visitor?.distinctId).toMatch(/^cookieless-/)
      expect(visitor?.autoProperties).toMatchObject({
        $url: 'http://shop.test/lamps?utm_source=news',
        $title: expect.any(String),
        $referrerDomain: 'search.test',
        $utmSource: 'news',
        $browser: 'HeadlessChrome',
        $lib: 'openpanel-web',
      })
      expect(known).toMatchObject({ distinctId: 'op-web', customProperties: { plan: 'pro' } })
      expect(known.sessionId).not.toBe(NO_SESSION)
      const view = views.find(({ distinctId }) => distinctId === 'op-web')
      expect(view?.autoProperties.$url).toBe('http://shop.test/lamps/7')
      expect(view?.sessionId).toBe(known.sessionId)
      expect((await only('outbound_link_click')).customProperties).toEqual({
        href: 'https://other.test/out',
        text: 'Elsewhere',
      })
      expect((await only('op_buy')).customProperties).toEqual({ itemId: '7' })
      expect((await dialect.profileOf('op-web')).properties).toEqual({ firstName: 'Bea' })
      expect(problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

test('a server passes on the client of its user, and names a time of the past', async () => {
  const name = 'op_proxied'
  const ofUser = { 'openpanel-sdk-name': 'express', 'openpanel-client-ip': '203.0.113.7' }
  const at = new Date(Date.now() - 60_000).toISOString()
  const event = { type: 'track', payload: { name, properties: { __timestamp: at, n: 1 } } }
  const other = { ...ofUser, 'openpanel-client-ip': '203.0.113.8' }
  for (const headers of [ofUser, ofUser, other])
    expect(await send(event, headers)).toMatchObject({ status: 200, body: IDS })
  const found = await dialect.eventsOf(name, 2)
  await dialect.waitForNumber({ kind: name, aggregation: 'TOTAL' }, 2)
  expect(new Set(found.map(({ distinctId }) => distinctId)).size).toBe(2)
  expect(found[0]).toMatchObject({ occurTime: at, autoProperties: { $browser: 'Firefox' } })
})

test('a device that a server names joins its user, and a screen of an app has a name', async () => {
  const properties = { __deviceId: 'op-device', __path: 'Checkout', __version: '2.1' }
  const ofApp = { 'openpanel-sdk-name': 'react-native', origin: '' }
  expect((await send({ type: 'track', payload: { name: 'screen_view', properties } }, ofApp)).status).toBe(
    200,
  )
  const known = { name: 'op_joined', profileId: 7, properties: { __deviceId: 'op-device' } }
  expect((await send({ type: 'track', payload: known }, ofApp)).status).toBe(200)
  const [screen, joined] = [await only('screen_view'), await only('op_joined')]
  expect(screen).toMatchObject({
    distinctId: 'op-device',
    sessionId: joined.sessionId,
    autoProperties: { $appVersion: '2.1' },
    customProperties: { screen_name: 'Checkout' },
  })
  expect(joined.distinctId).toBe('7')
  await expect.poll(async () => (await dialect.profileOf('7')).externalId).toBe('7')
})

test('a page is named by its path, and traits come with an event', async () => {
  const properties = {
    __path: '/cart?a=1',
    __identify: { profileId: 'op-named', lastName: 'Lee', properties: { a: 1 } },
  }
  expect((await send({ type: 'track', payload: { name: 'op_path', properties } })).status).toBe(200)
  expect(await only('op_path')).toMatchObject({
    distinctId: 'op-named',
    autoProperties: { $url: 'https://shop.test/cart?a=1', $pathname: '/cart' },
  })
  expect((await dialect.profileOf('op-named')).properties).toEqual({ lastName: 'Lee', a: 1 })
})

test.each([
  ['without a payload', { type: 'track' }, 'not_an_object'],
  ['without a name', { type: 'track', payload: {} }, 'no_name'],
  ['of another type', { type: 'other', payload: {} }, 'unknown_type'],
  ['of a group', { type: 'group', payload: { id: 'a' } }, 'groups_not_supported'],
  ['of a recording', { type: 'replay', payload: {} }, 'recordings_not_supported'],
  [
    'with an id that is too long',
    { type: 'track', payload: { name: 'a', profileId: 'x'.repeat(2000) } },
    'invalid_distinct_id',
  ],
  ['of no user', { type: 'identify', payload: { email: 'a@b.test' } }, 'no_distinct_id'],
])('an item %s is dropped with its reason, and the SDK does not send it again', async (_, body, dropped) => {
  expect(await send(body)).toMatchObject({ status: 202, body: { ...IDS, dropped } })
})

test('older SDKs ask for the id of the device', async () => {
  const response = await fetch(`${dialect.url}/openpanel/track/device-id`)
  expect([response.status, await response.json()]).toEqual([200, IDS])
})

test.each(unreadableBodies(JSON.stringify({ type: 'track', payload: { name: 'op_raw' } })))(
  '%s is refused in the form of OpenPanel',
  async (_, body) => {
    const headers = { origin: 'https://shop.example', 'openpanel-client-id': PUBLIC_KEY }
    const answer = await dialect.post(PATH, body, headers)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).toMatchObject({ status: answer.status, message: expect.any(String) })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  },
)

test.each([
  ['a private key', PRIVATE_KEY],
  ['an unknown key', `pub_${'x'.repeat(24)}`],
])('%s is refused with the status after which the SDK gives up', async (_, key) => {
  const event = { type: 'track', payload: { name: 'op_refused' } }
  expect(await send(event, { 'openpanel-client-id': key })).toMatchObject({ status: 401 })
})
