import { createRequire } from 'node:module'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { DialectService, type Found } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PATH = `/plausible/${PUBLIC_KEY}/api/event`
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
})

afterAll(async () => {
  await dialect?.stop()
})

async function send(event: object, path = PATH, userAgent = FIREFOX): Promise<Response> {
  return await fetch(`${dialect.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'user-agent': userAgent, origin: 'https://shop.test' },
    body: JSON.stringify(event),
  })
}

async function expectTaken(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([202, 'ok'])
  expect(response.headers.get('x-plausible-dropped')).toBeNull()
  expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.test')
}

describe.skipIf(!hasChromium())('plausible-tracker', () => {
  test('sends 210 events of one visitor, and no two of them are one', async () => {
    const input = createRequire(import.meta.url).resolve('plausible-tracker')
    const bundle = await rolldown({ input: input.replace('/build/main/', '/build/module/') })
    const { output } = await bundle.generate({ format: 'iife', name: 'plausibleTracker', exports: 'named' })
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news', { referer: 'http://search.test/' })
      await page.addScriptTag({ content: output[0].code })
      const options = {
        domain: 'shop.test',
        apiHost: `${dialect.url}/plausible/${PUBLIC_KEY}`,
        hashMode: true,
      }
      await page.evaluate(`(async () => {
        const { trackPageview, trackEvent } = plausibleTracker.default(${JSON.stringify(options)})
        const done = (start) => new Promise((resolve) => start(resolve))
        await done((callback) => trackPageview({}, { callback }))
        location.hash = '#/cart'
        await done((callback) => trackPageview({}, { callback }))
        const props = { plan: 'Größe 🌊', step: 7, isNew: true, text: '𝄞'.repeat(2000) }
        for (let batch = 0; batch < 8; batch++) {
          const calls = Array.from({ length: 26 }, () =>
            done((callback) => trackEvent('pt Sign Up', { callback, props })))
          await Promise.all(calls)
        }
      })()`)
      await dialect.waitForNumber({ kind: 'pt.._Sign.._Up', aggregation: 'TOTAL' }, 208)
      const found = await dialect.eventsOf('pt.._Sign.._Up', 100)
      expect(new Set(found.map(({ distinctId }) => distinctId)).size).toBe(1)
      const [event] = found
      expect(event?.customProperties).toEqual({
        event_name: 'pt Sign Up',
        plan: 'Größe 🌊',
        step: 7,
        isNew: true,
        text: '𝄞'.repeat(1024),
      })
      const views = await dialect.eventsOf('page_view', 2)
      expect(views.map(({ autoProperties }) => autoProperties.$url).sort()).toEqual([
        'http://shop.test/lamps?utm_source=news',
        'http://shop.test/lamps?utm_source=news#/cart',
      ])
      for (const view of views) {
        expect(view).toMatchObject({
          distinctId: event?.distinctId,
          sessionId: event?.sessionId,
          autoProperties: {
            $pathname: '/lamps',
            $utmSource: 'news',
            $referrerDomain: 'search.test',
            $lib: 'plausible',
          },
        })
        expect(view.autoProperties.$browser).toContain('Chrome')
      }
    } finally {
      await browser.close()
    }
  })
})

async function only(kind: string): Promise<Found> {
  const found = await dialect.eventsOf(kind)
  expect(found).toHaveLength(1)
  return found[0] as Found
}

test('long and short names of the fields are the same event', async () => {
  const long = {
    name: 'pl_long',
    url: 'https://shop.test/lamps',
    domain: 'shop.test',
    referrer: 'https://search.test/',
    props: { plan: 'pro', $lib: 'mine', seats: 3 },
    revenue: { amount: '12.50', currency: 'EUR' },
    interactive: false,
  }
  const short = {
    n: 'pl_short',
    u: long.url,
    d: long.domain,
    r: long.referrer,
    p: JSON.stringify(long.props),
    $: { amount: 12.5, currency: 'EUR' },
    i: false,
    v: 24,
    h: 0,
  }
  await expectTaken(await send(long))
  await expectTaken(await send(short, `${PATH}/`))
  for (const kind of ['pl_long', 'pl_short']) {
    const { autoProperties, customProperties } = await only(kind)
    expect(customProperties).toEqual({
      plan: 'pro',
      seats: 3,
      revenue: 12.5,
      currency: 'EUR',
      interactive: false,
    })
    expect(autoProperties).toMatchObject({
      $url: 'https://shop.test/lamps',
      $pathname: '/lamps',
      $referrerDomain: 'search.test',
      $browser: 'Firefox',
      $lib: 'plausible',
    })
  }
})

test('a click on a link to another site has the kind of the snippet', async () => {
  await expectTaken(await send({ n: 'Outbound Link: Click', p: { url: 'https://other.test/' } }))
  expect((await only('outbound_link_click')).customProperties).toEqual({ url: 'https://other.test/' })
})

test('the time that a page was read is no event, so that it ends no bounce', async () => {
  await expectTaken(await send({ n: 'engagement', u: 'https://shop.test/', sd: 80, e: 9000 }))
  await expectTaken(await send({ n: 'pl_end', u: 'https://shop.test/' }))
  await only('pl_end')
  expect(await dialect.explore('engagement')).toEqual([])
})

test.each([
  ['without a name', { u: 'https://shop.test/' }],
  ['that is a list', [] as object],
])('an event %s is dropped, and the answer says so', async (_, event) => {
  const response = await send(event)
  expect([response.status, await response.text()]).toEqual([202, 'ok'])
  expect(response.headers.get('x-plausible-dropped')).toBe('1')
})

test.each(
  unreadableBodies(
    JSON.stringify({ n: 'pl_raw', u: 'https://shop.test/a/page/of/the/site', d: 'shop.test' }),
  ),
)('%s is refused', async (_, body) => {
  const answer = await dialect.post(PATH, body, { origin: 'https://shop.example' })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
})

test.each([
  ['a private key', PRIVATE_KEY],
  ['an unknown key', `pub_${'x'.repeat(24)}`],
  ['no key', 'shop'],
])('%s in the path is refused', async (_, key) => {
  const answer = await dialect.post(`/plausible/${key}/api/event`, JSON.stringify({ n: 'pl_raw' }))
  expect(answer).toMatchObject({ status: 401, body: { error: expect.stringContaining('key') } })
})
