import { afterAll, beforeAll, expect, test } from 'vitest'
import { toLines } from '../harness/foreign-exports.ts'
import { PUBLIC_KEY, TestService } from '../harness/service.ts'
import { expectSameRows } from './expect-same-rows.ts'

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
})

const CONTEXT = { library: { name: '@segment/analytics-node', version: '3.1.0' }, locale: 'de-DE' }

/** A person before and after the sign-in, as analytics-node and RudderStack send it. */
const SENT = [
  { type: 'page', anonymousId: '018f-anon', properties: { url: 'https://a.example/b?utm_source=x' } },
  {
    type: 'identify',
    userId: 'ann',
    anonymousId: '018f-anon',
    traits: { plan: 'pro', name: 'Ann Über 🌊', no: null },
  },
  { type: 'alias', userId: 'ann', previousId: 'old-ann' },
  {
    type: 'track',
    event: 'Signed Up',
    userId: 'ann',
    properties: { price: 9.5, list: [1], long: 'x'.repeat(2000) },
  },
  {
    type: 'track',
    event: 'paid',
    userId: 'ann',
    anonymousId: '018f-anon',
    context: { ...CONTEXT, sessionId: 1714644000 },
  },
  { type: 'screen', name: 'Home', userId: 'bob' },
  { type: 'group', userId: 'bob', groupId: 'acme' },
].map((message, index) => ({
  context: CONTEXT,
  ...message,
  messageId: `node-next-1714644000${index}-2d9c2a4e`,
  timestamp: `2024-05-02T10:0${index}:00.123Z`,
}))

test('messages that were sent have the same rows when their archive is imported, and count once', async () => {
  const body = JSON.stringify({ writeKey: PUBLIC_KEY, batch: SENT, sentAt: new Date().toISOString() })
  const { status } = await fetch(`${service.url}/segment/v1/batch`, { method: 'POST', body })
  expect(status).toBe(200)
  const [, claims] = await expectSameRows(service, {
    archive: toLines(SENT.map(toArchive)),
    counts: [4, 2, 1, 2],
    summary: '7 read, 4 accepted',
  })
  expect(claims).toEqual([
    { anonymous_id: '018f-anon', external_id: 'ann' },
    { anonymous_id: 'old-ann', external_id: 'ann' },
  ])
})

/** The same message in an archive, whose `timestamp` is corrected by the clock of the service. */
function toArchive(message: (typeof SENT)[number]): object {
  const { timestamp, context } = message
  const corrected = timestamp.replace('.123Z', '.789Z')
  return {
    ...message,
    context: { ...context, ip: '203.0.113.7' },
    originalTimestamp: timestamp,
    timestamp: corrected,
    sentAt: timestamp,
    receivedAt: corrected,
    channel: 'server',
    projectId: 'p',
    version: 2,
    writeKey: 'theirs',
  }
}
