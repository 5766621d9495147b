import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInstance, Identify, Revenue } from '@amplitude/analytics-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasChromium, launchChromium, serveSite } from '../harness/chromium.ts'
import { toLines } from '../harness/foreign-exports.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { expectSameRows, IDENTITY_COLUMNS } from './expect-same-rows.ts'
import { type LossyProxy, type ReceivedRequest, startLossyProxy } from './lossy-proxy.ts'

const PATH = '/amplitude/2/httpapi'
const PEOPLE = 20

/** An event as it is on the wire. */
type SentEvent = Readonly<Record<string, unknown>>

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
  'events that analytics-node has sent have the same rows when their export is imported, and count once',
  async () => {
    const client = createInstance()
    const options = {
      serverUrl: `${proxy.url}${PATH}`,
      flushIntervalMillis: 100,
      flushQueueSize: 50,
      logLevel: 0,
    }
    await client.init(PUBLIC_KEY, options).promise
    for (let person = 0; person < PEOPLE; person++) sendPerson(client, person)
    await client.flush().promise
    const sent = await waitFor('all events', () => {
      const events = proxy.received.flatMap(eventsOf)
      return events.length >= 10 * PEOPLE ? events : undefined
    })
    expect(sent).toHaveLength(10 * PEOPLE)
    const [, claims, , traits] = await expectSameRows(service, {
      archive: toLines(toExport(sent)),
      counts: [7 * PEOPLE, PEOPLE, PEOPLE, 3 * PEOPLE],
      summary: `${10 * PEOPLE} read, ${7 * PEOPLE} accepted`,
    })
    expect(claims).toContainEqual({ anonymous_id: 'device-7', external_id: 'user-7' })
    expect(traits?.filter(({ external_id }) => external_id === 'user-7')).toEqual([
      { external_id: 'user-7', key: 'first', value: '"mail"' },
      { external_id: 'user-7', key: 'name', value: '"Ann Über 7 🌊"' },
      { external_id: 'user-7', key: 'plan', value: '"team"' },
    ])
  },
  TEST_MS,
)

/** Ten calls of a person, before and after the sign-in. */
function sendPerson(client: ReturnType<typeof createInstance>, person: number): void {
  const device = { device_id: `device-${person}` }
  const user = { ...device, user_id: `user-${person}` }
  const session = { session_id: 1_795_355_895_814 + person }
  client.track('amp step', { place: 'before', text: '𝄞'.repeat(2000), n: 9.5 }, { ...device, ...session })
  client.track('[Amplitude] Page Viewed', { '[Amplitude] Page Path': '/lamps', utm_source: 'news' }, device)
  client.identify(
    new Identify().set('plan', 'pro').set('name', `Ann Über ${person} 🌊`).set('seats', 2),
    user,
  )
  client.identify(new Identify().set('plan', 'team').setOnce('first', 'mail').unset('seats'), user)
  client.identify(new Identify().setOnce('first', 'late'), user)
  client.track('amp step', { place: 'after', list: [1, 'a'], nothing: null }, { ...user, ...session })
  client.revenue(new Revenue().setProductId('lamp').setPrice(9.5).setQuantity(2), user)
  client.track(
    {
      event_type: 'amp_client',
      os_name: 'iOS',
      os_version: '18',
      platform: 'iOS',
      app_version: '1.2',
      session_id: -1,
    },
    { color: 'red' },
    user,
  )
  client.track('amp_step', { event_name: 'mine' }, { ...user, ...session })
  client.track('amp_old', {}, { ...user, time: Date.UTC(2026, 0, 5, 12, person) })
}

test.skipIf(!hasChromium())(
  'a visit that analytics-browser has sent is the same events and one session when its export is imported',
  async () => {
    const file = createRequire(import.meta.url).resolve('@amplitude/analytics-browser/package.json')
    const script = readFileSync(file.replace('package.json', 'lib/scripts/amplitude-min.js'), 'utf8')
    const browser = await launchChromium()
    try {
      const context = await browser.newContext()
      await context.route(/amplitude\.com/, async (route) => await route.abort())
      await serveSite(context, 'http://shop.test', '')
      const page = await context.newPage()
      await page.goto('http://shop.test/lamps?utm_source=news')
      await page.addScriptTag({ content: script })
      const options = { serverUrl: `${proxy.url}${PATH}`, fetchRemoteConfig: false, deviceId: 'browser-1' }
      await page.evaluate(`(async () => {
        await amplitude.init(${JSON.stringify(PUBLIC_KEY)}, undefined, ${JSON.stringify(options)}).promise
        await amplitude.track('ab step', { place: 'before' }).promise
        amplitude.setUserId('eve')
        await amplitude.identify(new amplitude.Identify().set('plan', 'pro')).promise
        await amplitude.track('ab step', { place: 'after', emoji: '🌊' }).promise
      })()`)
      const sent = proxy.received.flatMap(eventsOf)
      const count = sent.filter(({ event_type }) => event_type !== '$identify').length
      expect(count).toBeGreaterThanOrEqual(3)
      const [events, claims] = await expectSameRows(service, {
        archive: toLines(toExport(sent)),
        counts: [count, 1, 1, 1],
        summary: `${sent.length} read, ${count} accepted`,
        columns: IDENTITY_COLUMNS,
      })
      expect(new Set(events?.map(({ session_id }) => session_id)).size).toBe(1)
      expect(claims).toEqual([{ anonymous_id: 'browser-1', external_id: 'eve' }])
    } finally {
      await browser.close()
    }
  },
  TEST_MS,
)

function eventsOf({ url, body }: ReceivedRequest): readonly SentEvent[] {
  return url.pathname === PATH
    ? (JSON.parse(body.toString('utf8')) as { readonly events: SentEvent[] }).events
    : []
}

const AMPLITUDE_TIME = /^(.*)T(.*)Z$/

/** The same events in an export, which has other names, corrected times, and all properties that the user has at the time. */
function toExport(sent: readonly SentEvent[]): readonly object[] {
  const snapshots = new Map<unknown, Record<string, unknown>>()
  return sent.map((event, index) => {
    const { insert_id, time, app_version, device_model, user_properties, library, ...others } = event
    const client_event_time = new Date(Number(time)).toISOString().replace(AMPLITUDE_TIME, '$1 $2000')
    const event_time = new Date(Number(time) + 90_000).toISOString().replace(AMPLITUDE_TIME, '$1 $2000')
    const properties = snapshots.get(event.user_id) ?? {}
    if (event.user_id !== undefined) snapshots.set(event.user_id, properties)
    change(properties, (user_properties ?? {}) as Operations)
    return {
      user_id: null,
      session_id: -1,
      ...others,
      $insert_id: insert_id,
      uuid: `2d9c2a4e-0871-11ef-9262-${String(index).padStart(12, '0')}`,
      amplitude_id: 1_000_000 + index,
      client_event_time,
      event_time,
      server_received_time: event_time,
      version_name: app_version ?? null,
      device_family: device_model ?? null,
      ip_address: '203.0.113.7',
      library: library ?? 'http/2.0',
      user_properties: { ...properties },
      groups: {},
      data: {},
    }
  })
}

type Operations = Readonly<Partial<Record<'$set' | '$setOnce' | '$unset', Readonly<Record<string, unknown>>>>>

function change(properties: Record<string, unknown>, { $set, $setOnce, $unset }: Operations): void {
  Object.assign(properties, $set)
  for (const [name, value] of Object.entries($setOnce ?? {})) properties[name] ??= value
  for (const name of Object.keys($unset ?? {})) delete properties[name]
}
