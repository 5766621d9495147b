import { expect, test } from 'vitest'
import type { ForeignItem } from '../foreign/foreign-batch.ts'
import type { SourceObject } from '../foreign/foreign-value.ts'
import { readMixpanelEvent } from './read-event.ts'
import { readMixpanelProfile } from './read-profile.ts'

const KEY = 'pub_test'
const RECEIVED_MS = Date.UTC(2026, 4, 2)
const SECONDS = Date.UTC(2026, 4, 1, 10) / 1000

function read(properties: object, name: unknown = 'Signed Up', isOnDevice = false): ForeignItem {
  const record = { event: name, properties: { token: KEY, distinct_id: 'ann', ...properties } }
  return readMixpanelEvent(record, { key: KEY, receivedMs: RECEIVED_MS, isOnDevice })
}

function profile(update: SourceObject): ForeignItem {
  return readMixpanelProfile({ $token: KEY, $distinct_id: 'ann', ...update }, KEY)
}

test.each<[string, object, unknown, ForeignItem['dropped']]>([
  ['no name', {}, '', 'no_name'],
  ['no id', { distinct_id: undefined }, 'a', 'no_distinct_id'],
  ['an id that is an object', { distinct_id: { a: 1 } }, 'a', 'no_distinct_id'],
  ['an id that is too long', { distinct_id: 'x'.repeat(2000) }, 'a', 'invalid_distinct_id'],
  ['another key', { token: 'pub_other' }, 'a', 'other_key'],
  ['nobody to identify', { distinct_id: undefined }, '$identify', 'no_distinct_id'],
])('an event with %s is dropped', (_, properties, name, dropped) => {
  expect(read(properties, name).dropped).toBe(dropped)
})

test.each<[string, unknown, number]>([
  ['seconds', SECONDS, SECONDS * 1000],
  ['seconds with a fraction', SECONDS + 0.814, SECONDS * 1000],
  ['milliseconds', SECONDS * 1000 + 814, SECONDS * 1000],
  ['seconds as a text', String(SECONDS), SECONDS * 1000],
  ['nothing', undefined, RECEIVED_MS],
  ['no time', 'soon', RECEIVED_MS],
  ['a time out of reach', 1e300, RECEIVED_MS],
])('a time that is %s', (_, time, expected) => {
  const { event, changes } = read({ time })
  expect(event?.timeMs).toBe(expected)
  expect(changes).toEqual(expected === RECEIVED_MS && time !== undefined ? ['time_replaced'] : [])
})

test('an event has the id of its insert id, or of its content, and without a time a new one', () => {
  const idOf = (properties: object): string | undefined => read(properties).event?.eventId
  expect(idOf({ $insert_id: 'k', time: SECONDS, a: 1 })).toBe(idOf({ $insert_id: 'k', time: SECONDS, a: 2 }))
  expect(idOf({ time: SECONDS, a: 1 })).toBe(idOf({ a: 1, time: SECONDS }))
  expect(idOf({ time: SECONDS, a: 1 })).not.toBe(idOf({ time: SECONDS, a: 2 }))
  expect(idOf({ a: 1 })).not.toBe(idOf({ a: 1 }))
})

test.each<[string, string, object, string | undefined]>([
  ['a visitor', 'a', { distinct_id: '$device:d', $device_id: 'd' }, undefined],
  ['a user on a device', 'a', { $user_id: 'ann', $device_id: 'd' }, 'ann < $device:d'],
  ['a user without a device', 'a', { $user_id: 'ann' }, undefined],
  [
    'a sign-in',
    '$identify',
    { $anon_distinct_id: '$device:d', $device_id: 'd', $user_id: 'ann' },
    'ann < $device:d',
  ],
  ['a sign-in of older libraries', '$identify', { $identified_id: 'ann', $anon_id: 'd' }, 'ann < d'],
  ['a repeated sign-in', '$identify', {}, 'ann < '],
  ['an alias of a user', '$create_alias', { alias: 'old' }, 'ann < old'],
  ['an alias for a visitor', '$create_alias', { distinct_id: '$device:d', alias: 'ann' }, 'ann < $device:d'],
  ['a merge', '$merge', { $distinct_ids: ['$device:d', 'ann'] }, 'ann < $device:d'],
  [
    'a user whose event has a name of the prototype',
    'constructor',
    { $user_id: 'ann', $device_id: 'd' },
    'ann < $device:d',
  ],
])('the claim of %s', (_, name, properties, expected) => {
  const { identification } = read(properties, name)
  const claim = identification && `${identification.externalId} < ${identification.anonymousId}`
  expect(claim).toBe(expected)
})

test('a server may send the ids of which the distinct id is made', () => {
  const idOf = (ids: object): string | undefined => read({ distinct_id: undefined, ...ids }).event?.distinctId
  expect(idOf({ $device_id: 'd' })).toBe('$device:d')
  expect(idOf({ $device_id: 'd', $user_id: 'ann' })).toBe('ann')
})

test('the device of an event is that of its session, before and after a sign-in', () => {
  expect(read({ mp_lib: 'web', distinct_id: '$device:d', $device_id: 'd' }).device).toBe('d')
  expect(read({ mp_lib: 'web', $user_id: 'ann', $device_id: 'd' }).device).toBe('d')
  expect(read({ mp_lib: 'node', $device_id: 'd' }).device).toBeUndefined()
  expect(read({ $device_id: 'd' }).device).toBeUndefined()
})

test.each<[string, object, boolean, ForeignItem['client']]>([
  ['a browser', { mp_lib: 'web' }, true, { place: 'request', agent: 'request' }],
  ['an app', { mp_lib: 'swift' }, true, { place: 'request', agent: { userAgent: undefined } }],
  [
    'a server',
    { mp_lib: 'node', ip: '203.0.113.9' },
    false,
    { place: { address: '203.0.113.9' }, agent: { userAgent: undefined } },
  ],
])('the client of %s', (_, properties, isOnDevice, client) => {
  expect(read(properties, 'a', isOnDevice).client).toEqual(client)
})

test('well-known names are ours, and names of the prototype are names like any other', () => {
  const odd = JSON.parse('{"__proto__":{"a":1},"constructor":"c"}')
  const { event } = read({ ...odd, $current_url: 'https://a.test/', ip: '203.0.113.9' }, '$mp_web_page_view')
  expect(event?.kind).toBe('page_view')
  const found = Array.from(event?.properties ?? [], ({ key }) => key)
  expect(found).toEqual(expect.arrayContaining(['constructor', '$url']))
  expect(found).not.toContain('ip')
})

test.each(['$referrer', '$referring_domain'])(
  '%s is left out where the library names its absence',
  (name) => {
    const keysOf = (value: string): readonly string[] =>
      Array.from(read({ [name]: value }).event?.properties ?? [], ({ key }) => key)
    expect(keysOf('$direct')).toEqual(['event_name'])
    expect(keysOf('search.test')).toHaveLength(2)
    // The same text is a value like any other in the sender's own properties.
    expect(Array.from(read({ place: '$direct' }).event?.properties ?? [], ({ key }) => key)).toContain(
      'place',
    )
  },
)

test('an update of a person sets, sets once and removes', () => {
  const { identification, changes } = profile({
    $set: { $email: 'a@b.test', plan: 'pro' },
    $set_once: { first: 1, initial_utm_source: null },
    $unset: ['$name', 'gone'],
  })
  expect(changes).toEqual([])
  expect(Object.fromEntries(identification?.traits ?? [])).toEqual({ email: '"a@b.test"', plan: '"pro"' })
  expect(Object.fromEntries(identification?.traitsOnce ?? [])).toEqual({ first: '1' })
  expect(identification?.removedTraits).toEqual(['name', 'gone'])
})

test.each([
  ['a count', { $add: { visits: 1 } }, 'operation_not_supported'],
  ['a deletion of the whole profile', { $delete: '' }, 'operation_not_supported'],
  ['a property of a visitor', { $distinct_id: '$device:d', $set: { a: 1 } }, 'trait_left_out'],
])('%s is left out and counted', (_, update, change) => {
  expect(profile(update)).toEqual({ id: undefined, changes: [change] })
})

test.each<[string, SourceObject, ForeignItem['dropped']]>([
  ['no id', { $distinct_id: undefined }, 'no_distinct_id'],
  ['another key', { $token: 'pub_other' }, 'other_key'],
  ['an id that is too long', { $distinct_id: 'x'.repeat(2000) }, 'invalid_distinct_id'],
])('an update with %s is dropped', (_, update, dropped) => {
  expect(profile(update).dropped).toBe(dropped)
})
