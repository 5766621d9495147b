import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { StructSchema } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchCreateRequestSchema } from '../contract/gen/sdk/events/v1/events_service_pb.js'
import { GetDeletionRequestResponseSchema } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { checkProtoJson, isDurationText, isTimeText } from './check-proto-json.ts'

function checkEvent(event: JsonValue): string | undefined {
  return checkProtoJson(BatchCreateRequestSchema, { events: [{}, event] })?.field
}

const withInt = (value: JsonValue): JsonValue => ({ customProperties: { a: { intValue: value } } })

test.each<[string, JsonValue]>([
  ['nothing', {}],
  ['null', { occurTime: null, customProperties: null }],
  ['a leap day', { occurTime: '2024-02-29T23:59:59.123456789Z' }],
  ['an offset', { occur_time: '2024-12-31T00:00:00+05:30' }],
  ['an unknown field', { nobody: '\ud800', knows: { occurTime: 'x' } }],
  ['a safe integer', withInt(Number.MAX_SAFE_INTEGER)],
  ['an int64 as text', withInt('-9223372036854775808')],
  ['a wrong type', { occurTime: 5, customProperties: [], kind: {} }],
])('%s is left to the library', (_name, event) => {
  expect(checkEvent(event)).toBeUndefined()
})

test.each<[string, JsonValue, string]>([
  ['30 February', { occurTime: '2024-02-30T00:00:00Z' }, 'events[1].occurTime'],
  ['29 February of a common year', { occur_time: '2100-02-29T00:00:00Z' }, 'events[1].occurTime'],
  ['24 hours', { occurTime: '2024-02-03T24:00:00Z' }, 'events[1].occurTime'],
  ['a time without a zone', { occurTime: '2024-02-03T04:00:00' }, 'events[1].occurTime'],
  ['a hexadecimal integer', withInt('0x10'), 'events[1].customProperties.a.intValue'],
  ['a padded integer', withInt(' 1'), 'events[1].customProperties.a.intValue'],
  ['an unsafe integer', withInt(2 ** 53), 'events[1].customProperties.a.intValue'],
  ['a fraction', withInt(1.5), 'events[1].customProperties.a.intValue'],
  ['a lone surrogate', { kind: '\ud800' }, 'events[1].kind'],
  ['a lone surrogate in a key', { customProperties: { '\udc00': {} } }, 'events[1].customProperties.\udc00'],
  [
    'a hexadecimal double',
    { customProperties: { a: { doubleValue: '0x1' } } },
    'events[1].customProperties.a.doubleValue',
  ],
])('%s is a violation', (_name, event, field) => {
  expect(checkEvent(event)).toBe(field)
})

test('an enum accepts only its names and numbers', () => {
  const check = (status: JsonValue) => checkProtoJson(GetDeletionRequestResponseSchema, { status })?.field
  expect(check('COMPLIANCE_REQUEST_STATUS_PENDING')).toBeUndefined()
  expect(check(2)).toBeUndefined()
  expect(check('PENDING')).toBe('status')
})

test('free JSON has a depth limit and no lone surrogates', () => {
  let deep: JsonValue = 1
  for (let depth = 0; depth < 200; depth++) deep = [deep]
  expect(checkProtoJson(StructSchema, { deep })?.description).toBe('is nested too deeply')
  expect(checkProtoJson(StructSchema, { a: [1, { b: '\ud800' }] })?.field).toBe('a[1].b')
})

test('no JSON makes the check throw, and JSON that the library accepts strictly passes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      expect(() => checkProtoJson(BatchCreateRequestSchema, { events: json } as JsonValue)).not.toThrow()
    }),
  )
})

test('every real time passes', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      expect(isTimeText(text)).toBe(true)
      expect(() => fromJson(BatchCreateRequestSchema, { events: [{ occurTime: text }] })).not.toThrow()
    }),
  )
})

test.each([
  ['1s', true],
  ['-0.5s', true],
  ['1.123456789s', true],
  ['1.1234567891s', false],
  ['1.5sx', false],
  ['1', false],
  ['.5s', false],
])('%s is a duration: %s', (text, isDuration) => {
  expect(isDurationText(text)).toBe(isDuration)
})
