import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/profile.ts'
import { NO_SESSION } from '../../../contract/ids.ts'
import { canonicalJson, eventIdOf, eventIdOfContent, sessionIdOf } from './foreign-ids.ts'
import { isObject } from './foreign-value.ts'

/** JSON of a copy whose members are in order. */
function canonicalSlowly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalSlowly).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value ?? null)
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalSlowly(value[name])}`).join(',')}}`
}

test('the JSON of which ids are made depends on neither the order of names nor how it is written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\u001f', '\u007f', '\u2028', '\ud800', '\u{10000}', 'é', '10', '__proto__'),
  )
  const value = fc.anything({ key: text, values: [text, fc.double(), fc.boolean(), fc.constant(null)] })
  fc.assert(
    fc.property(value, (sent) => {
      const json = JSON.stringify(sent) ?? 'null'
      expect(canonicalJson(JSON.parse(json))).toBe(canonicalSlowly(JSON.parse(json)))
    }),
    { numRuns: propertyRuns(1000) },
  )
  expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: 'é"' })).toBe(
    '{"a":"é\\"","b":[1,{"c":null,"d":"x"}]}',
  )
})

const UUID = '0198A0C0-0000-7000-8000-00000000000A'
const V5 = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

test('an id of an event that is a UUID is kept, and any other gives the same UUID each time', () => {
  expect(eventIdOf('segment', UUID)).toBe(UUID.toLowerCase())
  const derived = eventIdOf('segment', 'node-next-1')
  expect(derived).toMatch(V5)
  expect(eventIdOf('segment', 'node-next-1')).toBe(derived)
  const others = [
    eventIdOf('segment', 'node-next-2'),
    eventIdOf('mixpanel', 'node-next-1'),
    eventIdOfContent('segment', 'node-next-1'),
  ]
  expect(new Set([derived, ...others]).size).toBe(4)
})

test('an event without an id has the one of its content', () => {
  const id = eventIdOfContent('posthog', { event: 'step', timestamp: 1 })
  expect(eventIdOfContent('posthog', { timestamp: 1, event: 'step' })).toBe(id)
  expect(eventIdOfContent('posthog', { event: 'step', timestamp: 2 })).not.toBe(id)
  expect(eventIdOfContent('ga4', { event: 'step', timestamp: 1 })).not.toBe(id)
})

test('a session is that of its vendor, its device and its id', () => {
  expect(sessionIdOf('posthog', undefined, 'd1')).toBe(NO_SESSION)
  expect(sessionIdOf('posthog', UUID, 'd1')).toBe(UUID.toLowerCase())
  const session = sessionIdOf('amplitude', '1', 'd1')
  expect(session).toMatch(V5)
  expect(sessionIdOf('amplitude', '1', 'd1')).toBe(session)
  const others = [
    sessionIdOf('amplitude', '1', 'd2'),
    sessionIdOf('amplitude', '2', 'd1'),
    sessionIdOf('ga4', '1', 'd1'),
  ]
  expect(new Set([session, ...others]).size).toBe(4)
})
