import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import fc from 'fast-check'

/** A message in proto JSON. */
type JsonMessage = Readonly<Record<string, unknown>>

/** Values that a text may have where a name, an id, an address or a token is expected. */
const ODD_TEXTS = [
  '',
  ' ',
  'x',
  'a\0b',
  '\u0000',
  '\ud83d\ude00',
  '\u202e\ufeff',
  "'; DROP TABLE projects; --",
  '{x:String}',
  '%',
  '\\',
  'x'.repeat(255),
  'x'.repeat(5000),
  '-1',
  '99999999999999999999',
  'a@b.example',
  'UTC',
  'Europe/Berlin',
  'android',
  'active',
  '00000000-0000-0000-0000-000000000000',
  'page_view',
  '$browser',
  'a.b.c',
  '{"title":"x"}',
]

const INTEGERS = [0, 1, -1, 25, 587, 2_147_483_647, -2_147_483_648]
const LONGS = ['0', '1', '-1', '9223372036854775807', '-9223372036854775808']
const UNSIGNED = [0, 1, 65_535, 4_294_967_295]
const TIMES = [
  '0001-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2026-11-01T00:00:00Z',
  '2026-11-21T00:00:00.123Z',
  '2105-12-31T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
]
const DURATIONS = ['0s', '1s', '-1s', '0.5s', '315576000000s']
const BYTES = [
  '',
  'AA==',
  Buffer.from('{"title":"x"}').toString('base64'),
  Buffer.from('[]').toString('base64'),
]

/** Nested messages of messages of messages: enough for every rule, and an end. */
const DEPTH_MAX = 5

/** Messages of a type whose fields have odd values of their types; `known` are texts that name something. */
export function oddMessages(
  type: DescMessage,
  known: readonly string[],
  depth = 0,
): fc.Arbitrary<JsonMessage> {
  const fields = type.fields.filter((field) => depth < DEPTH_MAX || field.fieldKind !== 'message')
  const entries = fields.map((field) => [field.jsonName, fieldValues(field, known, depth)] as const)
  return fc
    .record(Object.fromEntries(entries), { requiredKeys: [] })
    .map((message) => oneOfEach(type, message))
}

/** Of a oneof, JSON has one member. */
function oneOfEach(type: DescMessage, message: JsonMessage): JsonMessage {
  const kept: Record<string, unknown> = { ...message }
  for (const { fields } of type.oneofs) {
    const present = fields.filter(({ jsonName }) => jsonName in kept)
    for (const { jsonName } of present.slice(1)) delete kept[jsonName]
  }
  return kept
}

function fieldValues(field: DescField, known: readonly string[], depth: number): fc.Arbitrary<unknown> {
  if (field.fieldKind === 'list') {
    return fc.array(valuesOf(field, field.listKind, known, depth), { maxLength: 3 })
  }
  if (field.fieldKind === 'map') {
    return fc.dictionary(texts(known), valuesOf(field, field.mapKind, known, depth), { maxKeys: 3 })
  }
  return valuesOf(field, field.fieldKind, known, depth)
}

function valuesOf(
  field: DescField,
  kind: 'scalar' | 'enum' | 'message',
  known: readonly string[],
  depth: number,
): fc.Arbitrary<unknown> {
  if (kind === 'message') return field.message ? messages(field.message, known, depth) : fc.constant({})
  if (kind === 'enum') return fc.constantFrom(...(field.enum?.values ?? []).map(({ number }) => number), 99)
  return scalars(field.scalar, known)
}

function messages(type: DescMessage, known: readonly string[], depth: number): fc.Arbitrary<unknown> {
  if (type.typeName === 'google.protobuf.Timestamp') return fc.constantFrom(...TIMES)
  if (type.typeName === 'google.protobuf.Duration') return fc.constantFrom(...DURATIONS)
  if (type.typeName === 'google.protobuf.Struct')
    return fc.dictionary(texts(known), fc.jsonValue({ maxDepth: 2 }))
  return oddMessages(type, known, depth + 1)
}

function scalars(type: ScalarType | undefined, known: readonly string[]): fc.Arbitrary<unknown> {
  switch (type) {
    case ScalarType.STRING:
      return texts(known)
    case ScalarType.BYTES:
      return fc.constantFrom(...BYTES)
    case ScalarType.BOOL:
      return fc.boolean()
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return fc.constantFrom(0, -1.5, 1e308, 'NaN', 'Infinity')
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return fc.constantFrom(...LONGS)
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.FIXED32:
    case ScalarType.FIXED64:
      return fc.constantFrom(...UNSIGNED)
    default:
      return fc.constantFrom(...INTEGERS)
  }
}

function texts(known: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )
}
