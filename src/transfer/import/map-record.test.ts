import { expect, test } from 'vitest'
import {
  AMPLITUDE_EXPORT,
  MIXPANEL_EXPORT,
  POSTHOG_EXPORT,
  SIGN_IN_EXPORTS,
} from '../../../test/harness/foreign-exports.ts'
import { NO_SESSION } from '../../contract/ids.ts'
import { parseTimeZone } from '../../domain/insights/time-zone.ts'
import { objectOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { deviceSessionId } from '../../pipeline/identity/derived-ids.ts'
import type { ImportFormat } from './detect-format.ts'
import { detectFormat } from './detect-format.ts'
import type { Imported } from './imported.ts'
import { mapRecord, newMapContext } from './map-record.ts'

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

test('a PostHog page view is renamed, keeps its ids, and loses its IP address', () => {
  const { event, identify, propertiesDropped } = map('posthog', POSTHOG_EXPORT[0])
  expect(parse(event)).toEqual({
    eventId: '018f3a5e-7c1a-7b7e-9d6e-0c8f2b1a0001',
    kind: 'page_view',
    occurTime: '2024-05-02T10:00:00.123Z',
    distinctId: '018f3a5e-0000-7000-8000-00000000d0d0',
    sessionId: '018f3a5e-1111-7000-8000-0000000000aa',
    autoProperties: {
      $url: { stringValue: 'https://shop.example/lamps?utm_source=newsletter' },
      $hostname: { stringValue: 'shop.example' },
      $pathname: { stringValue: '/lamps' },
      $referrer: { stringValue: 'https://www.google.com/' },
      $referrerDomain: { stringValue: 'www.google.com' },
      $utmSource: { stringValue: 'newsletter' },
      $browser: { stringValue: 'Firefox' },
      $browserVersion: { stringValue: '125' },
      $os: { stringValue: 'Linux' },
      $deviceType: { stringValue: 'desktop' },
      $country: { stringValue: 'DE' },
      $city: { stringValue: 'Hamburg' },
      $latitude: { doubleValue: 53.55 },
      $lib: { stringValue: 'web' },
      $elements_chain: { stringValue: 'x'.repeat(1024) },
    },
    customProperties: { tags: { stringValue: '["a","b"]' } },
  })
  expect([identify, propertiesDropped]).toEqual([undefined, 0])
})

test('a PostHog $identify claims the anonymous id, and $set_once stays apart from $set', () => {
  expect(map('posthog', POSTHOG_EXPORT[1])).toEqual({
    event: undefined,
    identify: {
      externalId: 'user-7',
      previousId: '018f3a5e-0000-7000-8000-00000000d0d0',
      traits: { email: 'ada@example.org', plan: 'free' },
      traitsOnce: { first_page: '/lamps', plan: 'trial' },
    },
    propertiesDropped: 0,
  })
})

test('an event whose name is not a valid kind keeps the name as a property', () => {
  const event = parse(map('posthog', POSTHOG_EXPORT[2]).event)
  expect(event).toMatchObject({
    kind: 'Order.._Completed..21.',
    occurTime: '2024-05-02T08:05:00.500Z',
    distinctId: 'user-7',
    customProperties: {
      event_name: { stringValue: 'Order Completed!' },
      total: { doubleValue: 49.9 },
      items: { intValue: '2' },
      gift: { boolValue: false },
    },
  })
})

test('a Mixpanel event of a device is anonymous until the device has a user', () => {
  const [view, signUp] = MIXPANEL_EXPORT.map((record, index) =>
    index < 2 ? map('mixpanel', record) : undefined,
  )
  expect(parse(view?.event)).toMatchObject({
    kind: 'page_view',
    occurTime: '2024-05-02T10:00:00.000Z',
    distinctId: '$device:18f3a5e',
    sessionId: deviceSessionId('18f3a5e', 1_714_644_000_000),
    autoProperties: { $url: { stringValue: 'https://shop.example/lamps' }, $country: { stringValue: 'DE' } },
    customProperties: { mp_lib: { stringValue: 'web' } },
  })
  expect(parse(signUp?.event)).toMatchObject({ kind: 'Sign.._Up', distinctId: 'user-8' })
  expect(signUp?.identify).toEqual({ externalId: 'user-8', previousId: '$device:18f3a5e' })
})

test('a Mixpanel event keeps the id that it was sent with, and the id that it was merged into is the user', () => {
  const properties = { time: 1_714_644_000, distinct_id: 'user-8', mp_lib: 'web', $insert_id: 'abc126' }
  const merged = { event: 'a', properties: { ...properties, $distinct_id_before_identity: '$device:d' } }
  expect(parse(map('mixpanel', merged).event).distinctId).toBe('$device:d')
  expect(map('mixpanel', merged).identify).toEqual({ externalId: 'user-8', previousId: '$device:d' })
  // Nothing says which of these two is the visitor's.
  const unclear = { event: 'a', properties: { ...properties, $distinct_id_before_identity: '18f3' } }
  expect(parse(map('mixpanel', unclear).event).distinctId).toBe('18f3')
  expect(map('mixpanel', unclear).identify).toBeUndefined()
})

test('a Mixpanel export in milliseconds has the events of one in seconds', () => {
  const record = (time: number): object => ({
    event: 'a',
    properties: { time, distinct_id: 'u', mp_lib: 'web', $insert_id: 'i' },
  })
  const [seconds, millis] = [
    map('mixpanel', record(1_714_644_000)),
    map('mixpanel', record(1_714_644_000_987)),
  ]
  expect(millis).toEqual(seconds)
})

test('a user property that an Amplitude export no longer has was unset', () => {
  const context = newMapContext()
  const identify = (user_id: string, user_properties: object): unknown => {
    const record = { event_type: '$identify', user_id, user_properties }
    const source = { format: 'amplitude', entry: '', line: 1, text: JSON.stringify(record) } as const
    return mapRecord(source, context).identify
  }
  const told = [
    identify('ann', { plan: 'pro', seats: 2 }),
    identify('bob', { plan: 'free' }),
    identify('ann', {}),
    identify('ann', { plan: 'pro' }),
    identify('ann', { plan: 'pro' }),
  ]
  expect(told).toEqual([
    { externalId: 'ann', traits: { plan: 'pro', seats: 2 } },
    { externalId: 'bob', traits: { plan: 'free' } },
    undefined,
    { externalId: 'ann', traits: { plan: 'pro' }, removedTraits: ['seats'] },
    { externalId: 'ann', traits: { plan: 'pro' } },
  ])
})

test('an Amplitude event that names no library has none, and one without $insert_id has its uuid', () => {
  const record = {
    ...AMPLITUDE_EXPORT[1],
    library: 'http/2.0',
    device_model: 'Pixel 9',
    device_family: 'Google Pixel',
  }
  expect(parse(map('amplitude', record).event)).toMatchObject({
    eventId: '2d9c2a4e-0871-11ef-9262-0242ac120003',
    autoProperties: { $device: { stringValue: 'Pixel 9' } },
  })
  expect(map('amplitude', record).event).not.toContain('$lib')
})

test('an Amplitude event belongs to its device until it has a user', () => {
  const [view, purchase] = AMPLITUDE_EXPORT.map((record, index) =>
    index < 2 ? map('amplitude', record) : undefined,
  )
  expect(parse(view?.event)).toMatchObject({
    eventId: '5f0adeee-2e9b-4a5e-b0c7-6b0f5d7c1a01',
    kind: 'page_view',
    occurTime: '2024-05-02T10:00:00.123Z',
    distinctId: 'dev-1',
    autoProperties: {
      $lib: { stringValue: 'amplitude-ts' },
      $pathname: { stringValue: '/lamps' },
      $country: { stringValue: 'Germany' },
      $browser: { stringValue: 'Chrome' },
      $browserVersion: { stringValue: '124' },
      $device: { stringValue: 'Windows' },
    },
  })
  expect(view?.event).not.toMatch(/203\.0\.113\.7|1234567/)
  expect(parse(purchase?.event)).toMatchObject({
    distinctId: 'user-9',
    customProperties: { revenue: { doubleValue: 12.5 } },
  })
  expect(purchase?.identify).toEqual({
    externalId: 'user-9',
    previousId: 'dev-1',
    traits: { plan: 'pro' },
  })
})

test.each([
  ['amplitude', SIGN_IN_EXPORTS.amplitude],
  ['mixpanel', SIGN_IN_EXPORTS.mixpanel],
] as const)('%s: a sign-in does not split the session (%#)', (format, records) => {
  const context = newMapContext()
  const events = records
    .map((record) => mapRecord({ format, entry: '', line: 1, text: JSON.stringify(record) }, context).event)
    .filter((event) => event !== undefined)
    .map(parse)
  expect(new Set(events.map(({ distinctId }) => distinctId)).size).toBe(2)
  expect(events).toHaveLength(4)
  expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1)
})

test('an event of the PostHog API equals that of its batch export', () => {
  const [exported] = POSTHOG_EXPORT
  const { uuid: id, ...event } = exported as { readonly uuid: string }
  expect(map('posthog', { id, ...event })).toEqual(map('posthog', exported))
})

test.each([
  [
    'posthog',
    { event: 'paid', distinct_id: 'u', timestamp: '2024-05-02T08:05:00Z' },
    { $lib: 'posthog-node' },
  ],
  ['mixpanel', { event: 'paid' }, { distinct_id: 'u', time: 1_714_637_100, mp_lib: 'python' }],
  [
    'amplitude',
    { event_type: 'paid', user_id: 'u', event_time: '2024-05-02 08:05:00', library: 'amplitude-go/1.2.0' },
    {},
  ],
  ['mixpanel', { event: 'paid' }, { distinct_id: 'u', time: 1_714_637_100, $device_id: 'd' }],
  ['amplitude', { event_type: 'paid', user_id: 'u', event_time: '2024-05-02 08:05:00', session_id: -1 }, {}],
] as const)(
  '%s: an event of a server, or outside of sessions, has no session (%#)',
  (format, record, properties) => {
    expect(parse(map(format, { ...record, properties }).event).sessionId).toBe(NO_SESSION)
  },
)

test('PostHog: an event of an app without a session gets one, and the sign-in does not end it', () => {
  const context = newMapContext()
  const [before, after] = ['device-1', 'user-7'].map((distinct_id, minute) => {
    const properties = { $lib: 'posthog-ios', $device_id: 'device-1', $unset: ['plan'] }
    const record = { event: 'tap', distinct_id, timestamp: `2024-05-02T08:0${minute}:00Z`, properties }
    const source = { format: 'posthog', entry: '', line: 1, text: JSON.stringify(record) } as const
    return mapRecord(source, context)
  })
  expect(parse(before?.event).sessionId).toBe(deviceSessionId('device-1', Date.UTC(2024, 4, 2, 8)))
  expect(parse(after?.event).sessionId).toBe(parse(before?.event).sessionId)
  expect([before?.identify, after?.identify]).toEqual([
    undefined,
    { externalId: 'user-7', removedTraits: ['plan'] },
  ])
})

test('PostHog: a visitor without a cookie has the id that the export gives; groups and long keys are left out', () => {
  const event = { event: 'a', timestamp: '2024-05-02T08:05:00Z', properties: { $cookieless_mode: true } }
  expect(parse(map('posthog', { ...event, distinct_id: 'cookieless_ab' }).event).distinctId).toBe(
    'cookieless_ab',
  )
  expect(() => map('posthog', { ...event, distinct_id: '$posthog_cookieless' })).toThrow(
    'a cookieless event cannot be imported',
  )
  const long = { ['a'.repeat(201)]: 1, ['b'.repeat(201)]: 1 }
  expect(map('posthog', { ...event, distinct_id: 'a', properties: long }).propertiesDropped).toBe(2)
  const group = { ...event, event: '$groupidentify', distinct_id: 'acme' }
  expect(map('posthog', group)).toEqual({ event: undefined, identify: undefined, propertiesDropped: 0 })
})

test('a session that a server names is kept', () => {
  const sent = { ...objectOf(POSTHOG_EXPORT[0]) }
  const properties = { ...objectOf(sent.properties), $lib: 'posthog-node' }
  expect(parse(map('posthog', { ...sent, properties }).event).sessionId).toBe(
    '018f3a5e-1111-7000-8000-0000000000aa',
  )
})

test.each([
  ['Europe/Berlin', '2024-05-02T10:00:00.000Z', '2024-05-02T08:00:00.000Z'],
  ['America/Los_Angeles', '2024-01-15T00:00:00.000Z', '2024-01-15T08:00:00.000Z'],
  // The hour that comes twice, and the one that never comes.
  ['Europe/Berlin', '2024-10-27T02:30:00.000Z', '2024-10-27T00:30:00.000Z'],
  ['Europe/Berlin', '2024-03-31T02:30:00.000Z', '2024-03-31T01:30:00.000Z'],
])('the wall-clock time of an old Mixpanel export is converted from %s: %s', (zone, wall, instant) => {
  const properties = { time: Date.parse(wall) / 1000, distinct_id: 'a' }
  const record = {
    format: 'mixpanel',
    entry: '',
    line: 1,
    text: JSON.stringify({ event: 'a', properties }),
  } as const
  const context = { ...newMapContext(), timeZone: parseTimeZone(zone) }
  expect(parse(mapRecord(record, context).event).occurTime).toBe(instant)
})

test.each([
  ['posthog', POSTHOG_EXPORT[3], 'the event has no valid time'],
  ['mixpanel', MIXPANEL_EXPORT[2], 'the event has no valid time'],
  ['amplitude', AMPLITUDE_EXPORT[2], 'the event has no user_id and no device_id'],
  [
    'posthog',
    { event: 'a', distinct_id: 'cookieless-a', timestamp: '2024-01-01T00:00:00Z' },
    'the distinct id is longer than 1024 characters, or begins with cookieless-',
  ],
  [
    'jsonl',
    { kind: 'a', cookieless: true, occurTime: '2024-01-01T00:00:00Z' },
    'a cookieless event cannot be imported',
  ],
  [
    'jsonl',
    { kind: 'a b', occurTime: '2024-01-01T00:00:00Z', distinctId: 'a' },
    'kind must match ^[a-zA-Z0-9_.-]+$',
  ],
  ['jsonl', { kind: 'a', distinctId: 'a' }, 'occurTime is required'],
] as const)(
  '%s: a record without what an event needs is rejected with the reason (%#)',
  (format, record, reason) => {
    expect(() => map(format, record)).toThrow(reason)
  },
)

test('importing a record again yields the same event', () => {
  const twice = [map('posthog', POSTHOG_EXPORT[0]), map('posthog', POSTHOG_EXPORT[0])]
  expect(twice[0]).toEqual(twice[1])
  expect(parse(map('posthog', POSTHOG_EXPORT[2]).event).eventId).not.toBe(parse(twice[0]?.event).eventId)
})

test('a jsonl record keeps its text', () => {
  const text =
    '{"eventId":"2d9c2a4e-0871-11ef-9262-0242ac120002","kind":"a","occurTime":"2024-01-01T00:00:00Z","distinctId":"b","sessionId":"2d9c2a4e-0871-11ef-9262-0242ac120003","customProperties":{"zero":{"doubleValue":-0}}}'
  expect(mapRecord({ format: 'jsonl', entry: '', line: 1, text }, newMapContext()).event).toBe(text)
})

test('a jsonl record without ids gets derived ids', () => {
  const event = map('jsonl', { kind: 'a', occurTime: '2024-01-01T00:00:00Z', distinctId: 'b' })
  expect(parse(event.event)).toEqual({
    kind: 'a',
    occurTime: '2024-01-01T00:00:00Z',
    distinctId: 'b',
    eventId: UUID,
    sessionId: UUID,
  })
})

test('a CSV column that is not a field becomes a string property', () => {
  const row = {
    kind: 'a',
    occurTime: '2024-01-01T00:00:00Z',
    distinctId: 'b',
    $country: 'DE',
    plan: 'pro',
    empty: '',
  }
  const record = { format: 'csv', entry: '', line: 2, text: '', row } as const
  expect(parse(mapRecord(record, newMapContext()).event)).toMatchObject({
    autoProperties: { $country: { stringValue: 'DE' } },
    customProperties: { plan: { stringValue: 'pro' } },
  })
})

test('one record cannot contain two events', () => {
  const event = '{"kind":"a","occurTime":"2024-01-01T00:00:00Z","cookieless":true}'
  const record = { format: 'jsonl', entry: '', line: 1, text: `${event},${event}` } as const
  expect(() => mapRecord(record, newMapContext())).toThrow('the record is not valid JSON')
})

test.each([
  ['jsonl', '{"kind":"a"}\n'],
  ['csv', 'eventId,kind,occurTime\n'],
  ['posthog', JSON.stringify(POSTHOG_EXPORT[0])],
  ['mixpanel', JSON.stringify(MIXPANEL_EXPORT[0])],
  ['amplitude', `\n${JSON.stringify(AMPLITUDE_EXPORT[0])}`],
])('%s is detected from its first record', (format, text) => {
  expect(detectFormat(text)).toBe(format)
})

test.each(['hello', '{}', '[1]', '{"event'])('the format of %s is not detected', (text) => {
  expect(() => detectFormat(text)).toThrow('cannot be detected')
})

function map(format: ImportFormat, record: object | undefined): Imported {
  return mapRecord({ format, entry: '', line: 1, text: JSON.stringify(record) }, newMapContext())
}

function parse(event: string | undefined): Record<string, unknown> {
  return JSON.parse(event ?? '{}')
}
