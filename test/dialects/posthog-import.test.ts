import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toLines } from '../harness/foreign-exports.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { expectSameRows } from './expect-same-rows.ts'

/** An event as posthog-node sends it. */
interface SentEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
})

test('events that posthog-node has sent have the same rows when their export is imported, and count once', async () => {
  const sent = await sendLive()
  const live = await expectSameRows(service, {
    archive: toLines(sent.map(toExport)),
    counts: [5, 2, 1, 3],
    summary: '9 read, 5 accepted',
  })
  expect(live[1]).toEqual([
    { anonymous_id: '0198-device', external_id: 'ann' },
    { anonymous_id: 'old-ann', external_id: 'ann' },
  ])
})

/** Sends a person before and after the sign-in, and returns the events as they were on the wire. */
async function sendLive(): Promise<readonly SentEvent[]> {
  const sent: SentEvent[] = []
  const client = new PostHog(PUBLIC_KEY, {
    host: `${service.url}/posthog`,
    disableCompression: true,
    fetch: async (url, options) => {
      sent.push(...JSON.parse(String(options.body)).batch)
      return await fetch(url, options as RequestInit)
    },
  })
  const properties = { price: 9.5, count: 3, list: [1, { a: 'b' }], long: '𝄞'.repeat(2000), nothing: null }
  client.capture({
    distinctId: '0198-device',
    event: '$pageview',
    properties: { $current_url: 'https://a.example/b?utm_source=x' },
  })
  client.identify({
    distinctId: 'ann',
    properties: {
      $set: { plan: 'pro' },
      $set_once: { first: '/a', no: null },
      $anon_distinct_id: '0198-device',
    },
  })
  client.alias({ distinctId: 'ann', alias: 'old-ann' })
  client.capture({ distinctId: 'ann', event: 'Sign Up', properties: { ...properties, $set: { seats: 2 } } })
  client.capture({
    distinctId: 'ann',
    event: 'Sign Up',
    properties: { $session_id: 'session 1', $set_once: { plan: 'free' } },
  })
  client.capture({ distinctId: 'ann', event: 'cancelled', properties: { $unset: ['seats'] } })
  client.capture({
    distinctId: 'bob',
    event: 'Sign_Up',
    properties: { event_name: 'mine', $process_person_profile: false },
  })
  client.identify({ distinctId: 'bob', properties: { name: 'Bob Über 🌊' } })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme' })
  await client.shutdown()
  return sent
}

/** The same event in a batch export, whose rows have the properties as text and times in microseconds. */
function toExport({ uuid, event, distinct_id, timestamp, properties }: SentEvent): object {
  const time = timestamp.replace(/^(.*)T(.*)Z$/, '$1 $2000+00:00')
  const text = JSON.stringify({ ...properties, $ip: '203.0.113.7', $sent_at: timestamp })
  return {
    uuid,
    event,
    distinct_id,
    timestamp: time,
    created_at: time,
    team_id: 7,
    properties: text,
    person_id: uuid,
  }
}
