import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { DialectService, type Found, NO_SESSION } from './dialect-service.ts'

const PEOPLE = 25

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start((path) => /\/(batch|track)$/.test(path))
})

afterAll(async () => {
  await dialect?.stop()
})

/** What one person does: nine calls, before and after the sign-in, and under an older id. */
function sendPerson(client: RudderAnalytics, person: number): void {
  const anonymousId = `rud-anon-${person}`
  const userId = `rud-user-${person}`
  const previousId = `rud-old-${person}`
  client.page({
    anonymousId,
    name: 'Lamps',
    properties: { url: `https://shop.test/${person}`, title: 'Größe 🌊' },
  })
  client.track({ anonymousId, event: 'rud step', properties: { place: 'before', text: '𝄞'.repeat(2000) } })
  client.identify({ userId, anonymousId, traits: { plan: 'pro', name: `Ann Über ${person}`, gone: null } })
  client.track({ userId, event: 'rud step', properties: { place: 'after', nan: Number.NaN, list: [1, 'a'] } })
  client.track({
    userId,
    event: 'Order Completed',
    properties: { revenue: 2.25 * person, currency: 'EUR' },
    timestamp: new Date(Date.now() - 60_000 * person),
  })
  client.screen({ userId, name: 'Cart', context: { sessionId: 1_795_355_895_814 + person } })
  client.group({ userId, groupId: 'acme', traits: { size: 5 } })
  client.alias({ userId, previousId })
  client.track({ userId: previousId, event: 'rud step', properties: { place: 'alias' } })
}

test('rudder-sdk-node sends 225 calls, and a lost answer changes no count', async () => {
  const client = new RudderAnalytics(PUBLIC_KEY, {
    dataPlaneUrl: `${dialect.proxy.url}/segment`,
    flushAt: 50,
  })
  for (let person = 0; person < PEOPLE; person++) sendPerson(client, person)
  await client.flush()
  const counts = {
    page_view: PEOPLE,
    'rud.._step': 3 * PEOPLE,
    'Order.._Completed': PEOPLE,
    screen_view: PEOPLE,
  }
  for (const [kind, count] of Object.entries(counts))
    await dialect.waitForNumber({ kind, aggregation: 'TOTAL' }, count)
  expect(dialect.proxy.lost).toContain('/segment/v1/batch')
  // The ids before, after and under the alias are one person each.
  await dialect.waitForUsers('rud.._step', PEOPLE)
  await dialect.waitForNumber({ kind: 'Order.._Completed', aggregation: 'SUM', property: 'revenue' }, 675)
  const profile = await dialect.profileOf('rud-user-7')
  expect(profile.properties).toEqual({ plan: 'pro', name: 'Ann Über 7' })
  await checkRows()
})

async function checkRows(): Promise<void> {
  const rowOf = async (kind: string, distinctId: string): Promise<Found> =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  const page = await rowOf('page_view', 'rud-anon-7')
  expect(page).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: { $url: 'https://shop.test/7', $title: 'Größe 🌊', $lib: 'analytics-node' },
    customProperties: { name: 'Lamps' },
  })
  expect(page.autoProperties).not.toHaveProperty('$browser')
  const screens = [await rowOf('screen_view', 'rud-user-7'), await rowOf('screen_view', 'rud-user-8')]
  expect(screens[0]?.customProperties).toEqual({ screen_name: 'Cart' })
  expect(new Set([NO_SESSION, ...screens.map(({ sessionId }) => sessionId)]).size).toBe(3)
  const order = await rowOf('Order.._Completed', 'rud-user-7')
  expect(order.customProperties).toEqual({ event_name: 'Order Completed', revenue: 15.75, currency: 'EUR' })
  const agoMs = Date.parse(page.occurTime) - Date.parse(order.occurTime)
  expect(agoMs / 60_000).toBeCloseTo(7, 0)
  expect((await rowOf('rud.._step', 'rud-anon-7')).customProperties.text).toBe('𝄞'.repeat(1024))
}

test('an event is the same in the form of a batch and of a beacon', async () => {
  const message = {
    type: 'track',
    event: 'rud_raw',
    channel: 'web',
    messageId: '01980000-0000-7000-8000-0000000000b1',
    anonymousId: 'rud-raw',
    originalTimestamp: '2026-05-01T10:00:00.123Z',
    context: { sessionId: 1_795_355_895, library: { name: 'RudderLabs JavaScript SDK', version: '3.0.0' } },
  }
  const body = JSON.stringify({ batch: [message], writeKey: PUBLIC_KEY })
  for (const path of ['/segment/v1/batch', `/segment/beacon/v1/batch?writeKey=${PUBLIC_KEY}`, '/v1/batch/'])
    expect(await dialect.post(path, body)).toMatchObject({ status: 200, body: { success: true } })
  await dialect.post('/segment/v1/batch', body.replace('rud_raw', 'rud_end'))
  await dialect.eventsOf('rud_end')
  const found = await dialect.explore('rud_raw')
  expect(found).toHaveLength(1)
  expect(found[0]?.occurTime).toBe('2026-05-01T10:00:00.123Z')
  expect(found[0]?.sessionId).not.toBe(NO_SESSION)
  const merge = { type: 'merge', mergeProperties: [{ type: 'email', value: 'a@b.test' }] }
  expect(await dialect.post(`/segment/v1/merge?writeKey=${PUBLIC_KEY}`, JSON.stringify(merge))).toMatchObject(
    { status: 200 },
  )
})

describe.skipIf(!hasChromium())('the browser SDK', () => {
  test('gets its source from the service, and sends a visit with a sign-in', async () => {
    const bundle = createRequire(import.meta.url).resolve('@rudderstack/analytics-js/bundled')
    const script = readFileSync(bundle.replace(/[a-z]+\/index\.\w+$/, 'umd/index.js'), 'utf8')
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      const elsewhere: string[] = []
      await context.route(/rudder(stack|labs)\.com/, async (route) => {
        elsewhere.push(route.request().url())
        await route.abort()
      })
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news')
      await page.addScriptTag({ content: script })
      const address = `${dialect.proxy.url}/segment`
      const anonymous = await page.evaluate(`(() => {
        const analytics = new rudderanalytics.RudderAnalytics()
        const address = ${JSON.stringify(address)}
        analytics.load(${JSON.stringify(PUBLIC_KEY)}, address, { configUrl: address })
        analytics.page('Shop')
        analytics.track('rud js step', { place: 'before' })
        analytics.identify('rud-eve', { plan: 'pro' })
        analytics.track('rud js step', { place: 'after', emoji: '🌊' })
        return new Promise((resolve) => analytics.ready(() => resolve(analytics.getAnonymousId())))
      })()`)
      const found = [...(await dialect.eventsOf('rud.._js.._step', 2))].sort((a) =>
        a.customProperties.place === 'before' ? -1 : 1,
      )
      expect(found.map(({ distinctId }) => distinctId)).toEqual([anonymous, 'rud-eve'])
      const named = { event_name: 'rud js step' }
      expect(found[0]?.customProperties).toEqual({ ...named, place: 'before' })
      expect(found[1]?.customProperties).toEqual({ ...named, place: 'after', emoji: '🌊' })
      expect(found[0]?.autoProperties).toMatchObject({
        $url: 'http://shop.test/lamps?utm_source=news',
        $browser: expect.stringContaining('Chrome'),
        $lib: 'RudderLabs JavaScript SDK',
      })
      expect(new Set([NO_SESSION, ...found.map(({ sessionId }) => sessionId)]).size).toBe(2)
      expect(dialect.proxy.lost).toContain('/segment/v1/track')
      await dialect.waitForUsers('rud.._js.._step', 1)
      expect((await dialect.profileOf('rud-eve')).properties).toEqual({ plan: 'pro' })
      expect(elsewhere).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
