import type { JsonValue } from '@bufbuild/protobuf'
import type { TypedValue } from './model.ts'

// What generated worlds and requests are made of. No name is that of a typed event or of a property that the
// service derives (but for $bot, which no enrichment changes here), so that a world is stored as it is sent.

/** Event kinds. */
export const KINDS = ['Alpha', 'alpha', 'beta.1', 'g-2', 'delta_x'] as const

const text = (value: string): TypedValue => ({ type: 'string', value })
const int = (value: bigint): TypedValue => ({ type: 'int', value })
const double = (value: number): TypedValue => ({ type: 'double', value })
const bool = (value: boolean): TypedValue => ({ type: 'bool', value })
const instant = (value: string): TypedValue => ({ type: 'timestamp', value: Date.parse(value) })

const PLAN_TEXTS = [
  'free',
  'pro',
  'Pro',
  '',
  '\u00fcn\u00ef',
  'u\u0308ni\u0308',
  '\u{1f600}',
  '\uffee',
  'it\'s \\ "so"',
  '{x:String}',
  '50%_',
  'tab\tline\nend',
  'a\u0000b',
  ' free',
]

const DOCUMENTS = [
  '{"a":{"b":1}}',
  '{"a":{"b":"x"}}',
  '{"a":"leaf"}',
  '{"a":null}',
  '{"a":{"b":null}}',
  '{"a":{"b":9007199254740993}}',
  '{"a":{"b":1.50}}',
  '{"a":{"b":"1.50"}}',
  '{"a":{"b":1e3}}',
  '{"a":{"b":{"c":"d"}}}',
  '{"a":{"b":"\u00e9\u{1f600}"}}',
  '{"a":{"b":""}}',
  '{"a":{"b":true}}',
  '{"list":[1,"two",{"c":3}]}',
  '{"deep":{"x":{"y":2.5}}}',
  '{"deep":{"x":{}}}',
  ' {"a" : "spaced"} ',
  '{"a":',
  '{}',
  '[]',
  '"a"',
  'null',
  '',
]

const NASTY_VALUES = [
  int(1n),
  text('1'),
  double(1),
  text('1.0'),
  int(0n),
  double(-0),
  text('0'),
  text('-0'),
  int(9007199254740993n),
  int(9007199254740992n),
  double(9007199254740992),
  text('9007199254740993'),
  int(9223372036854775807n),
  int(-7n),
  double(1e21),
  double(1e300),
  double(1e-7),
  double(5e-324),
  double(0.1),
  double(123456789.125),
  bool(true),
  bool(false),
  text('true'),
  instant('2024-03-31T01:00:00.007Z'),
  text('2024-03-31T01:00:00.007Z'),
  instant('1969-12-31T23:59:59.999Z'),
  text(''),
  text('nan'),
  text('NaN'),
  text('inf'),
  text('Infinity'),
  text(' 12'),
  text('12 '),
  text('12'),
  text('0x10'),
  text('1e5'),
  text('.5'),
  text('5.'),
  text('-'),
  text('+5'),
  text('-5.25'),
  text('007'),
  text('3.14159265358979323846264338327950288'),
  text('1_000'),
  text('9'.repeat(400)),
  text('\u0661\u0662'),
]

/** Values of each event property. Large negative numbers are left out: sums that cancel out have no exact answer. */
export const EVENT_VALUES: Readonly<Record<string, readonly TypedValue[]>> = {
  plan: [...PLAN_TEXTS, '$others'].map(text),
  page: PLAN_TEXTS.map(text),
  amount: [
    ...[0n, 1n, 2n, 3n, 20n, -4n].map(int),
    ...[0.25, 2, 2.5, -1.75, 1000.5].map(double),
    ...['3', '2.5', '-4', 'n/a', '', ' 2', '1e1'].map(text),
    bool(true),
  ],
  mixed: NASTY_VALUES,
  moment: [
    instant('2024-03-31T01:00:00Z'),
    instant('2024-03-31T01:00:00.001Z'),
    instant('0001-01-01T00:00:00Z'),
    instant('9999-12-31T23:59:59.999Z'),
  ],
  flag: [bool(true), bool(false)],
  doc: DOCUMENTS.map(text),
  'doc.a': [text('{"b":"from the longer prefix"}'), text('flat'), text(''), text('{"z":1}'), int(5n)],
  'doc.a.b': [text('flattest'), double(0.5)],
  $bot: [bool(true), bool(false), text('true'), int(1n)],
  $country: ['DE', 'FR', 'US', 'JP', ''].map(text),
  $browser: ['Firefox', 'Chrome', 'firefox'].map(text),
  $level: [...[1n, 2n, 10n].map(int), double(1.5), text('2'), text('ten'), text('')],
}

/** Names by which requests address event properties. */
export const EVENT_NAMES: readonly string[] = [
  ...Object.keys(EVENT_VALUES),
  'doc.list',
  'doc.deep.x',
  'doc.deep.x.y',
  'plan.free',
  'nowhere',
]

/** Names whose values can be nodes: a value that reads like the name of the rest has no place in their order. */
export const NODE_NAMES: readonly string[] = EVENT_NAMES.filter((name) => name !== 'plan')

/** Properties whose sums are exact in any order, so that sums can be ranked. */
export const EXACT_NAMES: readonly string[] = ['amount', '$level', 'nowhere']

/** Values of each trait. Objects have one key at most, so that their text does not depend on an order. */
export const TRAIT_VALUES: Readonly<Record<string, readonly JsonValue[]>> = {
  tier: ['gold', 'blue', '', null, 'Gold'],
  age: [41, 5.5, '7', null, true, 'old', 1e21],
  address: [{ city: 'Bonn' }, { city: null }, { city: '' }, { geo: { lat: 50.75 } }, {}, 'none'],
  'address.city': ['Flat'],
  tags: [['a', 1], []],
  active: [true, false],
}

/** Names by which requests address traits. */
export const TRAIT_NAMES: readonly string[] = [
  ...Object.keys(TRAIT_VALUES),
  'address.geo.lat',
  'address.geo',
  'nowhere',
]

/** Pauses between the events of one user: zero, the bounds of timing buckets, and a millisecond off them. */
export const PAUSES_MS = [
  0, 0, 1, 1000, 5000, 29_999, 30_000, 60_000, 120_000, 299_999, 300_000, 900_000, 1_800_000, 3_600_000,
  7_200_000, 21_600_000, 86_399_999, 86_400_000,
] as const
