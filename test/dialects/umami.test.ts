import { Umami } from '@umami/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { DialectService, type Found, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const HOST = `/umami/${PUBLIC_KEY}`
const WEBSITE = '94db1cb1-74f4-4a40-ad6c-962362670409'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start(() => false)
})

afterAll(async () => {
  await dialect?.stop()
})

/** Sends as the tracker does in a browser. */
async function send(body: unknown, path = `${HOST}/api/send`, userAgent = FIREFOX): Promise<unknown> {
  const answer = await dialect.post(path, JSON.stringify(body), {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-umami-cache': 'a.b.c',
    origin: 'https://shop.test',
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.test')
  return [answer.status, answer.body]
}

const TAKEN = [200, { cache: expect.any(String), sessionId: NO_SESSION, visitId: NO_SESSION }]

async function only(kind: string): Promise<Found> {
  const found = await dialect.eventsOf(kind)
  expect(found).toHaveLength(1)
  return found[0] as Found
}

test('@umami/node sends 210 calls; equal calls are events of their own', async () => {
  const umami = new Umami({ websiteId: WEBSITE, hostUrl: `${dialect.url}${HOST}` })
  const data = { plan: 'Größe 🌊', seats: 3, isNew: true, text: '𝄞'.repeat(2000), list: [1, 'a'] }
  for (let batch = 0; batch < 8; batch++) {
    const answers = await Promise.all(
      Array.from({ length: 26 }, async () => await umami.track('um Sign Up', data as never)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  expect((await umami.identify({ plan: 'pro' })).status).toBe(200)
  const view = { url: '/lamps?utm_source=news', hostname: 'shop.test', title: 'Lamps' }
  expect((await umami.track(view as never)).status).toBe(200)
  await dialect.waitForNumber({ kind: 'um.._Sign.._Up', aggregation: 'TOTAL' }, 208)
  const [event] = await dialect.eventsOf('um.._Sign.._Up')
  expect(event?.customProperties).toEqual({
    event_name: 'um Sign Up',
    plan: 'Größe 🌊',
    seats: 3,
    isNew: true,
    text: '𝄞'.repeat(1024),
    list: '[1,"a"]',
  })
  expect((await only('page_view')).autoProperties).toMatchObject({
    $url: 'https://shop.test/lamps?utm_source=news',
    $hostname: 'shop.test',
    $title: 'Lamps',
    $utmSource: 'news',
  })
})

test('a visitor of the tracker is one visit, before and after it has an id of its own each', async () => {
  const payload = {
    website: WEBSITE,
    hostname: 'shop.test',
    screen: '1920x1080',
    language: 'de-DE',
    referrer: 'https://search.test/',
    url: 'https://shop.test/cart',
    title: 'Cart',
    tag: 'b',
  }
  const named = (name: string, more: object = {}): object => ({
    type: 'event',
    payload: { ...payload, name, ...more },
  })
  expect(await send(named('um_first'))).toEqual(TAKEN)
  expect(await send(named('um_second'))).toEqual(TAKEN)
  const [first, second] = [await only('um_first'), await only('um_second')]
  expect(first).toMatchObject({
    distinctId: second.distinctId,
    sessionId: second.sessionId,
    autoProperties: {
      $browser: 'Firefox',
      $screenWidth: 1920,
      $screenHeight: 1080,
      $referrerDomain: 'search.test',
      $title: 'Cart',
      $lib: 'umami',
    },
    customProperties: { tag: 'b' },
  })
  expect(first.distinctId).toMatch(/^cookieless-/)
  const data = { plan: 'pro', name: 'Ann Über' }
  expect(await send({ type: 'identify', payload: { ...payload, id: 'um-ann', data } })).toEqual(TAKEN)
  expect(await send(named('um_known', { id: 'um-ann' }))).toEqual(TAKEN)
  expect(await send(named('um_known', { id: 'um-ann' }), `${HOST}/api/send`, SAFARI)).toEqual(TAKEN)
  const known = await dialect.eventsOf('um_known', 2)
  expect(new Set(known.map(({ distinctId }) => distinctId))).toEqual(new Set(['um-ann']))
  const sessions = new Set(known.map(({ sessionId }) => sessionId))
  expect(sessions.size).toBe(1)
  expect(sessions).not.toContain(NO_SESSION)
  expect((await dialect.profileOf('um-ann')).properties).toEqual(data)
})

test('a server names the clients of its users, which are visitors of their own', async () => {
  const at = Math.trunc(Date.now() / 1000) - 60
  const event = (ip: string, userAgent: string): object => ({
    type: 'event',
    payload: { website: WEBSITE, name: 'um_proxied', ip, userAgent, timestamp: at },
  })
  const sent = [event('203.0.113.1', FIREFOX), event('203.0.113.2', FIREFOX), event('203.0.113.1', SAFARI)]
  const answer = await send([...sent, sent[0], { type: 'event' }], `${HOST}/api/batch`)
  expect(answer).toMatchObject([200, { size: 5, processed: 4, errors: 1, details: [{ index: 4 }] }])
  const found = await dialect.eventsOf('um_proxied', 4)
  expect(new Set(found.map(({ distinctId }) => distinctId)).size).toBe(3)
  expect(new Set(found.map(({ occurTime }) => Date.parse(occurTime) / 1000))).toEqual(new Set([at]))
  expect(new Set(found.map(({ autoProperties }) => autoProperties.$browser))).toEqual(
    new Set(['Firefox', 'Safari']),
  )
})

test('the speed of a page is an event with its measurements', async () => {
  const vitals = { lcp: 1200, inp: 80, cls: 0.05, fcp: 700, ttfb: 'slow' }
  expect(await send({ type: 'performance', payload: { website: WEBSITE, ...vitals } })).toEqual(TAKEN)
  expect((await only('web_vitals')).customProperties).toEqual({ lcp: 1200, inp: 80, cls: 0.05, fcp: 700 })
})

test.each([
  ['without a payload', { type: 'event' }, 'not_an_object'],
  ['of another type', { type: 'replay', payload: {} }, 'unknown_type'],
  ['with an id that is too long', { payload: { id: 'x'.repeat(2000) } }, 'invalid_distinct_id'],
])('an item %s is refused in the form of Umami', async (_, body, reason) => {
  expect(await send(body)).toEqual([
    400,
    { error: { message: `the event was dropped: ${reason}`, code: 'bad-request', status: 400 } },
  ])
})

test.each(unreadableBodies(JSON.stringify({ type: 'event', payload: { name: 'um_raw' } })))(
  '%s is refused in the form of Umami',
  async (_, body) => {
    const answer = await dialect.post(`${HOST}/api/send`, body, { origin: 'https://shop.example' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).toMatchObject({ error: { message: expect.any(String), status: answer.status } })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  },
)

test.each([
  ['a private key', PRIVATE_KEY],
  ['an unknown key', `pub_${'x'.repeat(24)}`],
])('%s in the path is refused', async (_, key) => {
  const answer = await dialect.post(`/umami/${key}/api/send`, JSON.stringify({ payload: {} }))
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } })
})
