import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Mixpanel from 'mixpanel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { toLines } from '../harness/foreign-exports.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { expectSameRows, IDENTITY_COLUMNS } from './expect-same-rows.ts'
import { type LossyProxy, type ReceivedRequest, startLossyProxy } from './lossy-proxy.ts'

const PEOPLE = 20
const START_MS = Date.UTC(2026, 0, 5, 12)

/** An event as it is on the wire. */
interface SentEvent {
  readonly event: string
  readonly properties: Readonly<Record<string, unknown>>
}

let service: TestService
let proxy: LossyProxy

beforeEach(async () => {
  service = await TestService.start()
  proxy = await startLossyProxy(service.url, () => false)
})

afterEach(async () => {
  await proxy?.stop()
  await service?.destroy()
})

/** Two imports, each a process of its own. */
const TEST_MS = 180_000

test(
  'events that mixpanel-node has sent have the same rows when their export is imported, and count once',
  async () => {
    const { host } = new URL(proxy.url)
    const client = Mixpanel.init(PUBLIC_KEY, { protocol: 'http', host, path: '/mixpanel', keepAlive: false })
    for (let person = 0; person < PEOPLE; person++) await sendPerson(client, person)
    const sent = proxy.received.flatMap(eventsOf)
    expect(sent).toHaveLength(10 * PEOPLE)
    const [events] = await expectSameRows(service, {
      archive: toLines(sent.map(toExport)),
      counts: [8 * PEOPLE, 2 * PEOPLE, 0],
      traits: 'elsewhere',
      summary: `${10 * PEOPLE} read, ${8 * PEOPLE} accepted`,
    })
    expect(new Set(events?.map(({ distinct_id }) => distinct_id)).size).toBe(3 * PEOPLE)
  },
  TEST_MS,
)

/** Ten calls of a person before and after the sign-in, and under an older id. */
async function sendPerson(client: Mixpanel.Mixpanel, person: number): Promise<void> {
  const device = { distinct_id: `$device:d-${person}`, $device_id: `d-${person}` }
  const user = { distinct_id: `ann-${person}`, $user_id: `ann-${person}` }
  const values = {
    price: 9.5,
    count: 3,
    list: [1, { a: 'b' }],
    long: '𝄞'.repeat(2000),
    nothing: null,
    city: 'Köln 🌊',
  }
  const calls: readonly (readonly [string, object])[] = [
    [
      '$mp_web_page_view',
      { ...device, $current_url: 'https://a.example/b?utm_source=x', current_page_title: 'Ü' },
    ],
    ['mx step', { ...device, ...values }],
    ['$identify', { ...user, $device_id: `d-${person}`, $anon_distinct_id: `$device:d-${person}` }],
    ['mx step', { ...user, $device_id: `d-${person}`, event_name: 'mine' }],
    ['mx_step', { ...user, ...values }],
    ['mx_paid', { ...user, amount: person, utm_medium: 'mail' }],
    ['$create_alias', { distinct_id: `ann-${person}`, alias: `old-${person}` }],
    ['mx_old', { distinct_id: `old-${person}` }],
    ['mx_same', { ...user, n: 1 }],
    ['mx_same', { ...user, n: 2 }],
  ]
  for (const [index, [name, properties]] of calls.entries()) {
    const time = new Date(START_MS + person * 60_000 + index * 1234)
    const $insert_id = `i-${person}-${index}`
    await new Promise<void>((resolve, reject) => {
      client.track(name, { ...properties, time, $insert_id }, (error) => (error ? reject(error) : resolve()))
    })
  }
}

test.skipIf(!hasChromium())(
  'a visit that mixpanel-browser has sent is the same events and one session when its export is imported',
  async () => {
    const bundle = createRequire(import.meta.url).resolve('mixpanel-browser/dist/mixpanel.umd.js')
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      await context.route(/mixpanel\.com/, async (route) => await route.abort())
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news')
      await page.addScriptTag({ content: readFileSync(bundle, 'utf8') })
      const options = {
        api_host: `${proxy.url}/mixpanel`,
        batch_flush_interval_ms: 200,
        persistence: 'localStorage',
      }
      await page.evaluate(`mixpanel.init('${PUBLIC_KEY}', ${JSON.stringify(options)})`)
      await page.evaluate(`(() => {
        mixpanel.track_pageview()
        mixpanel.track('mpb step', { place: 'before' })
        mixpanel.identify('eve')
        mixpanel.track('mpb step', { place: 'after', emoji: '🌊' })
      })()`)
      const sent = await waitFor('the events of the page', () => {
        const events = proxy.received.flatMap(eventsOf)
        return events.length >= 4 ? events : undefined
      })
      expect(sent).toHaveLength(4)
      const [events, claims] = await expectSameRows(service, {
        archive: toLines(sent.map(toExport)),
        counts: [3, 1, 1],
        traits: 'elsewhere',
        summary: '4 read, 3 accepted',
        columns: IDENTITY_COLUMNS,
      })
      expect(new Set(events?.map(({ session_id }) => session_id)).size).toBe(1)
      expect(claims).toEqual([{ anonymous_id: expect.stringMatching(/^\$device:/), external_id: 'eve' }])
    } finally {
      await browser.close()
    }
  },
  TEST_MS,
)

/** The events of a request: GET by the Node.js SDK, a form by that of browsers. */
function eventsOf({ url, body }: ReceivedRequest): readonly SentEvent[] {
  if (!/\/track\/?$/.test(url.pathname)) return []
  const data = url.searchParams.get('data') ?? new URLSearchParams(body.toString('latin1')).get('data') ?? ''
  const events: unknown = JSON.parse(Buffer.from(data.replaceAll(' ', '+'), 'base64').toString('utf8'))
  return (Array.isArray(events) ? events : [events]) as readonly SentEvent[]
}

/** The same event in a raw export: whole seconds, no token, and what Mixpanel adds. */
function toExport({ event, properties }: SentEvent): object {
  const { token: _, time, ...others } = properties
  const ms = Number(time) > 100_000_000_000 ? Number(time) : Number(time) * 1000
  return {
    event,
    properties: {
      time: Math.floor(ms / 1000),
      ...others,
      $mp_api_endpoint: 'api.mixpanel.com',
      $mp_api_timestamp_ms: ms + 700,
      $mp_event_size: 403,
      mp_processing_time_ms: ms + 900,
    },
  }
}
