import { expect, test } from 'vitest'
import { NO_SESSION } from '../../contract/ids.ts'
import { deviceSessionId } from '../../pipeline/identity/derived-ids.ts'
import { detectFormat } from './detect-format.ts'
import type { Imported } from './imported.ts'
import { type MapContext, mapRecord, newMapContext } from './map-record.ts'
import { UmamiData } from './umami-data.ts'

const HEADER =
  'website_id,session_id,visit_id,event_id,hostname,browser,os,device,screen,language,country,region,city,url_path,url_query,' +
  'utm_source,utm_medium,utm_campaign,utm_content,utm_term,referrer_path,referrer_query,referrer_domain,page_title,gclid,fbclid,' +
  'msclkid,ttclid,li_fat_id,twclid,lcp,inp,cls,fcp,ttfb,event_type,event_name,tag,distinct_id,created_at,job_id'

/** A page view of a visitor without an id, as Umami Cloud exports it. */
const VIEW = {
  website_id: '94db1cb1-74f4-4a40-ad6c-962362670409',
  session_id: '6d1f0a9e-3e47-5c0a-8c5e-0c4b6f1f2a01',
  visit_id: '0b6c2f6d-7a5e-5b8e-9c40-61d0c2a7e502',
  event_id: '9F7A4F0C-1D2B-4C8A-B1C7-2E5D6F7A8B03',
  hostname: 'shop.example',
  browser: 'edge-chromium',
  os: 'Windows 10',
  device: 'laptop',
  screen: '1440x900',
  language: 'de-DE',
  country: 'DE',
  region: 'DE-HH',
  city: 'Hamburg',
  url_path: '/lamps',
  url_query: 'utm_source=news',
  referrer_path: '/search',
  referrer_query: 'q=lamp',
  referrer_domain: 'google.com',
  page_title: 'Größe 🌊',
  event_type: '1',
  event_name: '',
  tag: '',
  distinct_id: '',
  created_at: '2026-03-01 10:00:00',
}

test('a page view has the ids of the export, and the names of live events', () => {
  expect(parse(read(VIEW))).toEqual({
    eventId: VIEW.event_id.toLowerCase(),
    kind: 'page_view',
    occurTime: '2026-03-01T10:00:00.000Z',
    distinctId: VIEW.session_id,
    sessionId: VIEW.visit_id,
    autoProperties: {
      $lib: { stringValue: 'umami' },
      $hostname: { stringValue: 'shop.example' },
      $url: { stringValue: 'https://shop.example/lamps?utm_source=news' },
      $referrer: { stringValue: 'https://google.com/search?q=lamp' },
      $title: { stringValue: 'Größe 🌊' },
      $language: { stringValue: 'de-DE' },
      $screenWidth: { intValue: '1440' },
      $screenHeight: { intValue: '900' },
      $browser: { stringValue: 'Edge' },
      $os: { stringValue: 'Windows' },
      $osVersion: { stringValue: '10' },
      $deviceType: { stringValue: 'desktop' },
      $country: { stringValue: 'DE' },
      $region: { stringValue: 'DE-HH' },
      $city: { stringValue: 'Hamburg' },
    },
    customProperties: {},
  })
})

test('the data of an event is found in the file that comes before it, with its types', () => {
  const context = newMapContext()
  const data = (data_key: string, others: object): Imported =>
    read({ event_id: VIEW.event_id, session_id: VIEW.session_id, data_key, ...others }, context)
  const values = [
    data('plan', { data_type: '1', string_value: 'pro' }),
    data('price', { data_type: '2', number_value: '9.5000', string_value: '9.5' }),
    data('seats', { data_type: '2', number_value: '3.0000' }),
    data('isNew', { data_type: '3', string_value: 'false' }),
    data('on', { data_type: '4', string_value: '2026-03-01T10:00:00Z', date_value: '2026-03-01 10:00:00' }),
    data('list', { data_type: '5', string_value: '[1,"a"]' }),
    data('$title', { data_type: '1', string_value: 'not the page' }),
  ]
  expect(new Set(values.map(({ event, identify }) => event ?? identify))).toEqual(new Set([undefined]))
  const event = read({ ...VIEW, event_type: '2', event_name: 'Sign Up', distinct_id: 'ann' }, context)
  expect(parse(event)).toMatchObject({
    kind: 'Sign.._Up',
    distinctId: 'ann',
    autoProperties: { $title: { stringValue: 'Größe 🌊' } },
    customProperties: {
      event_name: { stringValue: 'Sign Up' },
      plan: { stringValue: 'pro' },
      price: { doubleValue: 9.5 },
      seats: { intValue: '3' },
      isNew: { boolValue: false },
      on: { stringValue: '2026-03-01T10:00:00Z' },
      list: { stringValue: '[1,"a"]' },
    },
  })
  // Another event has none of it.
  expect(parse(read({ ...VIEW, event_id: VIEW.visit_id }, context)).customProperties).toEqual({})
})

test('the data of a visitor is traits where the visitor has an id', () => {
  const row = { session_id: 's', data_key: 'plan', data_type: '1', string_value: 'pro' }
  expect(read({ ...row, distinct_id: 'ann' }).identify).toEqual({
    externalId: 'ann',
    traits: { plan: 'pro' },
  })
  expect(read({ ...row, distinct_id: '' })).toEqual({
    event: undefined,
    identify: undefined,
    propertiesDropped: 1,
  })
})

test('the speed of a page is web vitals', () => {
  const event = parse(read({ ...VIEW, event_type: '5', lcp: '1200.5', cls: '0.01', inp: '\\N' }))
  expect(event).toMatchObject({
    kind: 'web_vitals',
    customProperties: { lcp: { doubleValue: 1200.5 }, cls: { doubleValue: 0.01 } },
  })
  expect(event.customProperties).not.toHaveProperty('inp')
})

test('a dump of a database of one’s own is read too', () => {
  const { region: _, visit_id: __, ...others } = VIEW
  const dumped = {
    ...others,
    subdivision1: 'DE-HH',
    subdivision2: '\\N',
    created_at: '2026-03-01 11:00:00.123+01',
    referrer_domain: '\\N',
    referrer_path: '/home',
    referrer_query: '',
  }
  expect(parse(read(dumped))).toMatchObject({
    occurTime: '2026-03-01T10:00:00.123Z',
    sessionId: deviceSessionId(VIEW.session_id, Date.UTC(2026, 2, 1, 10)),
    autoProperties: {
      $region: { stringValue: 'DE-HH' },
      $referrer: { stringValue: 'https://shop.example/home' },
    },
  })
})

test.each([
  [{ ...VIEW, created_at: 'yesterday' }, 'the event has no valid time'],
  [{ ...VIEW, created_at: '' }, 'the row has no created_at'],
  [{ ...VIEW, event_id: '' }, 'the row has no event_id'],
  [{ ...VIEW, event_type: '2' }, 'the event has no event_name'],
  [{ ...VIEW, event_type: '3' }, 'the event_type 3 is unknown'],
  [{ ...VIEW, distinct_id: 'cookieless-a' }, 'begins with cookieless-'],
  [{ ...VIEW, url_path: 'x'.repeat(10), session_id: '' }, 'the row has no session_id'],
])('a row without what an event needs is rejected with the reason (%#)', (row, reason) => {
  expect(() => read(row)).toThrow(reason)
})

test('the data of events outside of an archive is rejected, as its events are not at hand', () => {
  const row = { event_id: 'e', session_id: 's', data_key: 'plan', data_type: '1', string_value: 'pro' }
  expect(() => read(row, newMapContext(), '')).toThrow('the archive that contains website_event.csv')
})

test('too much data of events is refused with a remedy', () => {
  const data = new UmamiData()
  const value = 'x'.repeat(4 * 1024 * 1024)
  const fill = (): void => {
    for (let event = 0; event < 100; event++) data.add(`e-${event}`, 'text', value)
  }
  expect(fill).toThrow('export shorter periods')
})

test('names of the prototype are names like any other', () => {
  const context = newMapContext()
  for (const data_key of ['__proto__', 'constructor'])
    read({ event_id: '__proto__', session_id: 's', data_key, data_type: '1', string_value: 'x' }, context)
  const event = read({ ...VIEW, event_id: '__proto__', browser: 'constructor', os: 'toString' }, context)
  expect(Object.entries(parse(event).customProperties as object)).toEqual([
    ['__proto__', { stringValue: 'x' }],
    ['constructor', { stringValue: 'x' }],
  ])
  expect(parse(event).autoProperties).toMatchObject({
    $browser: { stringValue: 'constructor' },
    $os: { stringValue: 'toString' },
  })
})

test.each([
  HEADER,
  `\ufeff${HEADER}\r\n`.slice(1),
  'website_id,session_id,event_id,url_path,event_name,data_key,string_value,number_value,date_value,data_type,created_at,job_id',
  '"website_id","session_id","data_key","string_value","number_value","date_value","data_type","distinct_id","created_at","job_id"',
])('a file of an export is detected by its header (%#)', (header) => {
  expect(detectFormat(header)).toBe('umami')
})

function read(row: object, context: MapContext = newMapContext(), entry = 'export/data.csv'): Imported {
  return mapRecord({ format: 'umami', entry, line: 2, text: '', row: { ...row } }, context)
}

function parse({ event }: Imported): Record<string, unknown> {
  return JSON.parse(event ?? '{}')
}

test('an event without a visit belongs to a session of its visitor', () => {
  expect(parse(read({ ...VIEW, visit_id: '\\N' })).sessionId).not.toBe(NO_SESSION)
})
