import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { type DialectAnswer, DialectService, NO_SESSION } from './dialect-service.ts'

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start((path) => /\/(e|batch|events)\/?$/.test(path))
})

afterAll(async () => {
  await dialect?.stop()
})

async function post(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<DialectAnswer> {
  return await dialect.post(`/posthog${path}`, body, headers)
}

function capture(event: object, key = PUBLIC_KEY): string {
  return JSON.stringify({ api_key: key, batch: [event] })
}

test('posthog-node sends a person before and after the sign-in, and loses nothing with a lost answer', async () => {
  const client = new PostHog(PUBLIC_KEY, { host: `${dialect.proxy.url}/posthog`, fetchRetryDelay: 100 })
  const long = '𝄞'.repeat(2000)
  client.capture({ distinctId: 'device-1', event: 'node_step', properties: { place: 'before' } })
  client.identify({
    distinctId: 'ann',
    properties: {
      $set: { plan: 'pro', name: 'Ann Über 🌊' },
      $set_once: { first: '/lamps', nothing: null },
      $anon_distinct_id: 'device-1',
    },
  })
  client.alias({ distinctId: 'ann', alias: 'old-ann' })
  client.capture({ distinctId: 'old-ann', event: 'node_step', properties: { place: 'alias' } })
  client.capture({
    distinctId: 'ann',
    event: 'node_step',
    properties: { place: 'after', long, list: [1, { a: 'b' }], nothing: null, price: 9.5, count: 3 },
  })
  client.capture({ distinctId: 'bob', event: 'node_step' })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme' })
  await client.shutdown()
  expect(dialect.proxy.lost).toContain('/posthog/batch/')
  const found = await dialect.eventsOf('node_step', 4)
  expect(found).toHaveLength(4)
  const after = found.find(({ customProperties }) => customProperties.place === 'after')
  expect(after).toMatchObject({
    distinctId: 'ann',
    sessionId: NO_SESSION,
    autoProperties: { $lib: 'posthog-node' },
    customProperties: { long: '𝄞'.repeat(1024), list: '[1,{"a":"b"}]', price: 9.5, count: 3 },
  })
  // The address and the user agent are those of a server.
  expect(after?.autoProperties).not.toHaveProperty('$browser')
  expect(found.map(({ distinctId }) => distinctId).sort()).toEqual(['ann', 'bob', 'device-1', 'old-ann'])
  await dialect.waitForUsers('node_step', 2)
  const profile = await dialect.profileOf('ann')
  expect(profile.properties).toEqual({ plan: 'pro', name: 'Ann Über 🌊', first: '/lamps' })
})

/** What one person does: ten calls, before and after the sign-in, and under an older id. */
function sendPerson(client: PostHog, person: number): void {
  const distinctId = `ph-user-${person}`
  const device = `ph-device-${person}`
  const url = `https://shop.test/lamps/${person}?utm_source=news`
  const properties = {
    place: 'after',
    list: [1, 'a'],
    nan: Number.NaN,
    infinite: 1 / 0,
    ['k'.repeat(300)]: 1,
  }
  client.capture({ distinctId: device, event: '$pageview', properties: { $current_url: url } })
  client.capture({ distinctId: device, event: 'ph step', properties: { place: 'before' } })
  client.capture({ distinctId: device, event: 'ph_long', properties: { text: '𝄞'.repeat(2000), n: person } })
  client.identify({ distinctId, properties: { $set: { plan: 'pro', gone: 1 }, $anon_distinct_id: device } })
  client.capture({ distinctId, event: 'ph step', properties })
  client.capture({ distinctId, event: 'ph_order', properties: { revenue: 9.5 + person, currency: 'EUR' } })
  client.capture({
    distinctId,
    event: 'ph_cancel',
    properties: { $unset: ['gone'], $set_once: { plan: 'free' } },
  })
  client.alias({ distinctId, alias: `ph-old-${person}` })
  client.capture({ distinctId: `ph-old-${person}`, event: 'ph step', groups: { company: 'acme' } })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { size: 5 } })
}

test('posthog-node sends 200 calls, and insights count what was sent', async () => {
  const people = 20
  const client = new PostHog(PUBLIC_KEY, { host: `${dialect.proxy.url}/posthog`, fetchRetryDelay: 100 })
  for (let person = 0; person < people; person++) sendPerson(client, person)
  await client.shutdown()
  const counts = { 'ph.._step': 3 * people, ph_long: people, ph_order: people, ph_cancel: people }
  for (const [kind, count] of Object.entries(counts))
    await dialect.waitForNumber({ kind, aggregation: 'TOTAL' }, count)
  // The ids before, after and under the alias are one person each.
  await dialect.waitForUsers('ph.._step', people)
  const revenue = Array.from({ length: people }, (_, person) => 9.5 + person).reduce((a, b) => a + b)
  await dialect.waitForNumber({ kind: 'ph_order', aggregation: 'SUM', property: 'revenue' }, revenue)
  expect((await dialect.profileOf('ph-user-7')).properties).toEqual({ plan: 'pro' })
  const rowOf = async (kind: string, distinctId: string) =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  expect(await rowOf('page_view', 'ph-device-7')).toMatchObject({
    sessionId: NO_SESSION,
    autoProperties: { $pathname: '/lamps/7', $utmSource: 'news', $lib: 'posthog-node' },
  })
  const named = { event_name: 'ph step' }
  expect((await rowOf('ph.._step', 'ph-device-7')).customProperties).toEqual({ ...named, place: 'before' })
  expect((await rowOf('ph.._step', 'ph-user-7')).customProperties).toEqual({
    ...named,
    place: 'after',
    list: '[1,"a"]',
  })
  expect((await rowOf('ph_long', 'ph-device-7')).customProperties).toEqual({ text: '𝄞'.repeat(1024), n: 7 })
})

test('posthog-node in the mode v1 gets a result for every event, and repeats a lost request without copies', async () => {
  process.env.POSTHOG_CAPTURE_MODE = 'v1'
  const client = new PostHog(PUBLIC_KEY, { host: `${dialect.proxy.url}/posthog`, fetchRetryDelay: 100 })
  delete process.env.POSTHOG_CAPTURE_MODE
  for (const place of ['a', 'b', 'c'])
    client.capture({ distinctId: 'vic', event: 'v1 step', properties: { place } })
  await client.shutdown()
  expect(dialect.proxy.lost).toContain('/posthog/i/v1/analytics/events')
  const found = await dialect.eventsOf('v1.._step', 3)
  expect(found.map(({ customProperties }) => customProperties.place).sort()).toEqual(['a', 'b', 'c'])
  expect(found[0]?.customProperties.event_name).toBe('v1 step')
})

describe.skipIf(!hasChromium())('posthog-js', () => {
  test('sends a visit with a sign-in, an opt-out and a beacon at its end', async () => {
    const script = readFileSync(createRequire(import.meta.url).resolve('posthog-js/dist/array.js'), 'utf8')
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news')
      await page.addScriptTag({ content: script })
      const options = {
        api_host: `${dialect.proxy.url}/posthog`,
        opt_out_useragent_filter: true,
        request_batching: true,
        autocapture: false,
      }
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(response.url())
      })
      const anonymous = await page.evaluate(`(() => {
        posthog.init(${JSON.stringify(PUBLIC_KEY)}, ${JSON.stringify(options)})
        posthog.capture('js step', { place: 'before', n: 1 })
        return posthog.get_distinct_id()
      })()`)
      await waitFor('the first event', async () =>
        (await dialect.explore('js.._step')).length === 1 ? true : undefined,
      )
      await page.evaluate(`(() => {
        posthog.identify('eve', { plan: 'pro' }, { first_plan: 'free' })
        posthog.capture('js step', { place: 'after', n: 2 }, { send_instantly: true })
        posthog.opt_out_capturing()
        posthog.capture('js step', { place: 'opted out' })
        posthog.opt_in_capturing({ captureEventName: false })
      })()`)
      await waitFor('the second event', async () =>
        (await dialect.explore('js.._step')).length === 2 ? true : undefined,
      )
      await page.evaluate(`posthog.capture('js step', { place: 'end', n: 3 })`)
      await page.goto('about:blank')
      const found = [...(await dialect.eventsOf('js.._step', 3))].sort(
        (a, b) => Number(a.customProperties.n) - Number(b.customProperties.n),
      )
      expect(found.map(({ customProperties }) => customProperties.place)).toEqual(['before', 'after', 'end'])
      expect(found.map(({ distinctId }) => distinctId)).toEqual([anonymous, 'eve', 'eve'])
      expect(new Set(found.map(({ sessionId }) => sessionId)).size).toBe(1)
      expect(found[0]?.sessionId).not.toBe(NO_SESSION)
      expect(found[0]?.autoProperties).toMatchObject({
        $url: 'http://shop.test/lamps?utm_source=news',
        $browser: expect.stringContaining('Chrome'),
        $utmSource: 'news',
      })
      expect(dialect.proxy.lost).toContain('/posthog/e/')
      expect(refused).toEqual([])
      await dialect.waitForUsers('js.._step', 1)
      expect((await dialect.profileOf('eve')).properties).toMatchObject({ plan: 'pro', first_plan: 'free' })
    } finally {
      await browser.close()
    }
  })
})

const EVENT = {
  event: 'raw_step',
  distinct_id: 'raw',
  timestamp: '2026-05-01T10:00:00.123Z',
  uuid: '01980000-0000-7000-8000-000000000001',
}

test('every wrapping of one event is the same event', async () => {
  const text = capture(EVENT)
  const base64 = Buffer.from(text).toString('base64')
  const bodies = [
    text,
    gzipSync(text),
    base64,
    `data=${encodeURIComponent(base64)}`,
    `compression=base64&data=${base64}`,
    `data=${encodeURIComponent(text)}`,
    gzipSync(base64),
    JSON.stringify([{ ...EVENT, api_key: PUBLIC_KEY }]),
    JSON.stringify({ ...EVENT, properties: { token: PUBLIC_KEY } }),
    JSON.stringify({ api_key: PUBLIC_KEY, data: [EVENT] }),
    JSON.stringify({ token: 'of the application', api_key: PUBLIC_KEY, batch: [EVENT] }),
  ]
  for (const body of bodies)
    expect(await post('/e/', body)).toMatchObject({ status: 200, body: { status: 1 } })
  const inQuery = await fetch(`${dialect.url}/posthog/e?data=${encodeURIComponent(base64)}&beacon=1`)
  expect(inQuery.status).toBe(204)
  await post('/e', capture({ ...EVENT, event: 'raw_end' }))
  await dialect.eventsOf('raw_end')
  expect(await dialect.explore('raw_step')).toHaveLength(1)
})

test.each([
  ['a private key', capture(EVENT, PRIVATE_KEY), 401],
  ['no key', JSON.stringify([EVENT]), 401],
  ['an unknown key', capture(EVENT, `pub_${'x'.repeat(24)}`), 401],
  ['a cut gzip', gzipSync(capture(EVENT)).subarray(0, 60), 400],
  ['text that is neither JSON nor base64', '?', 400],
  ['broken JSON', `{"api_key":"${PUBLIC_KEY}","batch":[`, 400],
  ['JSON that is nested too deeply', `{"api_key":"${PUBLIC_KEY}","batch":[${'['.repeat(200)}`, 400],
])('%s is refused in the form of PostHog', async (_, body, status) => {
  const answer = await post('/e/', body, { origin: 'https://shop.example' })
  expect(answer).toMatchObject({
    status,
    body: { type: expect.any(String), code: expect.any(String), detail: expect.any(String), attr: null },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
})

test('a batch is taken event by event, and v1 says what became of each', async () => {
  const batch = [
    {
      event: 'mixed',
      uuid: '01980000-0000-7000-8000-0000000000a1',
      distinct_id: 'mia',
      timestamp: EVENT.timestamp,
    },
    { event: 'mixed', uuid: '01980000-0000-7000-8000-0000000000a2' },
    { uuid: '01980000-0000-7000-8000-0000000000a3', distinct_id: 'mia' },
    'no event',
    {
      event: 'mixed',
      uuid: '01980000-0000-7000-8000-0000000000a4',
      distinct_id: 'mia',
      timestamp: 'yesterday',
      properties: JSON.parse(`{"__proto__":{"a":1},"constructor":"c","text":"${'x'.repeat(1100)}"}`),
    },
  ]
  const headers = { authorization: `Bearer ${PUBLIC_KEY}`, 'posthog-request-id': 'request-7' }
  const answer = await post('/i/v1/analytics/events', JSON.stringify({ batch }), headers)
  expect(answer.body).toEqual({
    results: {
      '01980000-0000-7000-8000-0000000000a1': { result: 'ok' },
      '01980000-0000-7000-8000-0000000000a2': { result: 'drop', details: 'no_distinct_id' },
      '01980000-0000-7000-8000-0000000000a3': { result: 'drop', details: 'no_name' },
      '01980000-0000-7000-8000-0000000000a4': { result: 'warning', details: 'time_replaced, text_cut' },
    },
  })
  expect(answer.headers.get('posthog-request-id')).toBe('request-7')
  const found = await dialect.eventsOf('mixed', 2)
  const odd = found.find(({ eventId }) => eventId.endsWith('a4'))
  expect(odd?.customProperties).toEqual({
    ['__proto__']: '{"a":1}',
    constructor: 'c',
    text: 'x'.repeat(1024),
  })
})

test('what the SDKs ask for before they send is answered as off', async () => {
  const ask = async (path: string): Promise<unknown> =>
    await (await fetch(`${dialect.url}/posthog${path}`, { method: 'GET' })).json()
  expect(await ask(`/array/${PUBLIC_KEY}/config`)).toMatchObject({ surveys: false, sessionRecording: false })
  expect(await ask('/decide/?v=3')).toMatchObject({ featureFlags: {}, autocapture_opt_out: false })
  expect(await ask('/flags/?v=2&config=true')).toMatchObject({ flags: {}, autocapture_opt_out: false })
  expect(await ask('/api/surveys/')).toEqual({ surveys: [] })
  expect(await ask('/api/feature_flag/local_evaluation')).toMatchObject({ flags: [] })
  expect(await post('/s/', '{"anything":1}', { authorization: 'none' })).toMatchObject({ status: 401 })
  expect(await post(`/s/?token=${PUBLIC_KEY}`, '{"anything":1}')).toMatchObject({ body: { status: 1 } })
})
