import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Analytics } from '@segment/analytics-node'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type DialectAnswer, DialectService, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PEOPLE = 20
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start((path) => /\/v1\/(batch|t)$/.test(path))
})

afterAll(async () => {
  await dialect?.stop()
})

async function post(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<DialectAnswer> {
  return await dialect.post(path, body, headers)
}

function basic(key: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }
}

/** What one person does: 12 calls, before and after the sign-in, and under an older id. */
function sendPerson(client: Analytics, person: number): void {
  const anonymousId = `seg-anon-${person}`
  const userId = `seg-user-${person}`
  const oldId = `seg-old-${person}`
  const url = `https://shop.test/lamps/${person}?utm_source=news`
  client.page({
    anonymousId,
    name: 'Lamps',
    properties: { url, title: 'Größe 🌊', referrer: 'https://search.test/', category: 'home' },
  })
  client.track({ anonymousId, event: 'seg step', properties: { place: 'before' } })
  client.track({ anonymousId, event: 'seg_long', properties: { text: '𝄞'.repeat(2000), n: person } })
  const traits = { plan: 'pro', name: `Ann Über ${person} 🌊`, nested: { a: [1, 2] }, gone: 'soon' }
  client.identify({ userId, anonymousId, traits })
  client.identify({ userId, traits: { gone: null } })
  client.track({
    userId,
    anonymousId,
    event: 'Order Completed',
    properties: { revenue: 9.5 + person, currency: 'EUR', products: [{ sku: 'a' }] },
  })
  client.track({ userId, event: 'seg step', properties: { place: 'after' } })
  client.track({
    userId,
    event: 'Application Opened',
    context: {
      ip: '203.0.113.9',
      userAgent: FIREFOX,
      app: { version: '1.2.3' },
      campaign: { source: 'mail', name: 'spring', medium: 'email', term: '', content: '' },
      groupId: 'acme',
      device: { id: 'secret', model: 'Pixel 9', type: 'android' },
      tenant: 'north',
    },
  })
  client.screen({ userId, name: 'Cart', properties: { items: 3 } })
  client.group({ userId, groupId: 'acme', traits: { size: 5 } })
  client.alias({ userId, previousId: oldId })
  client.track({
    userId: oldId,
    event: 'seg step',
    properties: {
      place: 'alias',
      nan: Number.NaN,
      infinite: 1 / 0,
      '': 'no name',
      ['k'.repeat(300)]: 'long',
    },
  })
}

test('analytics-node sends 240 calls, and a lost answer changes no count', async () => {
  const client = new Analytics({ writeKey: PUBLIC_KEY, host: dialect.proxy.url, flushAt: 50, maxRetries: 5 })
  for (let person = 0; person < PEOPLE; person++) sendPerson(client, person)
  await client.closeAndFlush({ timeout: 30_000 })
  expect(dialect.proxy.lost).toContain('/v1/batch')
  const counts = {
    page_view: PEOPLE,
    'seg.._step': 3 * PEOPLE,
    seg_long: PEOPLE,
    'Order.._Completed': PEOPLE,
    app_open: PEOPLE,
    screen_view: PEOPLE,
  }
  for (const [kind, count] of Object.entries(counts))
    await dialect.waitForNumber({ kind, aggregation: 'TOTAL' }, count)
  // The ids before, after and under the alias are one person each.
  await dialect.waitForUsers('seg.._step', PEOPLE)
  const revenue = Array.from({ length: PEOPLE }, (_, person) => 9.5 + person).reduce((a, b) => a + b)
  await dialect.waitForNumber({ kind: 'Order.._Completed', aggregation: 'SUM', property: 'revenue' }, revenue)
  const profile = await dialect.profileOf('seg-user-7')
  expect(profile.properties).toEqual({ plan: 'pro', name: 'Ann Über 7 🌊', nested: { a: [1, 2] } })
})

test('the rows of analytics-node are those of the calls', async () => {
  const client = new Analytics({ writeKey: PUBLIC_KEY, host: dialect.url, path: '/segment/v1/batch' })
  sendPerson(client, 99)
  await client.closeAndFlush({ timeout: 30_000 })
  const rowOf = async (kind: string, distinctId: string) =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  const page = await rowOf('page_view', 'seg-anon-99')
  expect(page).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: {
      $url: 'https://shop.test/lamps/99?utm_source=news',
      $pathname: '/lamps/99',
      $title: 'Größe 🌊',
      $referrerDomain: 'search.test',
      $utmSource: 'news',
      $lib: '@segment/analytics-node',
    },
    customProperties: { name: 'Lamps', category: 'home' },
  })
  // The address and the user agent of a server say nothing about the user.
  expect(page.autoProperties).not.toHaveProperty('$browser')
  const opened = await rowOf('app_open', 'seg-user-99')
  expect(opened.autoProperties).toMatchObject({
    $browser: 'Firefox',
    $appVersion: '1.2.3',
    $utmSource: 'mail',
    $utmCampaign: 'spring',
    $platform: 'android',
  })
  expect(opened.customProperties).toEqual({ groupId: 'acme', context_tenant: 'north' })
  expect(JSON.stringify(opened)).not.toMatch(/203\.0\.113|secret/)
  expect((await rowOf('seg_long', 'seg-anon-99')).customProperties).toEqual({ text: '𝄞'.repeat(1024), n: 99 })
  expect((await rowOf('screen_view', 'seg-user-99')).customProperties).toEqual({
    items: 3,
    screen_name: 'Cart',
  })
  expect((await rowOf('seg.._step', 'seg-old-99')).customProperties).toEqual({
    place: 'alias',
    event_name: 'seg step',
  })
  expect((await rowOf('Order.._Completed', 'seg-user-99')).customProperties).toEqual({
    event_name: 'Order Completed',
    revenue: 108.5,
    currency: 'EUR',
    products: '[{"sku":"a"}]',
  })
})

describe.skipIf(!hasChromium())('analytics.js', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
  })

  /** Loads the library into a page, with its settings from the service. */
  async function load(page: Page, options: object = {}): Promise<void> {
    const bundle = createRequire(import.meta.url).resolve('@segment/analytics-next/package.json')
    const script = readFileSync(bundle.replace('package.json', 'dist/umd/index.js'), 'utf8')
    await page.addScriptTag({ content: script })
    const settings = { writeKey: PUBLIC_KEY, cdnURL: `${dialect.proxy.url}/segment` }
    await page.evaluate(
      `window.analytics = AnalyticsNext.AnalyticsBrowser.load(${JSON.stringify(settings)}, ${JSON.stringify(options)})`,
    )
  }

  test('finds the service by its settings alone, and sends a visit with a sign-in', async () => {
    const context = await browser.newContext()
    const elsewhere: string[] = []
    await context.route(/segment\.(io|com)/, async (route) => {
      elsewhere.push(route.request().url())
      await route.abort()
    })
    await serveSite(context, 'http://shop.test', '')
    const page = await context.newPage()
    await page.goto('http://shop.test/lamps?utm_source=news')
    await load(page)
    const anonymous = await page.evaluate(`(async () => {
      await analytics.page('Shop')
      await analytics.track('ajs step', { place: 'before' })
      return (await analytics.user()).anonymousId()
    })()`)
    await page.evaluate(`(async () => {
      await analytics.identify('seg-eve', { plan: 'pro' })
      await analytics.track('ajs step', { place: 'after', emoji: '🌊' })
    })()`)
    const found = [...(await dialect.eventsOf('ajs.._step', 2))].sort((a, b) =>
      a.occurTime < b.occurTime ? -1 : 1,
    )
    expect(found.map(({ distinctId }) => distinctId)).toEqual([anonymous, 'seg-eve'])
    expect(found[0]?.autoProperties).toMatchObject({
      $url: 'http://shop.test/lamps?utm_source=news',
      $browser: expect.stringContaining('Chrome'),
      $utmSource: 'news',
      $lib: 'analytics.js',
    })
    const named = { event_name: 'ajs step' }
    expect(found[1]?.customProperties).toEqual({ ...named, place: 'after', emoji: '🌊' })
    expect(dialect.proxy.lost).toContain('/segment/v1/t')
    await dialect.waitForUsers('ajs.._step', 1)
    expect((await dialect.profileOf('seg-eve')).properties).toMatchObject({ plan: 'pro' })
    const views = (await dialect.explore('page_view')).filter((view) => view.distinctId === anonymous)
    expect(views).toHaveLength(1)
    const visits = new Set([...views, ...found].map(({ sessionId }) => sessionId))
    expect(visits.size).toBe(1)
    expect(visits).not.toContain(NO_SESSION)
    expect(views[0]?.customProperties).toMatchObject({ name: 'Shop' })
    expect(elsewhere).toEqual([])
  })

  test('sends what it has gathered when the visitor leaves', async () => {
    // A real site: requests at the end of a page whose requests are intercepted are not sent.
    const site = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    const page = await browser.newPage()
    await page.goto(address)
    await load(page, { integrations: { 'Segment.io': { deliveryStrategy: { strategy: 'batching' } } } })
    await page.evaluate(`(async () => {
      await analytics.track('ajs batched', { n: 1 })
      await analytics.track('ajs batched', { n: 2 })
    })()`)
    expect(await dialect.explore('ajs.._batched')).toEqual([])
    await page.goto(`${address}/next`)
    const found = await dialect.eventsOf('ajs.._batched', 2)
    expect(found.map(({ customProperties }) => customProperties.n).sort()).toEqual([1, 2])
    await page.close()
    site.closeAllConnections()
    site.close()
  })
})

const EVENT = {
  type: 'track',
  event: 'seg_raw',
  anonymousId: 'raw',
  messageId: '01980000-0000-7000-8000-000000000001',
  timestamp: '2026-05-01T10:00:00.123Z',
}
const TEXT = JSON.stringify({ ...EVENT, writeKey: PUBLIC_KEY })

test('one message is the same event on every path, in every form and with every place of the key', async () => {
  const withoutKey = JSON.stringify(EVENT)
  const batch = JSON.stringify({ batch: [EVENT], writeKey: PUBLIC_KEY, sentAt: '2026-05-01T10:00:01Z' })
  const answers = [
    await post('/v1/track', TEXT),
    await post('/v1/track/', TEXT),
    await post('/segment/v1/t', TEXT),
    await post('/segment/v1/batch/', batch),
    await post('/v1/import', gzipSync(batch)),
    await post('/v1/b', Buffer.from(batch).toString('base64')),
    await post('/v1/track', withoutKey, basic(PUBLIC_KEY)),
    await post('/segment/v1/batch', gzipSync(JSON.stringify({ batch: [EVENT] })), {
      ...basic(PUBLIC_KEY),
      'content-type': 'application/x-www-form-urlencoded',
      'content-encoding': 'gzip',
    }),
    await post(`/segment/beacon/v1/batch?writeKey=${PUBLIC_KEY}`, JSON.stringify({ batch: [EVENT] })),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { success: true } })
  await post('/v1/track', TEXT.replace('seg_raw', 'seg_end'))
  await dialect.eventsOf('seg_end')
  expect(await dialect.explore('seg_raw')).toHaveLength(1)
})

test.each(unreadableBodies(TEXT))('%s is refused in the form of Segment', async (_, body) => {
  const answer = await post('/segment/v1/batch', body, {
    origin: 'https://shop.example',
    ...basic(PUBLIC_KEY),
  })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.body).toEqual({ success: false, code: expect.any(String), message: expect.any(String) })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
})

test.each([
  ['a private key', basic(PRIVATE_KEY), JSON.stringify(EVENT)],
  ['a private key in the body', {}, TEXT.replace(PUBLIC_KEY, PRIVATE_KEY)],
  ['no key', {}, JSON.stringify(EVENT)],
  ['an unknown key', basic(`pub_${'x'.repeat(24)}`), JSON.stringify(EVENT)],
  ['two keys', basic(PUBLIC_KEY), TEXT.replace(PUBLIC_KEY, `pub_${'x'.repeat(24)}`)],
])('%s is refused with 401', async (_, headers, body) => {
  expect(await post('/v1/track', body, headers)).toMatchObject({
    status: 401,
    body: { success: false, code: 'unauthenticated' },
  })
})

test('a revoked key is refused with 401', async () => {
  const key = await dialect.createRevokedKey()
  expect(key).toMatch(/^pub_/)
  expect(await post('/v1/track', JSON.stringify(EVENT), basic(key))).toMatchObject({ status: 401 })
})

test('a batch is taken message by message, and its context is that of each message', async () => {
  const batch = [
    { ...EVENT, event: 'seg_mixed', messageId: 'mixed-1', context: { app: { build: '7' } } },
    { ...EVENT, event: 'seg_mixed', messageId: 'mixed-2', anonymousId: undefined },
    { ...EVENT, event: undefined, messageId: 'mixed-3' },
    { ...EVENT, type: 'delete', messageId: 'mixed-4' },
    'no message',
    {
      ...EVENT,
      event: 'seg_mixed',
      messageId: 'ajs-next-1777629600123-abc',
      timestamp: 'yesterday',
      properties: JSON.parse('{"__proto__":{"a":1},"constructor":"c"}'),
    },
    ...Array.from({ length: 1900 }, () => ({})),
  ]
  const context = { app: { version: '3' }, locale: 'de-DE' }
  const answer = await post('/v1/batch', JSON.stringify({ writeKey: PUBLIC_KEY, batch, context }))
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  const found = await dialect.eventsOf('seg_mixed', 2)
  expect(found).toHaveLength(2)
  for (const { autoProperties } of found)
    expect(autoProperties).toMatchObject({ $appVersion: '3', $language: 'de-DE' })
  const odd = found.find(({ customProperties }) => Object.hasOwn(customProperties, 'constructor'))
  expect(odd?.occurTime).toBe('2026-05-01T10:00:00.123Z')
  expect(Object.keys(odd?.customProperties ?? {})).toContain('__proto__')
})

test('the settings name the address that the client used, and its scheme', async () => {
  const ask = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
    const response = await fetch(`${dialect.url}/segment/v1/projects/${PUBLIC_KEY}/settings`, { headers })
    return ((await response.json()) as { readonly integrations: unknown }).integrations
  }
  const { host } = new URL(dialect.url)
  const expected = { apiKey: PUBLIC_KEY, apiHost: `${host}/segment/v1` }
  expect(await ask({})).toEqual({ 'Segment.io': { ...expected, protocol: 'http' } })
  expect(await ask({ origin: 'https://shop.example' })).toEqual({
    'Segment.io': { ...expected, protocol: 'https' },
  })
  expect(await ask({ 'x-forwarded-proto': 'https' })).toEqual({
    'Segment.io': { ...expected, protocol: 'https' },
  })
})
