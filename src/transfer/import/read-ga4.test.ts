import { expect, test } from 'vitest'
import { NO_SESSION } from '../../contract/ids.ts'
import { sessionIdOf } from '../../pipeline/dialects/foreign/foreign-ids.ts'
import { detectFormat } from './detect-format.ts'
import type { Imported } from './imported.ts'
import { mapRecord, newMapContext } from './map-record.ts'

/** A value of a parameter, as a table row in JSON has it: 64-bit integers are texts, and every other column is null. */
function value(found: object): object {
  return { string_value: null, int_value: null, float_value: null, double_value: null, ...found }
}

/** A page view of a browser, as BigQuery exports it. */
const VIEW = {
  event_date: '20260910',
  event_timestamp: '1757498400123456',
  event_name: 'page_view',
  event_params: [
    { key: 'ga_session_id', value: value({ int_value: '1757498399' }) },
    { key: 'ga_session_number', value: value({ int_value: '3' }) },
    {
      key: 'page_location',
      value: value({ string_value: 'https://shop.example/lamps?utm_source=news' }),
    },
    { key: 'page_title', value: value({ string_value: 'Größe 🌊' }) },
    { key: 'value', value: value({ double_value: 9.5 }) },
    { key: 'empty', value: value({}) },
  ],
  event_previous_timestamp: null,
  event_bundle_sequence_id: '-1234567',
  event_server_timestamp_offset: null,
  user_id: null,
  user_pseudo_id: '1234.5678',
  privacy_info: { analytics_storage: 'Yes', ads_storage: 'No', uses_transient_token: 'No' },
  user_properties: [],
  device: {
    category: 'mobile',
    mobile_brand_name: 'Apple',
    mobile_model_name: 'iPhone',
    mobile_marketing_name: null,
    operating_system: 'iOS',
    operating_system_version: 'iOS 19.1',
    language: 'de-de',
    web_info: { browser: 'Safari', browser_version: '26.0', hostname: 'shop.example' },
  },
  geo: { city: 'Munich', country: 'Germany', continent: 'Europe', region: 'Bavaria', metro: '(not set)' },
  app_info: null,
  traffic_source: { name: '(direct)', medium: '(none)', source: '(direct)' },
  stream_id: '987',
  platform: 'WEB',
  items: [],
  batch_page_id: '1757498400000',
  batch_ordering_id: '1',
  batch_event_index: '2',
}

test('a page view has its parameters, its device and its place as properties', () => {
  const view = read(VIEW)
  expect(parse(view)).toEqual({
    eventId: expect.stringMatching(/-5[0-9a-f]{3}-/),
    kind: 'page_view',
    occurTime: '2025-09-10T10:00:00.123Z',
    distinctId: '1234.5678',
    sessionId: sessionIdOf('ga4', '1757498399', '1234.5678'),
    autoProperties: {
      $deviceType: { stringValue: 'mobile' },
      $os: { stringValue: 'iOS' },
      $osVersion: { stringValue: 'iOS 19.1' },
      $device: { stringValue: 'iPhone' },
      $browser: { stringValue: 'Safari' },
      $browserVersion: { stringValue: '26.0' },
      $language: { stringValue: 'de-de' },
      $country: { stringValue: 'DE' },
      $region: { stringValue: 'Bavaria' },
      $city: { stringValue: 'Munich' },
      $url: { stringValue: 'https://shop.example/lamps?utm_source=news' },
      $title: { stringValue: 'Größe 🌊' },
      $platform: { stringValue: 'WEB' },
      $hostname: { stringValue: 'shop.example' },
    },
    customProperties: { ga_session_number: { intValue: '3' }, value: { doubleValue: 9.5 } },
  })
  expect(view.identify).toBeUndefined()
})

test('an export without empty columns, with numbers as numbers, has the same event', () => {
  const event_params = [
    { key: 'ga_session_id', value: { int_value: 1757498399 } },
    { key: 'ga_session_number', value: { int_value: 3 } },
    { key: 'page_location', value: { string_value: 'https://shop.example/lamps?utm_source=news' } },
    { key: 'page_title', value: { string_value: 'Größe 🌊' } },
    { key: 'value', value: { double_value: 9.5 } },
  ]
  const { user_id: _, app_info: __, ...others } = VIEW
  expect(read({ ...others, event_params })).toEqual(read(VIEW))
})

test('equal events at one time differ by their place, and a row that is exported again is the same event', () => {
  const again = { ...VIEW, is_active_user: false, traffic_source: { source: 'google' } }
  expect(parse(read(again)).eventId).toBe(parse(read(VIEW)).eventId)
  const others = [
    { ...VIEW, batch_event_index: '3' },
    { ...VIEW, event_bundle_sequence_id: '-1' },
    { ...VIEW, user_pseudo_id: '1.2' },
  ]
  expect(new Set([VIEW, ...others].map((row) => parse(read(row)).eventId)).size).toBe(4)
})

test('a user has traits and the id of the browser', () => {
  const user_properties = [
    { key: 'plan', value: { ...value({ string_value: 'pro' }), set_timestamp_micros: '1757498400123456' } },
    { key: 'seats', value: value({ int_value: '2' }) },
  ]
  const imported = read({ ...VIEW, user_id: 'ann', user_properties })
  expect(parse(imported).distinctId).toBe('ann')
  expect(parse(imported).sessionId).toBe(parse(read(VIEW)).sessionId)
  expect(imported.identify).toEqual({
    externalId: 'ann',
    previousId: '1234.5678',
    traits: { plan: 'pro', seats: 2 },
  })
})

test('a purchase keeps its products without their empty columns, and large integers are exact', () => {
  const items = [{ item_id: 'SKU', item_name: 'Lamp', price: 9.5, coupon: '(not set)', item_brand: null }]
  const event_params = [{ key: 'big', value: value({ int_value: '9007199254740993' }) }]
  const purchase = { ...VIEW, event_name: 'purchase', items, event_params }
  expect(parse(read(purchase))).toMatchObject({
    kind: 'purchase',
    sessionId: NO_SESSION,
    customProperties: {
      items: { stringValue: '[{"item_id":"SKU","item_name":"Lamp","price":9.5}]' },
      big: { stringValue: '9007199254740993' },
    },
  })
})

test('an app has its version, and a country that is spelled otherwise keeps its name', () => {
  const app = { ...VIEW, platform: 'ANDROID', app_info: { version: '1.2' }, geo: { country: 'Neverland' } }
  expect(parse(read(app)).autoProperties).toMatchObject({
    $platform: { stringValue: 'ANDROID' },
    $appVersion: { stringValue: '1.2' },
    $country: { stringValue: 'Neverland' },
  })
})

test.each([
  [{ ...VIEW, event_timestamp: null }, 'the event has no valid time'],
  [{ ...VIEW, event_timestamp: 'soon' }, 'the event has no valid time'],
  [{ ...VIEW, event_timestamp: '-1000' }, 'the event has no valid time'],
  [{ ...VIEW, event_name: null }, 'the record has no event'],
  [{ ...VIEW, user_pseudo_id: null }, 'the event has no distinct id'],
])('a row without what an event needs is rejected with the reason (%#)', (row, reason) => {
  expect(() => read(row)).toThrow(reason)
})

test.each([
  { ...VIEW, event_params: 'x', items: 'x', device: 'x', geo: [], user_properties: { a: 1 } },
  { ...VIEW, event_params: [null, 1, { key: 1 }, { key: 'a', value: 1 }, { value: {} }], items: [null, 3] },
])('columns of other types are left out (%#)', (row) => {
  expect(parse(read(row))).toMatchObject({ kind: 'page_view', distinctId: '1234.5678', customProperties: {} })
})

test('an export is detected from its first row', () => {
  expect(detectFormat(JSON.stringify(VIEW))).toBe('ga4')
})

function read(record: object): Imported {
  const source = { format: 'ga4', entry: '', line: 1, text: JSON.stringify(record) } as const
  return mapRecord(source, newMapContext())
}

function parse({ event }: Imported): Record<string, unknown> {
  return JSON.parse(event ?? '{}')
}
