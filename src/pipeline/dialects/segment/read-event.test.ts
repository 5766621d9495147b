import { expect, test } from 'vitest'
import type { ForeignItem } from '../foreign/foreign-batch.ts'
import { readSegmentEvent, type SegmentRequest } from './read-event.ts'

const RECEIVED_MS = Date.UTC(2026, 4, 2)
const SENT = '2026-05-01T10:00:00.123Z'
const ID = '01980000-0000-7000-8000-000000000001'
const REQUEST: SegmentRequest = {
  key: 'pub_test',
  receivedMs: RECEIVED_MS,
  skewMs: undefined,
  type: undefined,
  context: {},
}

function read(record: unknown, request: Partial<SegmentRequest> = {}): ForeignItem {
  return readSegmentEvent(record, { ...REQUEST, ...request })
}

const track = (fields: object): object => ({
  type: 'track',
  event: 'Signed Up',
  messageId: ID,
  anonymousId: 'a1',
  timestamp: SENT,
  ...fields,
})

function propertiesOf(record: object, request: Partial<SegmentRequest> = {}): Record<string, unknown> {
  const { event } = read(record, request)
  return Object.fromEntries(Array.from(event?.properties ?? [], ({ key, value }) => [key, value.value]))
}

test.each<[string, unknown, ForeignItem['dropped']]>([
  ['no object', 7, 'not_an_object'],
  ['no id of a user', track({ anonymousId: '' }), 'no_distinct_id'],
  ['an id that is an object', track({ anonymousId: { a: 1 } }), 'no_distinct_id'],
  ['an id that is too long', track({ userId: 'x'.repeat(2000) }), 'invalid_distinct_id'],
  ['no name', track({ event: null }), 'no_name'],
  ['no type', track({ type: undefined }), 'unknown_type'],
  ['a type of another product', track({ type: 'merge' }), 'unknown_type'],
  ['a group', track({ type: 'group', groupId: 'acme' }), 'groups_not_supported'],
  ['an alias without the other id', { type: 'alias', userId: 'ann' }, 'no_distinct_id'],
  ['another key', track({ writeKey: 'pub_other' }), 'other_key'],
])('a message with %s is dropped', (_, record, dropped) => {
  expect(read(record).dropped).toBe(dropped)
})

test.each<[string, object, string]>([
  ['as sent', { timestamp: '2026-05-01T12:00:00.123+02:00' }, SENT],
  ['the original one without another', { timestamp: undefined, originalTimestamp: SENT }, SENT],
  ['the one that the sender set', { originalTimestamp: '2026-05-01T11:00:00Z' }, SENT],
  [
    'the original one in an archive',
    { timestamp: '2026-05-01T09:00:00Z', originalTimestamp: SENT, receivedAt: '2026-05-01T10:00:05Z' },
    SENT,
  ],
  [
    'the one in the id',
    { timestamp: undefined, messageId: 'node-next-1777629600123-4b2f' },
    '2026-05-01T10:00:00.123Z',
  ],
  ['that of arrival', { timestamp: 'soon', messageId: 'x' }, new Date(RECEIVED_MS).toISOString()],
])('the time is %s', (_, fields, expected) => {
  const { event } = read(track(fields))
  expect(new Date(event?.timeMs ?? 0).toISOString()).toBe(expected)
})

test('the id of an event is that of its message, and the same for a repetition with another time of sending', () => {
  expect(read(track({})).event?.eventId).toBe(ID)
  const named = (sentAt: string): string | undefined =>
    read(track({ messageId: 'ajs-next-1-x', sentAt })).event?.eventId
  expect(named('2026-05-01T10:00:01Z')).toBe(named('2026-05-01T10:00:09Z'))
})

test.each<[string, object, string, readonly (readonly [string, string])[]]>([
  ['an anonymous visitor', {}, 'a1', []],
  ['a user on a device', { userId: 'ann' }, 'ann', [['ann', 'a1']]],
  ['a numeric user', { userId: 7, anonymousId: undefined }, '7', []],
  ['a user whose device has the same id', { userId: 'a1' }, 'a1', []],
  ['a user with a device that has no usable id', { userId: 'ann', anonymousId: 'x'.repeat(2000) }, 'ann', []],
])('%s', (_, fields, distinctId, claims) => {
  const { event, identification } = read(track(fields))
  expect(event?.distinctId).toBe(distinctId)
  const claimed = identification ? [[identification.externalId, identification.anonymousId]] : []
  expect(claimed).toEqual(claims)
})

test('an identify sets, removes and merges, and without a user it is left out and counted', () => {
  const identify = {
    type: 'identify',
    userId: 'ann',
    anonymousId: 'a1',
    traits: { plan: 'pro', gone: null },
    context: { traits: { plan: 'free', city: 'Köln' } },
  }
  const { event, identification, changes } = read(identify)
  expect(event).toBeUndefined()
  expect(changes).toEqual([])
  expect(identification).toMatchObject({ externalId: 'ann', anonymousId: 'a1', removedTraits: ['gone'] })
  expect(Object.fromEntries(identification?.traits ?? [])).toEqual({ plan: '"pro"', city: '"Köln"' })
  const anonymous = read({ ...identify, userId: undefined })
  expect(anonymous).toMatchObject({ changes: ['trait_left_out'] })
  expect(anonymous.identification).toBeUndefined()
})

test('an alias claims the previous id', () => {
  const { identification } = read({ type: 'alias', userId: 'ann', previousId: 'old', anonymousId: 'a1' })
  expect(identification).toMatchObject({ externalId: 'ann', anonymousId: 'old' })
})

test('a page view has the properties of every page view, and those of the call before those of the context', () => {
  const page = {
    ...track({ type: 'page', event: undefined, name: 'Lamps' }),
    properties: { url: 'https://a.test/own', title: 'Own', search: '?q=1', color: 'red' },
    context: {
      page: { url: 'https://a.test/context', referrer: 'https://b.test/', search: '?q=1', more: 1 },
    },
  }
  expect(read(page).event?.kind).toBe('page_view')
  expect(propertiesOf(page)).toEqual({
    $url: 'https://a.test/own',
    $title: 'Own',
    $referrer: 'https://b.test/',
    name: 'Lamps',
    color: 'red',
  })
  expect(propertiesOf(track({ properties: { title: 'of a book' } }))).toMatchObject({ title: 'of a book' })
})

test('a category beside the properties, where SDKs of servers have it, is a property', () => {
  const page = track({ type: 'page', name: 'Home', category: 'Docs' })
  expect(propertiesOf(page)).toEqual({ name: 'Home', category: 'Docs' })
  expect(propertiesOf(track({ type: 'screen', name: 'Cart', category: 'Shop' }))).toEqual({
    screen_name: 'Cart',
    category: 'Shop',
  })
  const both = { type: 'page', category: 'Docs', properties: { category: 'Own' } }
  expect(propertiesOf(track(both))).toEqual({ category: 'Own' })
})

test('a referrer that RudderStack names as absent is left out, wherever it stands', () => {
  const page = { referrer: '$direct', initial_referrer: '$direct', referring_domain: '' }
  const absent = { $referrerDomain: '' }
  expect(propertiesOf(track({ context: { page }, event: 'step' }))).toEqual(absent)
  expect(propertiesOf({ ...track({ type: 'page', properties: page }) })).toEqual(absent)
})

test('the context of a batch is that of each message, which has precedence', () => {
  const context = { app: { name: 'Shop', version: '1' }, locale: 'de', ip: '203.0.113.9', tenant: { a: 1 } }
  const own = { app: { version: '2' }, device: { id: 'secret', type: 'Tablet' }, userAgentData: {} }
  const found = propertiesOf(track({ context: own }), { context })
  expect(found).toEqual({
    $appName: 'Shop',
    $appVersion: '2',
    $language: 'de',
    $deviceType: 'tablet',
    context_tenant: '{"a":1}',
    event_name: 'Signed Up',
  })
})

test.each<[string, object, ForeignItem['client']]>([
  ['a browser', { library: { name: 'analytics.js' } }, { place: 'request', agent: 'request' }],
  [
    'an app, whose requests do not tell its system',
    { library: { name: 'analytics-kotlin' }, userAgent: 'App' },
    { place: 'request', agent: { userAgent: 'App' } },
  ],
  [
    'a server',
    { library: { name: '@segment/analytics-node' }, ip: '203.0.113.9' },
    { place: { address: '203.0.113.9' }, agent: { userAgent: undefined } },
  ],
  ['an unknown sender', {}, { place: { address: undefined }, agent: { userAgent: undefined } }],
])('the client of %s', (_, context, client) => {
  expect(read(track({ context })).client).toEqual(client)
})

test('names of the prototype are names like any other', () => {
  const properties = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c","toString":2}')
  expect(propertiesOf(track({ properties, context: properties, event: 'constructor' }))).toMatchObject({
    constructor: 'c',
    toString: 2n,
  })
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
