import { expect, test } from 'vitest'
import { NO_SESSION } from '../../contract/ids.ts'
import { detectFormat } from './detect-format.ts'
import type { Imported } from './imported.ts'
import { mapRecord, newMapContext } from './map-record.ts'
import { SessionFinder } from './session-finder.ts'

/** A message of a browser in an archive: Segment adds the times, the address and the project. */
const PAGE = {
  type: 'page',
  messageId: 'ajs-next-1714644000123-2d9c2a4e',
  anonymousId: '018f-anon',
  userId: null,
  context: {
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    locale: 'de-DE',
    library: { name: 'analytics.js', version: 'next-1.84.3' },
  },
  properties: { url: 'https://shop.example/lamps', path: '/lamps', title: 'Lamps' },
  originalTimestamp: '2024-05-02T10:00:00.123Z',
  sentAt: '2024-05-02T10:00:01.000Z',
  receivedAt: '2024-05-02T10:00:31.000Z',
  timestamp: '2024-05-02T10:00:30.123Z',
  projectId: 'p',
  writeKey: 'other',
}

test('a page of a browser is a page view at the time of the client, with a session of its device', () => {
  const sessions = new SessionFinder()
  const view = read(PAGE, sessions)
  expect(parse(view)).toMatchObject({
    kind: 'page_view',
    occurTime: '2024-05-02T10:00:00.123Z',
    distinctId: '018f-anon',
    autoProperties: { $url: { stringValue: 'https://shop.example/lamps' }, $title: { stringValue: 'Lamps' } },
  })
  expect(view.event).not.toMatch(/203\.0\.113\.7|Mozilla|other/)
  const later = read(
    { ...PAGE, messageId: 'm-2', userId: 'ann', originalTimestamp: '2024-05-02T10:20:00Z' },
    sessions,
  )
  expect(parse(later).distinctId).toBe('ann')
  expect(parse(later).sessionId).toBe(parse(view).sessionId)
  expect(later.identify).toEqual({ externalId: 'ann', previousId: '018f-anon' })
})

test('an event of a server keeps its name, and has no session', () => {
  const context = { library: { name: '@segment/analytics-node' } }
  const track = { ...PAGE, type: 'track', event: 'Signed Up', userId: 'ann', anonymousId: null, context }
  const imported = read({ ...track, properties: { plan: 'pro' } })
  expect(parse(imported)).toMatchObject({
    kind: 'Signed.._Up',
    sessionId: NO_SESSION,
    customProperties: { plan: { stringValue: 'pro' }, event_name: { stringValue: 'Signed Up' } },
  })
  expect(imported.identify).toBeUndefined()
})

test('identify and alias are no events, and a trait that is null is removed', () => {
  const identify = read({ ...PAGE, type: 'identify', userId: 'ann', traits: { plan: 'pro', old: null } })
  expect(identify).toEqual({
    event: undefined,
    identify: {
      externalId: 'ann',
      previousId: '018f-anon',
      traits: { plan: 'pro' },
      removedTraits: ['old'],
    },
    propertiesDropped: 0,
  })
  const alias = read({ type: 'alias', messageId: 'm', userId: 'ann', previousId: 'old-ann' })
  expect(alias.identify).toEqual({ externalId: 'ann', previousId: 'old-ann' })
  const group = read({ type: 'group', messageId: 'm', userId: 'ann', groupId: 'g' })
  expect([group.event, group.identify]).toEqual([undefined, undefined])
})

test.each([
  [{ ...PAGE, originalTimestamp: null, timestamp: 'yesterday' }, 'the event has no valid time'],
  [{ ...PAGE, originalTimestamp: '1969-01-01T00:00:00Z' }, 'the event has no valid time'],
  [{ ...PAGE, anonymousId: '' }, 'the event has no distinct id'],
  [{ ...PAGE, type: 'track' }, 'the record has no event'],
  [{ ...PAGE, type: 'delete' }, 'the type of the record is unknown'],
])('a message without what an event needs is rejected with the reason (%#)', (record, reason) => {
  expect(() => read(record)).toThrow(reason)
})

test.each(['track', 'page', 'identify'])('an archive that begins with %s is detected', (type) => {
  expect(detectFormat(JSON.stringify({ ...PAGE, type, event: 'a' }))).toBe('segment')
})

function read(record: object, sessions = new SessionFinder()): Imported {
  return mapRecord(
    { format: 'segment', entry: '', line: 1, text: JSON.stringify(record) },
    { ...newMapContext(), sessions },
  )
}

function parse({ event }: Imported): Record<string, unknown> {
  return JSON.parse(event ?? '{}')
}
