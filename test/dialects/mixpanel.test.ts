import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import Mixpanel from 'mixpanel'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { PRIVATE_KEY, PUBLIC_KEY } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { DialectService, type Found, NO_SESSION } from './dialect-service.ts'
import { unreadableBodies } from './hostile-bodies.ts'

const PEOPLE = 20
const SECONDS = Math.floor(Date.now() / 1000) - 60

/** The longest head of a request that an SDK sends. */
const HEAD_BYTES = 64 * 1024

let dialect: DialectService

beforeAll(async () => {
  dialect = await DialectService.start((path) => path === '/mixpanel/track')
})

afterAll(async () => {
  await dialect?.stop()
})

type Client = Mixpanel.Mixpanel

/** The package's types lack the key that imports need. */
type Options = Partial<Mixpanel.InitConfig> & { readonly key?: string }

function connect(url: string, key = PUBLIC_KEY, options: Options = {}): Client {
  const { host } = new URL(url)
  return Mixpanel.init(key, { protocol: 'http', host, path: '/mixpanel', keepAlive: false, ...options })
}

/** Calls a function whose last argument is told of errors; `undefined` without one. */
async function told(call: (done: (error?: unknown) => void) => void): Promise<unknown> {
  return await new Promise((resolve) => call(resolve))
}

/** What one person does, in 11 calls: before and after the sign-in, and under an older id. Returns what failed. */
async function sendPerson(client: Client, person: number): Promise<readonly unknown[]> {
  const device = `mx-device-${person}`
  const anonymous = { distinct_id: `$device:${device}`, $device_id: device }
  const user = { distinct_id: `mx-user-${person}`, $user_id: `mx-user-${person}` }
  const old = `mx-old-${person}`
  const answers = [
    await told((done) =>
      client.track('$mp_web_page_view', { ...anonymous, current_page_title: 'Größe 🌊' }, done),
    ),
    await told((done) => client.track('mx step', { ...anonymous, place: 'before' }, done)),
    // Equal calls are two events: the SDK sends neither an id nor a time.
    await told((done) => client.track('mx_twice', { ...user }, done)),
    await told((done) => client.track('mx_twice', { ...user }, done)),
    await told((done) => client.track('mx step', { ...user, $device_id: device, place: 'after' }, done)),
    await told((done) =>
      client.people.set(user.distinct_id, { $name: `Ann Über ${person} 🌊`, plan: 'pro', gone: 1 }, done),
    ),
    await told((done) => client.people.set_once(user.distinct_id, { plan: 'free', first: 'mail' }, done)),
    await told((done) => client.people.unset(user.distinct_id, ['gone'], done)),
    await told((done) =>
      client.track('mx_order', { ...user, amount: 9.5 + person, nested: { a: [1] }, n: Number.NaN }, done),
    ),
    await told((done) => client.alias(user.distinct_id, old, done)),
    await told((done) =>
      client.track('mx step', { distinct_id: old, place: 'alias', text: '𝄞'.repeat(2000) }, done),
    ),
  ]
  return answers.filter((error) => error !== undefined)
}

test('mixpanel-node sends 220 calls', async () => {
  const client = connect(dialect.url)
  const people = Array.from({ length: PEOPLE }, (_, person) => sendPerson(client, person))
  expect((await Promise.all(people)).flat()).toEqual([])
  const counts = { page_view: PEOPLE, 'mx.._step': 3 * PEOPLE, mx_twice: 2 * PEOPLE, mx_order: PEOPLE }
  for (const [kind, count] of Object.entries(counts))
    await dialect.waitForNumber({ kind, aggregation: 'TOTAL' }, count)
  // The ids before, after and under the alias are one person each.
  await dialect.waitForUsers('mx.._step', PEOPLE)
  const revenue = Array.from({ length: PEOPLE }, (_, person) => 9.5 + person).reduce((a, b) => a + b)
  await dialect.waitForNumber({ kind: 'mx_order', aggregation: 'SUM', property: 'amount' }, revenue)
  const profile = await dialect.profileOf('mx-user-7')
  expect(profile.properties).toEqual({ name: 'Ann Über 7 🌊', plan: 'pro', first: 'mail' })
})

test('the rows of mixpanel-node are those of the calls', async () => {
  expect(await sendPerson(connect(dialect.url), 99)).toEqual([])
  const rowOf = async (kind: string, distinctId: string): Promise<Found> =>
    await waitFor(`the row of ${kind}`, async () =>
      (await dialect.explore(kind)).find((found) => found.distinctId === distinctId),
    )
  const page = await rowOf('page_view', '$device:mx-device-99')
  expect(page).toMatchObject({ sessionId: NO_SESSION, autoProperties: { $title: 'Größe 🌊' } })
  // The address and the user agent of a server say nothing about the user.
  expect(page.autoProperties).not.toHaveProperty('$browser')
  const named = { mp_lib: 'node', event_name: 'mx step' }
  expect((await rowOf('mx.._step', 'mx-user-99')).customProperties).toEqual({ ...named, place: 'after' })
  expect((await rowOf('mx.._step', 'mx-old-99')).customProperties).toEqual({
    ...named,
    place: 'alias',
    text: '𝄞'.repeat(1024),
  })
  expect((await rowOf('mx_order', 'mx-user-99')).customProperties).toEqual({
    mp_lib: 'node',
    amount: 108.5,
    nested: '{"a":[1]}',
  })
})

test('a batch that is sent again after a lost answer counts once', async () => {
  const events = Array.from({ length: 40 }, (_, index) => ({
    event: 'mx_batch',
    properties: { distinct_id: 'mx-batch', time: SECONDS + (index % 7), $insert_id: `batch-${index}` },
  }))
  const send = async (): Promise<unknown> => {
    const client = connect(dialect.proxy.url)
    return await told((done) =>
      client.track_batch(structuredClone(events), {}, (errors) => done(errors ?? undefined)),
    )
  }
  expect(await send()).toBeDefined()
  expect(dialect.proxy.lost).toContain('/mixpanel/track')
  expect(await send()).toBeUndefined()
  await dialect.waitForNumber({ kind: 'mx_batch', aggregation: 'TOTAL' }, 40)
  expect(await dialect.explore('mx_batch')).toHaveLength(40)
})

test('import() and import_batch() are the same events as track()', async () => {
  const client = connect(dialect.url, PUBLIC_KEY, { key: PUBLIC_KEY })
  const event = { distinct_id: 'mx-import', $insert_id: 'import-1' }
  const date = new Date(SECONDS * 1000)
  expect(await told((done) => client.track('mx_import', { ...event, time: date }, done))).toBeUndefined()
  expect(await told((done) => client.import('mx_import', date, { ...event }, done))).toBeUndefined()
  // The package's types call the events of a batch texts.
  const batch = [{ event: 'mx_import', properties: { ...event, time: date } }] as unknown as string[]
  expect(
    await told((done) => client.import_batch(batch, {}, (errors) => done(errors ?? undefined))),
  ).toBeUndefined()
  expect(await dialect.eventsOf('mx_import')).toHaveLength(1)
})

test('a refused call of mixpanel-node reports the reason', async () => {
  for (const key of [PRIVATE_KEY, `pub_${'x'.repeat(24)}`, await dialect.createRevokedKey()]) {
    const error = await told((done) =>
      connect(dialect.url, key).track('mx_refused', { distinct_id: 'a' }, done),
    )
    expect(String(error)).toContain('"status":0')
  }
  expect(await dialect.explore('mx_refused')).toEqual([])
})

test('an event in a request head of nearly 64 KiB is taken', async () => {
  const properties = { token: PUBLIC_KEY, distinct_id: 'mx-long', text: 'x'.repeat(46_000) }
  const data = Buffer.from(JSON.stringify({ event: 'mx_long', properties })).toString('base64')
  expect(data.length).toBeGreaterThan(HEAD_BYTES * 0.9)
  const response = await fetch(
    `${dialect.url}/mixpanel/track?ip=0&verbose=0&data=${encodeURIComponent(data)}`,
  )
  expect([response.status, await response.text()]).toEqual([200, '1'])
  const [found] = await dialect.eventsOf('mx_long')
  expect(found?.customProperties).toEqual({ text: 'x'.repeat(1024) })
})

describe.skipIf(!hasChromium())('mixpanel-browser', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
  })

  async function load(page: Page): Promise<void> {
    const bundle = createRequire(import.meta.url).resolve('mixpanel-browser/dist/mixpanel.umd.js')
    await page.addScriptTag({ content: readFileSync(bundle, 'utf8') })
    const options = {
      api_host: `${dialect.url}/mixpanel`,
      batch_flush_interval_ms: 500,
      persistence: 'localStorage',
    }
    await page.evaluate(`mixpanel.init('${PUBLIC_KEY}', ${JSON.stringify(options)})`)
  }

  test('sends a visit with a sign-in, and what is left at the end of a page counts once', async () => {
    const context = await browser.newContext()
    const elsewhere: string[] = []
    await context.route(/mixpanel\.com/, async (route) => {
      elsewhere.push(route.request().url())
      await route.abort()
    })
    await serveSite(context, 'http://shop.test', '')
    const page = await context.newPage()
    await page.goto('http://shop.test/lamps?utm_source=news')
    await load(page)
    const anonymous = await page.evaluate(`(() => {
      mixpanel.track_pageview()
      mixpanel.track('mpb step', { place: 'before' })
      return mixpanel.get_distinct_id()
    })()`)
    await page.evaluate(`(() => {
      mixpanel.identify('mx-eve')
      mixpanel.people.set({ plan: 'pro', $email: 'eve@shop.test' })
      mixpanel.track('mpb step', { place: 'after', emoji: '🌊' })
    })()`)
    const found = await dialect.eventsOf('mpb.._step', 2)
    const placed = (place: string): Found | undefined =>
      found.find(({ customProperties }) => customProperties.place === place)
    expect(anonymous).toMatch(/^\$device:/)
    expect(placed('before')?.distinctId).toBe(anonymous)
    expect(placed('after')).toMatchObject({
      distinctId: 'mx-eve',
      customProperties: { emoji: '🌊', event_name: 'mpb step' },
      autoProperties: {
        $url: 'http://shop.test/lamps?utm_source=news',
        $utmSource: 'news',
        $browser: 'Chrome',
      },
    })
    await dialect.waitForUsers('mpb.._step', 1)
    expect((await dialect.profileOf('mx-eve')).properties).toMatchObject({
      plan: 'pro',
      email: 'eve@shop.test',
    })
    const views = (await dialect.explore('page_view')).filter((view) => view.distinctId === anonymous)
    expect(views).toHaveLength(1)
    const visits = new Set([...views, ...found].map(({ sessionId }) => sessionId))
    expect(visits.size).toBe(1)
    expect(visits).not.toContain(NO_SESSION)
    // The SDK sends the rest of a page again after the next one has loaded.
    await page.evaluate(`mixpanel.track('mpb_last', { n: 1 })`)
    await page.goto('http://shop.test/next')
    await load(page)
    await page.evaluate(`mixpanel.track('mpb_next')`)
    await dialect.eventsOf('mpb_next')
    expect(await dialect.eventsOf('mpb_last')).toHaveLength(1)
    expect(elsewhere).toEqual([])
    await context.close()
  })
})

const EVENT = {
  event: 'mx_raw',
  properties: { token: PUBLIC_KEY, distinct_id: 'raw', time: 1_777_629_600.123, $insert_id: 'raw-1' },
}
const TEXT = JSON.stringify(EVENT)

/** The answer as text: not every answer of Mixpanel is JSON. */
async function send(
  path: string,
  body: string | Buffer,
  headers = {},
): Promise<readonly [number, string, Headers]> {
  const response = await fetch(`${dialect.url}/mixpanel${path}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return [response.status, await response.text(), response.headers]
}

test('one event is the same in every form, and the answer is that of the form', async () => {
  const base64 = Buffer.from(TEXT).toString('base64')
  const verbose = '{"status":1,"error":null}'
  const strict = '{"code":200,"num_records_imported":1,"status":"OK"}'
  const basic = { authorization: `Basic ${Buffer.from(`${PUBLIC_KEY}:`).toString('base64')}` }
  const bare = JSON.stringify({
    ...EVENT,
    properties: { ...EVENT.properties, token: undefined, time: 1_777_629_600 },
  })
  const answers: [string, readonly [number, string, Headers]][] = [
    ['1', await send('/track', `data=${base64}`)],
    ['1', await send('/track/', `data=${encodeURIComponent(base64)}&ip=1`)],
    [verbose, await send('/track/?verbose=1&ip=1&_=1', `data=${encodeURIComponent(TEXT)}`)],
    ['1', await send('/track', `[${TEXT}]`)],
    ['1', await send('/import', bare, basic)],
    [strict, await send('/import?strict=1', gzipSync(bare), basic)],
    [strict.replace('1,', '2,'), await send('/import?strict=1', `${bare}\n${bare}\n`, basic)],
  ]
  for (const [body, answer] of answers) expect(answer.slice(0, 2)).toEqual([200, body])
  await send('/track', TEXT.replace('mx_raw', 'mx_end').replace('raw-1', 'end-1'))
  await dialect.eventsOf('mx_end')
  expect((await dialect.explore('mx_raw')).map(({ occurTime }) => occurTime)).toEqual([
    '2026-05-01T10:00:00Z',
  ])
})

test('a strict import names the records that are dropped, and takes the rest', async () => {
  const { properties } = EVENT
  const records = [
    { ...EVENT, event: 'mx_mixed' },
    { properties: { ...properties, $insert_id: 'mixed-2' } },
    'no event',
    ...Array.from({ length: 1900 }, () => ({})),
  ]
  const [status, body] = await send(`/import?strict=1&api_key=${PUBLIC_KEY}`, JSON.stringify(records))
  expect(status).toBe(400)
  const answer = JSON.parse(body) as { readonly failed_records: readonly unknown[] }
  expect(answer).toMatchObject({ code: 400, num_records_imported: 1 })
  expect(answer.failed_records).toHaveLength(1902)
  expect(answer.failed_records[0]).toMatchObject({ index: 1, insert_id: 'mixed-2' })
  await dialect.eventsOf('mx_mixed')
})

test.each(unreadableBodies(TEXT))('%s is refused in the form of Mixpanel', async (_, body) => {
  const [status, text, headers] = await send('/track', body, { origin: 'https://shop.example' })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(JSON.parse(text)).toEqual({ status: 0, error: expect.any(String) })
  expect(headers.get('access-control-allow-origin')).toBe('https://shop.example')
  expect(headers.get('access-control-expose-headers')).toContain('retry-after')
})

test.each([
  ['settings', '/settings/?sdk_config=1', { sdk_config: {} }],
  ['flags', '/flags/', { flags: {} }],
  ['a recording', '/record/', { code: 200, status: 'OK' }],
])('the answer to %s is that of an empty project', async (_, path, expected) => {
  const [status, body] = await send(path, 'x')
  expect([status, JSON.parse(body)]).toEqual([200, expected])
})
