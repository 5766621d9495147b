import { create, toBinary, toJsonString } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventsBlockBuilder } from '../../../test/harness/native-twin/events-block.ts'
import { propertyRuns } from '../../../test/harness/profile.ts'
import { PropertyValueSchema } from '../../contract/gen/common/v1/property_pb.js'
import { EventSchema } from '../../contract/gen/sdk/events/v1/event_pb.js'
import { BatchCreateRequestSchema } from '../../contract/gen/sdk/events/v1/events_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { EventColumns } from '../encode/event-columns.ts'
import { toNativeBlocks } from '../encode/stored-block.ts'
import type { Event } from '../event/event.ts'
import { BinaryScanner } from './binary-scanner.ts'
import { decodeBatchBinarySlow } from './binary-slow.ts'
import { type DecodeVerdict, decodeBinary, decodeJson } from './decode-batch.ts'
import { JsonScanner } from './json-scanner.ts'
import { decodeBatchJsonSlow } from './json-slow.ts'
import { DecodeError } from './sent-event.ts'

const PROJECT = asProjectId(7)
const CONTEXT = { projectId: PROJECT, requestIndex: 3 }
const ID = '01930000-0000-7000-8000-00000000000a'
const COOKIELESS_ID = 'cookieless-0123456789012345678901'

/** A row that was there before: it must survive whatever comes. */
const EARLIER: Event = {
  eventId: ID,
  kind: 'earlier',
  timeMs: 1,
  distinctId: 'ear',
  sessionId: ID,
  cookieless: false,
  properties: [
    { key: '$url', value: { type: 'string', value: 'u' } },
    { key: 'n', value: { type: 'int', value: 1n } },
  ],
}

interface Outcome {
  readonly verdict: DecodeVerdict
  readonly block: string
}

const CODECS = {
  json: {
    decode: decodeJson,
    decodeSlow: decodeBatchJsonSlow,
    scanner: (columns: EventColumns) => new JsonScanner(columns),
  },
  binary: {
    decode: decodeBinary,
    decodeSlow: decodeBatchBinarySlow,
    scanner: (columns: EventColumns) => new BinaryScanner(columns),
  },
}

type Codec = keyof typeof CODECS

/** One object for all cases: what a case leaves behind must not matter to the next. */
const columns = new EventColumns()

function decodeFast(codec: Codec, body: Uint8Array): Outcome {
  columns.addEvent(EARLIER, CONTEXT)
  const verdict = CODECS[codec].decode(body, columns, CONTEXT)
  for (const { row } of columns.pendingIdentities) columns.resolveIdentity(row, COOKIELESS_ID, ID)
  return { verdict, block: Buffer.concat(toNativeBlocks([columns.finish().bytes])).toString('hex') }
}

function decodeSlowly(codec: Codec, body: Uint8Array): Outcome {
  const builder = new EventsBlockBuilder()
  builder.add(PROJECT, EARLIER)
  const verdict = decodeInto(builder, () => CODECS[codec].decodeSlow(body))
  return { verdict, block: builder.finish().bytes.toString('hex') }
}

function decodeInto(builder: EventsBlockBuilder, decode: () => Event[]): DecodeVerdict {
  try {
    const events = decode()
    for (const event of events) {
      const identity = event.cookieless ? { distinctId: COOKIELESS_ID, sessionId: ID } : {}
      builder.add(PROJECT, { ...event, ...identity })
    }
    return { ok: true, eventCount: events.length }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return { ok: false, violation: error.violation, message: error.message }
  }
}

function check(codec: Codec, body: Uint8Array): void {
  expect(decodeFast(codec, body)).toEqual(decodeSlowly(codec, body))
}

/** Whether the scanner alone takes the body. */
function isScanned(codec: Codec, body: Uint8Array): boolean {
  const fresh = new EventColumns()
  fresh.properties.source.load(body)
  return CODECS[codec].scanner(fresh).scan(body.length, CONTEXT) >= 0
}

/**
 * Pieces of batches, of which about one in `sanity` is odd: with few odd ones most batches are accepted, and with many
 * every rule gets its turn.
 */
const SANITIES = [500, 12]

function mostly<T>(sanity: number, usual: fc.Arbitrary<T>, ...odd: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: sanity, arbitrary: usual }, ...odd)
}

const wellFormed = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  texts.map((text) => text.toWellFormed())

const textsOf = (sanity: number): fc.Arbitrary<string> =>
  mostly(
    sanity,
    fc.oneof(
      fc.string({ maxLength: 20 }),
      wellFormed(fc.string({ unit: 'binary', maxLength: 12 })),
      fc.string({
        unit: fc.constantFrom('a', '"', '\\', '/', '\n', '\u0000', 'é', '和', '🎁'),
        maxLength: 8,
      }),
      fc.constantFrom(
        '',
        'x'.repeat(127),
        'x'.repeat(128),
        'x'.repeat(1024),
        'é'.repeat(1024),
        '🎁'.repeat(1024),
      ),
    ),
    fc.constantFrom('\ud800', 'a\udc00b', 'x'.repeat(1025), '🎁'.repeat(1025), 'x'.repeat(5000)),
  )

const keysOf = (sanity: number, map: 'auto' | 'custom'): fc.Arbitrary<string> => {
  const auto = fc.oneof(
    fc.constantFrom(
      '$url',
      '$title',
      '$os',
      '$ip',
      '$bot_score',
      '$verified_bot',
      '$mobile',
      '$',
      '$1',
      '$é',
    ),
    fc.integer({ min: 90, max: 199 }).map((length) => `$${'k'.repeat(length)}`),
  )
  const custom = fc.oneof(
    fc.constantFrom(
      'k',
      'section',
      '02a',
      '7a',
      '__proto__',
      'constructor',
      'toString',
      'é',
      'ab',
      'abc',
      'abcd',
    ),
    fc.constantFrom('a'.repeat(127), 'a'.repeat(128), 'k'.repeat(200), 'é'.repeat(200)),
    wellFormed(fc.string({ minLength: 1, maxLength: 6 })).map((key) => key.replace('$', '-')),
  )
  const odd = fc.constantFrom(
    '',
    '1',
    '02',
    '0',
    '\ud800',
    'k'.repeat(201),
    'é'.repeat(201),
    `$${'k'.repeat(200)}`,
  )
  return map === 'auto' ? mostly(sanity, auto, custom, odd) : mostly(sanity, custom, auto, odd)
}

const timesOf = (sanity: number): fc.Arbitrary<string> =>
  mostly(
    sanity,
    fc.oneof(
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date('2105-12-31') })
        .map((date) => date.toISOString()),
      fc.constantFrom(
        '2026-01-02T03:04:05Z',
        '2026-01-02T03:04:05.1Z',
        '2026-01-02T03:04:05.123456789+01:00',
      ),
      fc.constantFrom('1970-01-01T00:00:00Z', '2105-12-31T23:59:59.999999999Z', '2024-02-29T23:59:59.12Z'),
    ),
    fc.constantFrom(
      '1969-12-31T23:59:59.999Z',
      '2106-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '0050-06-01T00:00:00Z',
    ),
    fc.constantFrom(
      '9999-12-31T23:59:59.999Z',
      '0001-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-00:01',
      '',
      'x',
    ),
    fc.constantFrom(
      '2026-01-02T03:04:05.1234567890Z',
      '2026-01-02t03:04:05z',
      '2026-01-02T24:00:00Z',
      '2026-01-02',
    ),
    fc.constantFrom(
      '2026-02-30T00:00:00Z',
      '2026-01-02T03:04:05.Z',
      '2026-01-02T03:04:5Z',
      '2026-01-02T03:04:05',
    ),
    fc.constantFrom(
      '2026-01-02T03:60:05Z',
      '2026-01-02T03:04:60Z',
      '2026-01-02T03:04:05.1',
      '2026-01-02 03:04:05Z',
    ),
  )

const kindsOf = (sanity: number): fc.Arbitrary<string> =>
  mostly(
    sanity,
    fc.constantFrom(
      'page_view',
      'a.b-c_9',
      'service',
      'servicex',
      'servic.e',
      'a',
      'k'.repeat(127),
      'k'.repeat(200),
    ),
    fc.constantFrom('', 'service.', 'service.x', 'a b', 'é', 'k'.repeat(201), 'a/b'),
  )

const uuidsOf = (sanity: number): fc.Arbitrary<string> =>
  mostly(
    sanity,
    fc.oneof(
      fc.uuid(),
      fc.uuid().map((id) => id.toUpperCase()),
      fc.constant('FfFfFfFf-0000-9999-aAaA-ffffffffffff'),
    ),
    fc.constantFrom(
      '',
      ID.replaceAll('-', ''),
      `${ID}0`,
      ID.slice(1),
      ID.replace('7', 'g'),
      `{${ID}}`,
      ID.replace('-', '0'),
    ),
  )

const distinctIdsOf = (sanity: number): fc.Arbitrary<string> =>
  mostly(
    sanity,
    fc.constantFrom(
      'anon-1',
      'ü',
      '🎁'.repeat(1024),
      'x'.repeat(1024),
      'cookieless',
      'cookielessx',
      'Cookieless-',
    ),
    fc.constantFrom('', 'cookieless-', 'cookieless-x', 'x'.repeat(1025), '🎁'.repeat(1025), '\udc00'),
  )

const DAMAGES = fc.array(
  fc.record({
    at: fc.nat(),
    byte: fc.oneof({ weight: 9, arbitrary: fc.nat(127) }, fc.nat(255)),
    isInserted: fc.boolean(),
  }),
  {
    minLength: 1,
    maxLength: 3,
  },
)

type Damages = readonly { readonly at: number; readonly byte: number; readonly isInserted: boolean }[]

function damage(body: Uint8Array, damages: Damages): Uint8Array {
  const bytes = [...body]
  for (const { at, byte, isInserted } of damages) {
    bytes.splice(at % (bytes.length + 1), isInserted ? 0 : 1, byte)
  }
  return Uint8Array.from(bytes)
}

describe('json', () => {
  /** A piece of JSON text. */
  const raw = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

  /** The text as JSON, some of its characters escaped in one of the ways there are. */
  const jsonText = (sanity: number, texts: fc.Arbitrary<string>): fc.Arbitrary<string> => {
    const whole = texts.map((text) => JSON.stringify(text))
    const escaped = fc.tuple(texts, fc.nat(30), fc.boolean()).map(([text, at, isUpper]) => {
      const body = Array.from({ length: text.length }, (_, index) => {
        const unit = text.slice(index, index + 1)
        if (index !== at) return unit.isWellFormed() ? JSON.stringify(unit).slice(1, -1) : unit
        const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
        return unit === '/' ? '\\/' : `\\u${isUpper ? hex.toUpperCase() : hex}`
      })
      return `"${body.join('')}"`
    })
    return mostly(sanity, whole, escaped)
  }

  const objectOf = (
    sanity: number,
    entries: fc.Arbitrary<readonly (readonly [string, string])[]>,
  ): fc.Arbitrary<string> =>
    fc.tuple(entries, blanksOf(sanity)).map(([pairs, blank]) => {
      const fields = pairs.map(([name, value]) => `${blank}${name}${blank}:${blank}${value}${blank}`)
      return `{${fields.join(',')}}`
    })
  const blanksOf = (sanity: number): fc.Arbitrary<string> =>
    mostly(sanity, raw('', '', ' ', '\n\t', '\r '), raw(' \f', '\u00a0', '\0'))

  const numbersOf = (sanity: number): fc.Arbitrary<string> =>
    mostly(
      sanity,
      fc.oneof(
        fc.integer().map(String),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
        fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value.toFixed(3)),
        raw(
          '-0',
          '-0.0',
          '1e3',
          '1E-7',
          '0.1234567890123456789',
          '42.0',
          '4.2e1',
          '-1.50',
          '123456789012345678',
        ),
        raw(
          `1${'0'.repeat(30)}`,
          `0.${'3'.repeat(80)}`,
          '999999999999999',
          '1234567.12345678',
          '2e-400',
          '0.5',
        ),
      ),
      raw('1e400', '01', '-01', '1.', '.5', '-', '+1', '0x10', '1.5.2', '1e', 'NaN', '00', '1.5e+', '--1'),
    )
  const integersOf = (sanity: number): fc.Arbitrary<string> =>
    mostly(
      sanity,
      fc.oneof(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => `"${value}"`),
        fc.integer().map((value) => `"${value}"`),
        fc.maxSafeInteger().map(String),
        raw(
          '"-0"',
          '"007"',
          '"123456789012345"',
          '"-123456789012345"',
          '-0',
          '42.0',
          '4.2e1',
          '9007199254740991',
        ),
      ),
      raw(
        '""',
        '"-"',
        '"1.0"',
        '" 1"',
        '"0x1"',
        '"9223372036854775808"',
        '9007199254740992',
        '1.5',
        '"1e3"',
        '"--1"',
      ),
      numbersOf(sanity),
    )
  const odd = raw('null', 'true', '{}', '[]', '"x"', '7', '[[[[{}]]]]')

  const variantOf = (sanity: number, names: readonly [string, string], value: fc.Arbitrary<string>) => {
    const [camel, snake] = names
    const escaped = `"\\u00${camel.charCodeAt(0).toString(16)}${camel.slice(1)}"`
    return fc.tuple(
      mostly(sanity, raw(`"${camel}"`, `"${camel}"`, `"${snake}"`), raw(escaped, '"later"', '""')),
      mostly(sanity, value, odd),
    )
  }
  const propertyMapOf = (sanity: number, map: 'auto' | 'custom'): fc.Arbitrary<string> => {
    const variants = fc.oneof(
      variantOf(sanity, ['stringValue', 'string_value'], jsonText(3, textsOf(sanity))),
      variantOf(sanity, ['intValue', 'int_value'], integersOf(sanity)),
      variantOf(sanity, ['doubleValue', 'double_value'], numbersOf(sanity)),
      variantOf(
        sanity,
        ['boolValue', 'bool_value'],
        mostly(sanity, raw('true', 'false'), raw('tru', 'falsy', 'True')),
      ),
      variantOf(sanity, ['timestampValue', 'timestamp_value'], jsonText(sanity, timesOf(sanity))),
    )
    const value = mostly(
      sanity,
      objectOf(
        sanity,
        variants.map((pair) => [pair]),
      ),
      objectOf(sanity, fc.array(variants, { maxLength: 3 })),
      odd,
    )
    const property = fc.tuple(jsonText(sanity, keysOf(sanity, map)), value)
    const unique = fc.uniqueArray(property, { maxLength: 5, selector: ([key]) => key })
    return mostly(
      sanity,
      objectOf(sanity, unique),
      objectOf(sanity, fc.array(property, { maxLength: 5 })),
      odd,
    )
  }

  const batchOf = (sanity: number): fc.Arbitrary<string> => {
    const named = (camel: string, snake: string) => raw(`"${camel}"`, `"${camel}"`, `"${snake}"`)
    const text = (texts: fc.Arbitrary<string>) => mostly(sanity, jsonText(sanity, texts), odd)
    const eventId = fc.tuple(named('eventId', 'event_id'), text(uuidsOf(sanity)))
    const kind = fc.tuple(raw('"kind"'), text(kindsOf(sanity)))
    const occurTime = fc.tuple(named('occurTime', 'occur_time'), text(timesOf(sanity)))
    const distinctId = fc.tuple(named('distinctId', 'distinct_id'), text(distinctIdsOf(sanity)))
    const sessionId = fc.tuple(named('sessionId', 'session_id'), text(uuidsOf(sanity)))
    const cookieless = fc.tuple(
      raw('"cookieless"'),
      mostly(sanity, raw('true'), raw('null', '"true"', 'false')),
    )
    const auto = fc.tuple(named('autoProperties', 'auto_properties'), propertyMapOf(sanity, 'auto'))
    const custom = fc.tuple(named('customProperties', 'custom_properties'), propertyMapOf(sanity, 'custom'))
    const added = fc.tuple(raw('"added"', '"kinds"', '"autoX"', '"even"'), odd)
    const usual = fc.tuple(eventId, kind, occurTime, distinctId, sessionId, auto, custom)
    const anyField = fc.oneof(
      eventId,
      kind,
      occurTime,
      distinctId,
      sessionId,
      cookieless,
      auto,
      custom,
      added,
    )
    const event = mostly(
      sanity,
      fc.oneof(
        objectOf(sanity, usual),
        objectOf(sanity, fc.tuple(eventId, kind, occurTime, cookieless, custom, auto)),
        objectOf(
          sanity,
          usual.chain((pairs) => fc.shuffledSubarray(pairs, { minLength: 7 })),
        ),
      ),
      objectOf(
        sanity,
        usual.chain((pairs) => fc.shuffledSubarray(pairs, { minLength: 5 })),
      ),
      objectOf(
        sanity,
        fc.tuple(usual, anyField).map(([pairs, more]) => [...pairs, more]),
      ),
      objectOf(sanity, fc.array(anyField, { maxLength: 3 })),
      odd,
    )
    return fc
      .tuple(fc.array(event, { maxLength: 3 }), blanksOf(sanity))
      .map(
        ([events, blank]) =>
          `${blank}{${blank}"events"${blank}:[${events.join(`${blank},`)}${blank}]}${blank}`,
      )
  }

  test.each(SANITIES)('any batch gets one verdict and one block, fast or slow: sanity %i', (sanity) => {
    fc.assert(
      fc.property(batchOf(sanity), (text) => check('json', Buffer.from(text))),
      { numRuns: propertyRuns(700) },
    )
  })

  test('any damage to a batch gets the same verdict from both decoders', () => {
    fc.assert(
      fc.property(batchOf(500), DAMAGES, (text, damages) =>
        check('json', damage(Buffer.from(text), damages)),
      ),
      { numRuns: propertyRuns(700) },
    )
  })

  const event = {
    eventId: ID,
    kind: 'page_view',
    occurTime: '2026-01-02T03:04:05.678Z',
    distinctId: 'anon-1',
    sessionId: ID,
    autoProperties: { $url: { stringValue: 'https://é.example/"q"' }, $os: { stringValue: 'x' } },
    customProperties: {
      i: { intValue: '-42' },
      d: { doubleValue: -1.5 },
      b: { boolValue: true },
      t: { timestampValue: '2026-01-02T03:04:05Z' },
      s: { stringValue: '' },
    },
  }
  const whole = Buffer.from(JSON.stringify({ events: [event, { ...event, kind: 'b' }] }))

  test('a body truncated at any offset gets the error of the slow decoder', () => {
    for (let length = 0; length <= whole.length; length++) check('json', whole.subarray(0, length))
    expect.assertions(whole.length + 1)
  })

  test('a body with a zero or a quote at any offset is judged as the slow decoder judges it', () => {
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [0, 0x22]) {
        const body = Buffer.from(whole)
        body[at] = byte
        check('json', body)
      }
    }
    expect.assertions(whole.length * 2)
  })

  const withCustom = (customProperties: string): string =>
    JSON.stringify({ events: [{ ...event, customProperties: 0 }] }).replace(
      '"customProperties":0',
      `"customProperties":${customProperties}`,
    )
  const keys = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":{"intValue":"1"}`).join(',')}}`

  test.each([
    '{"events":[]}',
    '{"events":[]} x',
    '{"events":[],}',
    `{"events":[${JSON.stringify(event)},]}`,
    `{"events":[,${JSON.stringify(event)}]}`,
    `{"events":[${JSON.stringify(event)} ${JSON.stringify(event)}]}`,
    `{"events":[${JSON.stringify({ ...event, cookieless: false }).replace('false}', 'false,}')}]}`,
    '{}',
    '',
    ' ',
    '\ufeff{"events":[]}',
    '{"events":[]}{"events":[]}',
    '{"events":[],"events":[1]}',
    `${'['.repeat(100_000)}`,
    `{"events":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    withCustom(`{"k":${'{"k":'.repeat(10_000)}1${'}'.repeat(10_000)}}`),
    withCustom('{"k":{"stringValue":"\\ud83c\\udf81 \\uD83C\\uDF81 \\u0000\\b\\f\\n\\r\\t\\/\\\\\\""}}'),
    withCustom('{"k":{"stringValue":"\\ud83c"}}'),
    withCustom('{"k":{"stringValue":"\\udf81\\ud83c"}}'),
    withCustom('{"k":{"stringValue":"\\ud83c\\ud83c"}}'),
    withCustom('{"k":{"stringValue":"\\u00zz"}}'),
    withCustom('{"k":{"stringValue":"\\x41"}}'),
    withCustom('{"k":{"stringValue":"\\u12"}}'),
    withCustom('{"k":{"stringValue":"a\tb"}}'),
    withCustom('{"k":{"stringValue":"\\'),
    withCustom('{"k":{"stringValue":"a","string_value":"b"}}'),
    withCustom('{"k":{"stringValue":null,"string_value":"b"}}'),
    withCustom('{"k":{"string_value":"b","stringValue":"a"}}'),
    withCustom('{"k":{"stringValue":"a"},"k":{"stringValue":"b"}}'),
    withCustom('{"k":{"stringValue":"a"},"\\u006b":{"stringValue":"b"}}'),
    withCustom('{"b":{"intValue":"1"},"10":{"intValue":"1"},"2":{"intValue":"1"},"1":{"boolValue":true}}'),
    withCustom('{"__proto__":{"stringValue":"a"}}'),
    withCustom('{"k":{"boolValue":falsy}}'),
    withCustom('{"k":{"boolValue":fals}}'),
    withCustom('{"k":{"boolValue":true1}}'),
    JSON.stringify({ events: [{ ...event, cookieless: false }] }).replace('false', 'falsy'),
    withCustom('{"k":{"__proto__":{"stringValue":"a"}}}'),
    withCustom(keys(254)),
    withCustom(keys(255)),
  ])('nasty body %# gets the same verdict from both decoders', (text) => {
    check('json', Buffer.from(text))
  })

  const FIELD_NAMES = Object.keys({ ...event, cookieless: false })

  test.each(
    FIELD_NAMES.flatMap((name) => [
      [name, name],
      [name, toSnake(name)],
      [toSnake(name), name],
    ]),
  )('%s and then %s in one event get the same verdict from both decoders', (first, second) => {
    const values = {
      ...event,
      cookieless: false,
      distinctId: 'other',
      kind: 'other',
      eventId: `f${ID.slice(1)}`,
    }
    const value = JSON.stringify(
      Object.entries(values).find(([name]) => toSnake(name) === toSnake(first))?.[1],
    )
    const { [second]: _, ...others }: Record<string, unknown> = { ...event, cookieless: false }
    const rest = JSON.stringify(others).slice(1, -1)
    for (const later of [
      value,
      'null',
      JSON.stringify(Object.entries(event).find(([name]) => name === first)?.[1] ?? false),
    ]) {
      check('json', Buffer.from(`{"events":[{"${first}":${value},${rest},"${second}":${later}}]}`))
      check('json', Buffer.from(`{"events":[{${rest},"${first}":${value},"${second}":${later}}]}`))
    }
    expect.assertions(6)
  })

  const NUMBERS = [
    ...[
      '0',
      '-0',
      '00',
      '01',
      '-01',
      '1',
      '-1',
      '+1',
      '-',
      '--1',
      '1.',
      '.5',
      '-.5',
      '0.5',
      '1.5.2',
      '1..5',
      '1e',
      '1e+',
    ],
    ...[
      '1e3',
      '1E3',
      '1e-3',
      '1.5e+3',
      '1e400',
      '-1e400',
      '2e-400',
      '0x10',
      'NaN',
      'Infinity',
      '1_0',
      '1 0',
      '1a',
      '',
    ],
    ...['9007199254740991', '9007199254740992', '-9007199254740992', '999999999999999', '123456789012345678'],
    ...[
      '0.1234567890123456789',
      '1234567.12345678',
      '12345678901234.5',
      '0.000000000000001',
      '4.35',
      '1.005',
      '0.3',
    ],
    ...['9223372036854775807', '-9223372036854775808', '9223372036854775808', '007', `1${'0'.repeat(308)}`],
    ...[
      `1${'0'.repeat(309)}`,
      `0.${'3'.repeat(70)}`,
      `${'0'.repeat(15)}1`,
      '4294967295',
      '4294967296',
      '-4294967297',
    ],
  ]

  test.each(NUMBERS.flatMap((number) => [number, `"${number}"`]))(
    'the number %s gets one verdict',
    (number) => {
      check('json', Buffer.from(withCustom(`{"k":{"intValue":${number}}}`)))
      check('json', Buffer.from(withCustom(`{"k":{"doubleValue":${number}}}`)))
      check('json', Buffer.from(withCustom(`{"k":{"doubleValue":${number}},"l":{"boolValue":true}}`)))
    },
  )

  const DAY = '2026-01-02'
  const TIMES = [
    ...[
      'T24:00:00Z',
      'T23:60:00Z',
      'T23:59:60Z',
      'T23:59:59Z',
      'T00:00:00Z',
      'T1:00:00Z',
      'T01:00:0Z',
      't01:00:00Z',
    ],
    ...[
      'T01:00:00z',
      'T01:00:00',
      'T01-00:00Z',
      'T01:00-00Z',
      ' 01:00:00Z',
      'T01:00:00.Z',
      'T01:00:00.1Z',
      'Z',
      '',
    ],
    ...[
      'T01:00:00.12Z',
      'T01:00:00.123456789Z',
      'T01:00:00.1234567890Z',
      'T01:00:00.12aZ',
      'T01:00:00,1Z',
      'T',
    ],
    ...[
      'T01:00:00+01:00',
      'T01:00:00-23:59',
      'T01:00:00+24:00',
      'T01:00:00+0100',
      'T01:00:00.5+00:00',
      'T01:00:00ZZ',
    ],
    ...['T0a:00:00Z', 'T01:a0:00Z', 'T01:00:0aZ', 'T01:00:00.1', 'T01:00:00Z ', 'T01:00:00\\u005a'],
  ].map((time) => `${DAY}${time}`)
  const DAYS = [
    ...[
      '2026-02-28',
      '2026-02-29',
      '2024-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '2026-1-01',
    ],
    ...[
      '1970-01-01',
      '1969-12-31',
      '2105-12-31',
      '2106-01-01',
      '0000-01-01',
      '0001-01-01',
      '0099-03-01',
      '9999-12-31',
    ],
    ...['2026/01-01', '2026-01/01', '20260-1-01', '+026-01-01', '10000-01-01'],
  ].map((day) => `${day}T12:00:00Z`)

  test.each([...TIMES, ...DAYS])('the time %s gets the same verdict from both decoders', (time) => {
    const valid = JSON.stringify({ ...event, occurTime: `${DAY}T12:00:00Z` })
    const timed = JSON.stringify({ ...event, occurTime: 0 }).replace('"occurTime":0', `"occurTime":"${time}"`)
    check('json', Buffer.from(`{"events":[${valid},${timed}]}`))
    check('json', Buffer.from(`{"events":[${timed},${valid}]}`))
    check('json', Buffer.from(withCustom(`{"t":{"timestampValue":"${time}"}}`)))
  })

  test.each([1000, 1001])('%i events get the same verdict from both decoders', (count) => {
    check('json', Buffer.from(JSON.stringify({ events: new Array(count).fill(event) })))
  })

  test('invalid UTF-8 at any offset is rejected', () => {
    for (let at = 0; at < whole.length; at++) {
      check('json', Buffer.concat([whole.subarray(0, at), Buffer.of(0xed, 0xa0, 0x80), whole.subarray(at)]))
    }
    expect.assertions(whole.length)
  })

  test('more keys than the capacity of the key table are decoded correctly', () => {
    for (let round = 0; round < 40; round++) {
      const pairs = Array.from({ length: 240 }, (_, index) => [
        `k${round}-${index}`,
        { intValue: `${index}` },
      ])
      check('json', Buffer.from(withCustom(JSON.stringify(Object.fromEntries(pairs)))))
    }
    expect.assertions(40)
  })

  const { customProperties: _, ...plain } = event
  test.each([
    ['compact', JSON.stringify({ events: [event, event] })],
    ['indented', JSON.stringify({ events: [event, event] }, undefined, 2)],
    [
      'custom properties first',
      JSON.stringify({ events: [{ customProperties: event.customProperties, ...plain }] }),
    ],
    ['snake case', JSON.stringify({ events: [event] }).replace(/[a-z]+[A-Z][a-z]+/g, toSnake)],
    ['escaped', withCustom('{"k":{"stringValue":"\\u00e9\\n\\ud83c\\udf81"}}')],
    ['odd numbers', withCustom('{"k":{"doubleValue":1.7976931348623157e308},"l":{"intValue":4.2e1}}')],
    ['256 keys', withCustom(keys(254))],
    [
      'cookieless',
      JSON.stringify({
        events: [{ ...plain, distinctId: undefined, sessionId: undefined, cookieless: true }],
      }),
    ],
  ])('%s is scanned in one pass', (_, text) => {
    expect(isScanned('json', Buffer.from(text))).toBe(true)
    check('json', Buffer.from(text))
  })
})

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

describe('binary', () => {
  type Field = (writer: BinaryWriter) => BinaryWriter
  const encode = (fields: readonly Field[]): Uint8Array =>
    fields.reduce((writer, write) => write(writer), new BinaryWriter()).finish()
  const bytesField =
    (number: number, bytes: Uint8Array): Field =>
    (writer) =>
      writer.tag(number, WireType.LengthDelimited).bytes(bytes)
  const utf8 = (text: string): Uint8Array => Buffer.from(text)
  const textField = (sanity: number, number: number, texts: fc.Arbitrary<string>): fc.Arbitrary<Field> =>
    mostly(
      sanity,
      texts.map((text) => bytesField(number, utf8(text))),
      fc.uint8Array({ maxLength: 5 }).map((bytes) => bytesField(number, bytes)),
    )
  const messageField = (number: number, fields: fc.Arbitrary<readonly Field[]>): fc.Arbitrary<Field> =>
    fields.map((inner) => bytesField(number, encode(inner)))

  /** Varints as short as they can be, and longer. */
  const varints = fc.oneof(
    fc.constantFrom([0], [1], [2], [0x80, 0x00], [0x81, 0x80, 0x00], [0xff, 0x7f], [0xff, 0xff, 0x7f]),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((value) => [...encode([(w) => w.int64(value)])]),
    fc.constant(new Array<number>(9).fill(0xff).concat(0x7f)),
    fc.constant(new Array<number>(10).fill(0xff).concat(0x01)),
  )
  const varintField = (
    number: number,
    values: fc.Arbitrary<readonly number[]> = varints,
  ): fc.Arbitrary<Field> =>
    values.map((bytes) => (writer) => writer.tag(number, WireType.Varint).raw(Uint8Array.from(bytes)))
  const int64s = (values: fc.Arbitrary<number>): fc.Arbitrary<readonly number[]> =>
    values.map((value) => [...encode([(writer) => writer.int64(value)])])

  const unknown: fc.Arbitrary<Field> = fc.oneof(
    varintField(9),
    varintField(2000),
    fc.constant<Field>((writer) => writer.tag(10, WireType.Bit64).double(1)),
    fc.constant<Field>((writer) => writer.tag(11, WireType.Bit32).fixed32(1)),
    fc.constant<Field>(bytesField(12, utf8('later'))),
    fc.integer({ min: 1, max: 102 }).map((depth) => groups(depth)),
    fc.constant<Field>((writer) => writer.tag(13, WireType.StartGroup).tag(14, WireType.EndGroup)),
    fc.constant<Field>((writer) => writer.tag(13, WireType.EndGroup)),
  )
  function groups(depth: number): Field {
    return (writer) => {
      for (let level = 0; level < depth; level++) writer.tag(13, WireType.StartGroup)
      writer.tag(3, WireType.Varint).bool(true)
      for (let level = 0; level < depth; level++) writer.tag(13, WireType.EndGroup)
      return writer
    }
  }
  const wrongType: fc.Arbitrary<Field> = fc
    .integer({ min: 1, max: 8 })
    .map((number) => (writer) => writer.tag(number, WireType.Bit32).fixed32(7))

  const timestampOf = (sanity: number) => {
    const seconds = varintField(1, int64s(fc.integer({ min: 0, max: 4_291_747_199 })))
    const nanos = varintField(2, int64s(fc.integer({ min: 0, max: 999_999_999 })))
    const extreme = fc.constantFrom(-62135596800, -62135596801, 253402300799, 253402300800, -1, 4_291_747_200)
    return mostly<readonly Field[]>(
      sanity,
      fc.oneof(fc.tuple(seconds, nanos), fc.tuple(seconds), fc.tuple(nanos), fc.constant([])),
      fc.array(fc.oneof(varintField(1), varintField(2), seconds, nanos, unknown), { maxLength: 3 }),
      fc.tuple(varintField(1, int64s(extreme))),
      fc.tuple(seconds, varintField(2, int64s(fc.constantFrom(-1, 1_000_000_000)))),
    )
  }
  const variantOf = (sanity: number) => {
    const doubles = mostly(sanity, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double())
    const variants = fc.oneof(
      textField(sanity, 1, wellFormed(textsOf(sanity))),
      varintField(2),
      doubles.map(
        (value): Field =>
          (writer) =>
            writer.tag(3, WireType.Bit64).double(value),
      ),
      varintField(4, fc.constantFrom([0], [1], [2], [0x80, 0x01])),
      messageField(5, timestampOf(sanity)),
    )
    return mostly<readonly Field[]>(
      sanity,
      fc.tuple(variants),
      fc.array(fc.oneof(variants, unknown, wrongType), { maxLength: 3 }),
    )
  }
  const entryOf = (sanity: number, map: 'auto' | 'custom') => {
    const key = textField(sanity, 1, wellFormed(keysOf(sanity, map)))
    const value = messageField(2, variantOf(sanity))
    return messageField(
      map === 'auto' ? 2 : 3,
      mostly<readonly Field[]>(
        sanity,
        fc.tuple(key, value),
        fc.array(fc.oneof(key, value, unknown, wrongType), { maxLength: 4 }),
      ),
    )
  }
  const batchOf = (sanity: number): fc.Arbitrary<Uint8Array> => {
    const eventId = textField(sanity, 1, uuidsOf(sanity))
    const distinctId = textField(sanity, 4, wellFormed(distinctIdsOf(sanity)))
    const kind = textField(sanity, 5, kindsOf(sanity))
    const occurTime = messageField(6, timestampOf(sanity))
    const sessionId = textField(sanity, 7, uuidsOf(sanity))
    const cookieless = varintField(8, fc.constantFrom([1], [1], [3], [0x80, 0x01]))
    const properties = fc.array(fc.oneof(entryOf(sanity, 'auto'), entryOf(sanity, 'custom')), {
      maxLength: 5,
    })
    const identified = fc.tuple(eventId, kind, occurTime, distinctId, sessionId)
    const usual = fc
      .tuple(
        fc.oneof<fc.Arbitrary<readonly Field[]>[]>(
          identified,
          fc.tuple(eventId, kind, occurTime, cookieless),
        ),
        properties,
      )
      .map(([fields, more]) => [...fields, ...more])
    const anyField = fc.oneof(eventId, kind, occurTime, distinctId, sessionId, cookieless, unknown, wrongType)
    const event = mostly<readonly Field[]>(
      sanity,
      fc.oneof(
        usual,
        usual.chain((fields) => fc.shuffledSubarray(fields, { minLength: fields.length })),
      ),
      usual.chain((fields) => fc.shuffledSubarray(fields)),
      fc.tuple(usual, anyField).map(([fields, more]) => [...fields, more]),
      fc.tuple(usual, unknown).map(([fields, more]) => [more, ...fields]),
    )
    return fc
      .array(mostly(sanity, messageField(1, event), unknown, varintField(1)), { maxLength: 3 })
      .map(encode)
  }

  test.each(SANITIES)('any batch gets one verdict and one block, fast or slow: sanity %i', (sanity) => {
    fc.assert(
      fc.property(batchOf(sanity), (body) => check('binary', body)),
      { numRuns: propertyRuns(700) },
    )
  })

  test('any damage to a batch gets the same verdict from both decoders', () => {
    fc.assert(
      fc.property(batchOf(500), DAMAGES, (body, damages) => check('binary', damage(body, damages))),
      { numRuns: propertyRuns(700) },
    )
  })

  test('any bytes get the same verdict from both decoders', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (body) => check('binary', body)))
  })

  const event = create(EventSchema, {
    eventId: ID,
    kind: 'page_view',
    occurTime: timestampFromMs(1_700_000_000_123),
    distinctId: 'anon-é',
    sessionId: ID,
    autoProperties: {
      $url: create(PropertyValueSchema, { value: { case: 'stringValue', value: 'https://é.example/' } }),
    },
    customProperties: {
      i: create(PropertyValueSchema, { value: { case: 'intValue', value: -42n } }),
      d: create(PropertyValueSchema, { value: { case: 'doubleValue', value: -1.5 } }),
      b: create(PropertyValueSchema, { value: { case: 'boolValue', value: true } }),
      t: create(PropertyValueSchema, { value: { case: 'timestampValue', value: timestampFromMs(1) } }),
      s: create(PropertyValueSchema, { value: { case: 'stringValue', value: '' } }),
    },
  })
  const whole = toBinary(
    BatchCreateRequestSchema,
    create(BatchCreateRequestSchema, { events: [event, event] }),
  )

  test('the output of an encoder is scanned in one pass, and equals its JSON', () => {
    const request = create(BatchCreateRequestSchema, { events: [event] })
    const binary = toBinary(BatchCreateRequestSchema, request)
    const json = Buffer.from(toJsonString(BatchCreateRequestSchema, request))
    expect(isScanned('binary', binary)).toBe(true)
    expect(isScanned('json', json)).toBe(true)
    expect(decodeFast('binary', binary)).toEqual(decodeFast('json', json))
  })

  test('a body truncated at any offset gets the error of the slow decoder', () => {
    for (let length = 0; length <= whole.length; length++) check('binary', whole.subarray(0, length))
    expect.assertions(whole.length + 1)
  })

  test('a body with any one byte changed is judged as the slow decoder judges it', () => {
    for (let at = 0; at < whole.length; at++) {
      const byte = whole[at] ?? 0
      for (const other of [0, 0x7f, 0x80, 0xff, byte + 1, byte - 1]) check('binary', whole.with(at, other))
    }
    expect.assertions(whole.length * 6)
  })

  test.each([1000, 1001])('%i events get the same verdict from both decoders', (count) => {
    const request = create(BatchCreateRequestSchema, { events: new Array(count).fill(event) })
    check('binary', toBinary(BatchCreateRequestSchema, request))
  })

  const repeated = (fields: readonly Field[]): Uint8Array =>
    encode([bytesField(1, encode([...fields, (writer) => writer.raw(toBinary(EventSchema, event))]))])
  const again = (fields: readonly Field[]): Uint8Array =>
    encode([bytesField(1, encode([(writer) => writer.raw(toBinary(EventSchema, event)), ...fields]))])

  test('the last of a repeated field wins', () => {
    expect(decodeBatchBinarySlow(repeated([bytesField(5, utf8('first'))]))[0]?.kind).toBe('page_view')
    expect(decodeBatchBinarySlow(again([bytesField(5, utf8('last'))]))[0]?.kind).toBe('last')
  })

  test('a repeated time merges', () => {
    const nanos = encode([(writer) => writer.tag(2, WireType.Varint).int32(5_000_000)])
    expect(decodeBatchBinarySlow(again([bytesField(6, nanos)]))[0]?.timeMs).toBe(1_700_000_000_005)
  })

  test('the last value of a repeated key wins, at the rank of the first', () => {
    const value = encode([bytesField(1, utf8('last'))])
    const last = encode([bytesField(1, utf8('i')), bytesField(2, value)])
    const properties = decodeBatchBinarySlow(again([bytesField(3, last)]))[0]?.properties
    expect(properties?.[1]).toEqual({ key: 'i', value: { type: 'string', value: 'last' } })
    expect(properties).toHaveLength(6)
  })

  const variant = (value: readonly number[]): Field =>
    bytesField(3, encode([bytesField(1, utf8('v')), bytesField(2, Uint8Array.from(value))]))
  const timestamp = (...fields: Field[]): Field => bytesField(6, encode(fields))
  const varint =
    (number: number, value: bigint): Field =>
    (writer) =>
      writer.tag(number, WireType.Varint).int64(value)

  const ODD_FIELDS: [name: string, field: Field][] = [
    ...[1, 4, 5, 7].map((number): [string, Field] => [
      `text field ${number} again`,
      bytesField(number, utf8(ID)),
    ]),
    ...[1, 4, 5, 7].map((number): [string, Field] => [`empty field ${number}`, bytesField(number, utf8(''))]),
    ['occurTime again', timestamp(varint(1, 7n))],
    ['cookieless false', varint(8, 0n)],
    ['cookieless false, true and false', (writer) => varint(8, 0n)(varint(8, 1n)(varint(8, 0n)(writer)))],
    ['cookieless without a value', (writer) => writer.raw(Uint8Array.of(0x40))],
    ['a kind without a length', (writer) => writer.raw(Uint8Array.of(0x2a))],
    ['a property without a length', (writer) => writer.raw(Uint8Array.of(0x1a))],
    ['a property without key', bytesField(3, encode([bytesField(2, Uint8Array.of(0x20, 1))]))],
    ['a property without value', bytesField(3, encode([bytesField(1, utf8('v'))]))],
    [
      'two properties without value',
      (writer) => bytesField(2, utf8('\n\u0002$v'))(bytesField(2, utf8('\n\u0002$v'))(writer)),
    ],
    [
      'a property with its value first',
      bytesField(3, encode([bytesField(2, Uint8Array.of(0x20, 1)), bytesField(1, utf8('v'))])),
    ],
    ['an empty value', variant([])],
    ['a bool without a value', variant([0x20])],
    ['a bool with more behind it', variant([0x20, 1, 0])],
    ['a long bool', variant([0x20, 0x80, 1])],
    ['a bool of 2', variant([0x20, 2])],
    ['an int without a value', variant([0x10])],
    ['an int with more behind it', variant([0x10, 1, 0])],
    ['an int of ten bytes', variant([0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f])],
    ['an int of eleven bytes', variant([0x10, ...new Array<number>(10).fill(0x80), 0])],
    ['a short double', variant([0x19, 0, 0, 0, 0, 0, 0, 0])],
    ['a double with more behind it', variant([0x19, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['an infinite double', variant([0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f])],
    ['a text without a length', variant([0x0a])],
    ['a text that is too short', variant([0x0a, 2, 0x61])],
    ['a text with more behind it', variant([0x0a, 1, 0x61, 0x62])],
    ['a text whose length is long', variant([0x0a, 0x81, 0, 0x61])],
    ['a text whose length is huge', variant([0x0a, 0x81, 0x80, 0x80, 0x80, 0x10, 0x61])],
    ['two variants', variant([0x20, 1, 0x10, 1])],
    ['an empty time', variant([0x2a, 0])],
    ['a time with its parts swapped', variant([0x2a, 4, 0x10, 5, 0x08, 5])],
    ['a time with a part repeated', variant([0x2a, 4, 0x08, 5, 0x08, 6])],
    ['a time that is too short', variant([0x2a, 2, 0x08])],
    ['a time that goes on behind its end', variant([0x2a, 2, 0x08, 0x80, 0x01])],
    ...[0n, 999_999n, 999_999_999n, 1_000_000_000n, -1n, 2n ** 32n, 2n ** 33n].map(
      (nanos): [string, Field] => [`${nanos} nanoseconds`, timestamp(varint(1, 5n), varint(2, nanos))],
    ),
    ...[4_291_747_199n, 4_291_747_200n, -1n, 2n ** 40n, 2n ** 41n, 2n ** 42n, 2n ** 62n].map(
      (seconds): [string, Field] => [`${seconds} seconds`, timestamp(varint(1, seconds))],
    ),
  ]

  test.each(ODD_FIELDS)('%s gets one verdict, before the other fields and behind them', (_, field) => {
    const plain = [
      bytesField(1, utf8(ID)),
      bytesField(5, utf8('k')),
      bytesField(4, utf8('d')),
      bytesField(7, utf8(ID)),
    ]
    const timed = [...plain, timestamp(varint(1, 5n))]
    for (const fields of [
      [field, ...timed],
      [...timed, field],
      [...plain, field],
      [...timed.toSpliced(1, 1), field],
    ]) {
      check('binary', encode([bytesField(1, encode(fields))]))
      check('binary', encode([bytesField(1, encode(fields)), bytesField(1, encode(timed))]))
    }
    expect.assertions(8)
  })

  const refusals: [name: string, body: Uint8Array, field: string, words: string][] = [
    ['a cut-off body', whole.subarray(0, -1), '', 'a valid protobuf message'],
    [
      'a cut-off event',
      encode([bytesField(1, Uint8Array.of(0x0a))]),
      'events[0]',
      'a valid protobuf message',
    ],
    [
      'a wrong wire type',
      again([(writer) => writer.tag(5, WireType.Varint).bool(true)]),
      'events[0]',
      'protobuf',
    ],
    ['invalid UTF-8', again([bytesField(5, Uint8Array.of(0xff))]), 'events[0].kind', 'Unicode'],
    ['groups that are too deep', again([groups(101)]), 'events[0]', 'a valid protobuf message'],
    ['an empty event', encode([bytesField(1, new Uint8Array(0))]), 'events[0].eventId', 'a UUID'],
    [
      'an id that must be omitted',
      again([(writer) => writer.tag(8, WireType.Varint).bool(true)]),
      'events[0].distinctId',
      'omitted',
    ],
  ]
  test.each(refusals)('%s is refused', (_, body, field, words) => {
    expect(decodeFast('binary', body).verdict).toMatchObject({
      ok: false,
      violation: { field, description: expect.stringContaining(words) },
    })
  })

  test('groups of an unknown field are skipped up to the nesting limit', () => {
    expect(decodeFast('binary', again([groups(100)])).verdict).toEqual({ ok: true, eventCount: 1 })
  })
})

describe('cookieless', () => {
  const fields = { eventId: ID, kind: 'k', occurTime: '2026-01-02T03:04:05Z', cookieless: true }
  const decode = (extra: object): DecodeVerdict =>
    decodeFast('json', Buffer.from(JSON.stringify({ events: [{ ...fields, ...extra }] }))).verdict

  test('ids that are absent or null are accepted', () => {
    expect(decode({})).toEqual({ ok: true, eventCount: 1 })
    expect(decode({ distinctId: null, session_id: null })).toEqual({ ok: true, eventCount: 1 })
  })

  test.each([
    [{ distinctId: '' }, 'events[0].distinctId'],
    [{ distinct_id: 'x' }, 'events[0].distinctId'],
    [{ sessionId: '' }, 'events[0].sessionId'],
    [{ sessionId: ID }, 'events[0].sessionId'],
  ])('%j is refused', (extra, field) => {
    const description = 'must be omitted when cookieless is true'
    expect(decode(extra)).toEqual({
      ok: false,
      violation: { field, description },
      message: `${field} ${description}`,
    })
  })
})
