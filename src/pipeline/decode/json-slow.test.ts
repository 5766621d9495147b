import { expect, test } from 'vitest'
import { decodeBatchJsonSlow } from './json-slow.ts'

const ID = '01930000-0000-7000-8000-00000000000a'
const valid = {
  eventId: ID,
  kind: 'page_view',
  occurTime: '2026-01-02T03:04:05.678Z',
  distinctId: 'anon-1',
  sessionId: ID,
}

function decode(body: unknown): ReturnType<typeof decodeBatchJsonSlow> {
  return decodeBatchJsonSlow(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

const withProperty = (value: unknown): object => ({ events: [{ ...valid, customProperties: { k: value } }] })

test('both namings, null as absent and unknown fields are accepted', () => {
  const event = {
    event_id: ID.toUpperCase(),
    kind: 'a.b-c_9',
    occur_time: '2026-01-02T03:04:05+01:00',
    distinct_id: 'x',
    session_id: ID,
    cookieless: null,
    custom_properties: { k: { string_value: 'v', later: { added: [1] } } },
    autoProperties: null,
    added: 1,
  }
  expect(decode({ events: [event], added: {} })).toEqual([
    {
      eventId: ID,
      kind: 'a.b-c_9',
      timeMs: Date.UTC(2026, 0, 2, 2, 4, 5),
      distinctId: 'x',
      sessionId: ID,
      cookieless: false,
      properties: [{ key: 'k', value: { type: 'string', value: 'v' } }],
    },
  ])
})

test.each([{}, { events: null }, { events: [] }])('%j has no events', (body) => {
  expect(decode(body)).toEqual([])
})

test('server-owned properties are dropped', () => {
  const autoProperties = {
    $ip: { stringValue: '1' },
    $bot_score: { intValue: 1 },
    $verified_bot: { boolValue: true },
  }
  expect(decode({ events: [{ ...valid, autoProperties }] })[0]?.properties).toEqual([])
})

test.each([
  [{ stringValue: '𝒳'.repeat(1024) }, { type: 'string', value: '𝒳'.repeat(1024) }],
  [{ intValue: '9223372036854775807' }, { type: 'int', value: 9223372036854775807n }],
  [{ intValue: -9007199254740991 }, { type: 'int', value: -9007199254740991n }],
  [{ intValue: '-0' }, { type: 'int', value: 0n }],
  [{ doubleValue: '1.5e3' }, { type: 'double', value: 1500 }],
  [{ boolValue: false }, { type: 'bool', value: false }],
  [{ timestampValue: '1970-01-01T00:00:00.9999Z' }, { type: 'time', value: 999 }],
])('a property value of each type is accepted: %#', (value, decoded) => {
  expect(decode(withProperty(value))[0]?.properties[0]?.value).toEqual(decoded)
})

const refusals: [body: unknown, field: string, words: string][] = [
  ['{', '', 'valid JSON'],
  ['[]', '', 'an object'],
  [{ events: {} }, 'events', 'an array'],
  [{ events: new Array(1001).fill(valid) }, 'events', 'at most 1000'],
  [{ events: [valid, 7] }, 'events[1]', 'an object'],
  [{ events: [{ ...valid, eventId: ID.replaceAll('-', '') }] }, 'events[0].eventId', 'a UUID'],
  [{ events: [{ ...valid, eventId: 7 }] }, 'events[0].eventId', 'a string'],
  [{ events: [{ ...valid, kind: '' }] }, 'events[0].kind', 'required'],
  [{ events: [{ ...valid, kind: 'a b' }] }, 'events[0].kind', 'match'],
  [{ events: [{ ...valid, kind: 'service.x' }] }, 'events[0].kind', 'reserved'],
  [{ events: [{ ...valid, distinctId: '' }] }, 'events[0].distinctId', 'required'],
  [{ events: [{ ...valid, distinctId: 'cookieless-x' }] }, 'events[0].distinctId', 'cookieless-'],
  [{ events: [{ ...valid, distinctId: '\ud800' }] }, 'events[0].distinctId', 'Unicode'],
  [{ events: [{ ...valid, sessionId: undefined }] }, 'events[0].sessionId', 'a UUID'],
  [{ events: [{ ...valid, occurTime: undefined }] }, 'events[0].occurTime', 'required'],
  [{ events: [{ ...valid, occurTime: '2026-02-30T00:00:00Z' }] }, 'events[0].occurTime', 'RFC 3339'],
  [{ events: [{ ...valid, occurTime: '1969-12-31T23:59:59Z' }] }, 'events[0].occurTime', '1970'],
  [{ events: [{ ...valid, occurTime: '2106-01-01T00:00:00Z' }] }, 'events[0].occurTime', '2105'],
  [
    { events: [{ ...valid, customProperties: { $k: { intValue: 1 } } }] },
    'events[0].customProperties',
    'not have keys',
  ],
  [
    { events: [{ ...valid, autoProperties: { k: { intValue: 1 } } }] },
    'events[0].autoProperties',
    'start with $',
  ],
  [withProperty('v'), 'events[0].customProperties["k"]', 'an object'],
  [withProperty({}), 'events[0].customProperties["k"]', 'exactly one'],
  [withProperty({ stringValue: 'a', intValue: 1 }), 'events[0].customProperties["k"]', 'exactly one'],
  [withProperty({ stringValue: 'a'.repeat(1025) }), 'events[0].customProperties["k"]', '1024'],
  [withProperty({ intValue: 9007199254740992 }), 'events[0].customProperties["k"]', 'an integer'],
  [withProperty({ intValue: '0x10' }), 'events[0].customProperties["k"]', 'an integer'],
  [withProperty({ intValue: '9223372036854775808' }), 'events[0].customProperties["k"]', '64-bit'],
  [withProperty({ doubleValue: 'NaN' }), 'events[0].customProperties["k"]', 'finite'],
  [withProperty({ doubleValue: 'Infinity' }), 'events[0].customProperties["k"]', 'finite'],
  [withProperty({ boolValue: 'true' }), 'events[0].customProperties["k"]', 'true or false'],
  [withProperty({ timestampValue: 'yesterday' }), 'events[0].customProperties["k"]', 'RFC 3339'],
]

test.each(refusals.map(([body, field, words]) => ({ body, field, words })))(
  '$field: $words',
  ({ body, field, words }) => {
    expect(() => decode(body)).toThrowError(
      expect.objectContaining({ violation: { field, description: expect.stringContaining(words) } }),
    )
  },
)

test('more than 256 properties in both maps together are rejected', () => {
  const properties = (prefix: string, count: number): object =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${prefix}${index}`, { intValue: index }]),
    )
  const event = { ...valid, autoProperties: properties('$', 128), customProperties: properties('', 128) }
  expect(decode({ events: [event] })[0]?.properties).toHaveLength(256)
  const over = { ...event, customProperties: properties('', 129) }
  expect(() => decode({ events: [over] })).toThrow('at most 256')
})

test('invalid UTF-8 is rejected', () => {
  expect(() => decodeBatchJsonSlow(Buffer.from([0x22, 0xff, 0x22]))).toThrow('UTF-8')
})
