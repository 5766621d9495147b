import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { oddMessages } from '../../test/harness/odd-messages.ts'
import { GetFilterSchemaRequestSchema } from '../contract/gen/common/v1/filter_schema_pb.js'
import { DashboardsServiceUpsertRequestSchema } from '../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { SignInWithEmailRequestSchema } from '../contract/gen/public/auth/v1/auth_service_pb.js'
import { BatchCreateRequestSchema } from '../contract/gen/sdk/events/v1/events_service_pb.js'
import { IdentifyRequestSchema } from '../contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { QueryRequestSchema } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { findBinaryExcess } from './binary-bounds.ts'
import { findJsonExcess } from './json-bounds.ts'
import { type MessageBounds, messageBytesMaxOf } from './message-bounds.ts'

const BOUNDS: MessageBounds = { depthMax: 5, objectsMax: 10, elementsMax: 20, textBytesMax: 30 }
const UNBOUND: MessageBounds = { depthMax: 99, objectsMax: 1e6, elementsMax: 1e6, textBytesMax: 1e6 }

const DEEP = /^is nested too deeply: 5/
const OBJECTS = /^has too many objects: 10/
const ELEMENTS = /^has too many elements: 20/
const LONG = /^has a text or number that is too long: 30/
const MALFORMED = /^is not valid protobuf/

describe('in JSON', () => {
  test.each([
    ['the maximum depth', `{"a":${'['.repeat(4)}${']'.repeat(4)}}`],
    ['brackets in a text', `{"a":"${'['.repeat(15)}\\"${'{'.repeat(10)}"}`],
    ['an escaped backslash before a quote', '{"a":"\\\\","b":[1]}'],
    ['the maximum number of items', `[${'0,'.repeat(19)}0]`],
    ['the longest text', `"${'a'.repeat(30)}"`],
    ['nothing', ''],
    ['a text without an end', `{"a":"${'['.repeat(20)}`],
    ['a backslash at the end', '"\\'],
  ])('%s passes', (_name, json) => {
    expect(findJsonExcess(Buffer.from(json), BOUNDS)).toBeUndefined()
  })

  test('the length of a text is its bytes, at any offset and with any characters', () => {
    const character = fc.constantFrom('a', '"', '\\', '\n', '\u{10000}', '\u00e9', '[', '\0')
    const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''))
    fc.assert(
      fc.property(text, fc.nat(5), (value, blanks) => {
        const json = Buffer.from(`${' '.repeat(blanks)}[${JSON.stringify(value)},[[[[[`)
        const textBytes = Buffer.byteLength(JSON.stringify(value)) - 2
        const excess = findJsonExcess(json, BOUNDS)
        expect(excess).toMatch(textBytes > BOUNDS.textBytesMax ? LONG : DEEP)
      }),
    )
  })

  test.each([
    ['deep lists', '['.repeat(6), DEEP],
    ['deep objects', '{"a":'.repeat(6), DEEP],
    ['depth behind a text with escapes', `["\\\\\\"",${'['.repeat(6)}`, DEEP],
    ['many objects', '{}'.repeat(11), OBJECTS],
    ['many items', `[${'0,'.repeat(25)}0]`, ELEMENTS],
    ['many empty lists', `[${'[],'.repeat(20)}0]`, ELEMENTS],
    ['a long text', `{"a":"${'a'.repeat(31)}"}`, LONG],
    ['a long name', `{"${'a'.repeat(31)}":1}`, LONG],
    ['a long number', `[${'9'.repeat(31)}]`, LONG],
    ['a long text without an end', `"${'a'.repeat(31)}`, LONG],
  ])('%s are refused', (_name, json, words) => {
    expect(findJsonExcess(Buffer.from(json), BOUNDS)).toMatch(words)
  })

  test('whitespace does not change the depth', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (json) => {
        const levels = depthOf(json)
        const depth = (depthMax: number) =>
          findJsonExcess(Buffer.from(JSON.stringify(json, null, 1)), { ...UNBOUND, depthMax })
        expect(depth(levels)).toBeUndefined()
        if (levels > 0) expect(depth(levels - 1)).toMatch(/nested/)
      }),
    )
  })
})

describe('in protobuf', () => {
  test.each<[string, DescMessage, string, RegExp]>([
    ['unknown fields', SignInWithEmailRequestSchema, '7801'.repeat(10), OBJECTS],
    ['empty messages', BatchCreateRequestSchema, '0a00'.repeat(10), OBJECTS],
    ['items of a list', GetFilterSchemaRequestSchema, '1001'.repeat(21), ELEMENTS],
    ['packed items', GetFilterSchemaRequestSchema, `1215${'01'.repeat(21)}`, ELEMENTS],
    ['unknown groups', SignInWithEmailRequestSchema, `${'7b'.repeat(5)}${'7c'.repeat(5)}`, DEEP],
    ['fields of an unknown group', SignInWithEmailRequestSchema, `7b${'0801'.repeat(21)}7c`, ELEMENTS],
    ['a long text', SignInWithEmailRequestSchema, `0a1f${'61'.repeat(31)}`, LONG],
    ['a long unknown text', SignInWithEmailRequestSchema, `7a1f${'61'.repeat(31)}`, LONG],
  ])('%s are refused', (_name, schema, hex, words) => {
    expect(findBinaryExcess(schema, Buffer.from(hex, 'hex'), BOUNDS)).toMatch(words)
  })

  test('nested values of a Struct are rejected beyond a depth', () => {
    const bytes = toBinary(
      IdentifyRequestSchema,
      create(IdentifyRequestSchema, { traits: { a: nestLists(4) } }),
    )
    // The request, its traits, a value, and two for each list but the last.
    expect(findBinaryExcess(IdentifyRequestSchema, bytes, { ...UNBOUND, depthMax: 10 })).toBeUndefined()
    expect(findBinaryExcess(IdentifyRequestSchema, bytes, { ...UNBOUND, depthMax: 9 })).toMatch(/nested/)
  })

  test.each([
    ['a text that is a varint', '0801'],
    ['a text that goes on after the end', '0a05'],
    ['a length beyond 32 bits', '0a818080801000'],
    ['a field number of zero', '0001'],
    ['a group that does not end', '7b'],
    ['a group that another ends', '7b74'],
    ['the end of a group that did not begin', '7c'],
    ['a varint without an end', `78${'ff'.repeat(10)}`],
    ['a wire type that does not exist', '7f'],
  ])('%s is malformed', (_name, hex) => {
    expect(findBinaryExcess(SignInWithEmailRequestSchema, Buffer.from(hex, 'hex'), BOUNDS)).toMatch(MALFORMED)
  })

  test.each([
    QueryRequestSchema,
    IdentifyRequestSchema,
    BatchCreateRequestSchema,
    DashboardsServiceUpsertRequestSchema,
  ])('every $typeName that the library encodes passes, in binary and in JSON', (schema) => {
    fc.assert(
      fc.property(oddMessages(schema, ['known']), (json) => {
        const message = readOdd(schema, json)
        fc.pre(message !== undefined)
        const bytes = toBinary(schema, message ?? create(schema))
        expect(findBinaryExcess(schema, bytes, UNBOUND)).toBeUndefined()
        expect(findJsonExcess(Buffer.from(JSON.stringify(json)), UNBOUND)).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  test('bytes that pass never make the library report malformed data', () => {
    const packed = toBinary(
      QueryRequestSchema,
      create(QueryRequestSchema, { timezone: 'UTC', granularity: 3 }),
    )
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Uint8Array.from(packed)
        bytes[at] = byte
        if (findBinaryExcess(QueryRequestSchema, bytes, UNBOUND) !== undefined) return
        expect(() => fromBinary(QueryRequestSchema, bytes)).not.toThrow(/wire|offset|range/i)
      }),
    )
  })
})

test.each([
  ['/public.auth.v1.AuthService/SignInWithEmail', 65_536],
  ['/console/session/SignInWithEmail', 65_536],
  ['/grpc.health.v1.Health/Check', 65_536],
  ['/shared.insights.v1.InsightsService/Query', 8_000_000],
  ['/mcp', 8_000_000],
])('%s takes %i bytes', (path, bytesMax) => {
  expect(messageBytesMaxOf(path, 8_000_000)).toBe(bytesMax)
  expect(messageBytesMaxOf(path, 1000)).toBe(1000)
})

/** Some odd messages are none: `undefined`. */
function readOdd<Desc extends DescMessage>(schema: Desc, json: unknown): MessageShape<Desc> | undefined {
  try {
    return fromJson(schema, json as JsonValue)
  } catch {
    return undefined
  }
}

function nestLists(depth: number): [] {
  let value: unknown[] = []
  for (let level = 1; level < depth; level++) value = [value]
  return value as []
}

function depthOf(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 0
  return 1 + Math.max(0, ...Object.values(json).map(depthOf))
}
