import { ScalarType } from '@bufbuild/protobuf'
import type { JsonSchema, Purpose } from './json-schema.ts'

/** The bounds of 32 bits are left to the service: a request that exceeds them is refused like any other. */
const INT32: JsonSchema = { type: 'integer' }
const UINT32: JsonSchema = { type: 'integer', minimum: 0 }

/** 64-bit integers are strings, because JSON numbers cannot represent them; requests may also have small ones as numbers. */
const INT64 = {
  request: { type: ['integer', 'string'], pattern: '^-?[0-9]+$' },
  answer: { type: 'string', pattern: '^-?[0-9]+$' },
} as const satisfies Record<Purpose, JsonSchema>

/** Results represent `NaN`, `Infinity` and `-Infinity` as strings. */
const FLOATING = {
  request: { type: 'number' },
  answer: { type: ['number', 'string'] },
} as const satisfies Record<Purpose, JsonSchema>

const SCALARS = {
  [ScalarType.STRING]: { request: { type: 'string' }, answer: { type: 'string' } },
  [ScalarType.BOOL]: { request: { type: 'boolean' }, answer: { type: 'boolean' } },
  [ScalarType.BYTES]: bothWays({ type: 'string', contentEncoding: 'base64' }),
  [ScalarType.DOUBLE]: FLOATING,
  [ScalarType.FLOAT]: FLOATING,
  [ScalarType.INT32]: bothWays(INT32),
  [ScalarType.SINT32]: bothWays(INT32),
  [ScalarType.SFIXED32]: bothWays(INT32),
  [ScalarType.UINT32]: bothWays(UINT32),
  [ScalarType.FIXED32]: bothWays(UINT32),
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: INT64,
  [ScalarType.FIXED64]: INT64,
} satisfies Record<ScalarType, Record<Purpose, JsonSchema>>

/** The schema of a scalar. */
export function scalarSchema(type: ScalarType, purpose: Purpose): JsonSchema {
  return SCALARS[type][purpose]
}

/** The default value of a scalar in JSON. */
export function scalarZero(type: ScalarType): string | number | boolean {
  if (type === ScalarType.STRING || type === ScalarType.BYTES) return ''
  return type === ScalarType.BOOL ? false : 0
}

function bothWays(schema: JsonSchema): Record<Purpose, JsonSchema> {
  return { request: schema, answer: schema }
}

const INTEGER_TEXT = { type: ['string', 'integer', 'null'], pattern: '^-?[0-9]+$' }

/** Messages of google.protobuf with a special JSON form. */
const WELL_KNOWN: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['Timestamp', { type: 'string', format: 'date-time' }],
  ['Duration', { type: 'string', pattern: '^-?[0-9]+([.][0-9]{1,9})?s$' }],
  ['Struct', { type: 'object' }],
  ['Value', {}],
  ['ListValue', { type: 'array' }],
  ['Any', { type: 'object' }],
  ['FieldMask', { type: 'string' }],
  ['BoolValue', { type: ['boolean', 'null'] }],
  ['StringValue', { type: ['string', 'null'] }],
  ['BytesValue', { type: ['string', 'null'], contentEncoding: 'base64' }],
  ['DoubleValue', { type: ['number', 'string', 'null'] }],
  ['FloatValue', { type: ['number', 'string', 'null'] }],
  ['Int32Value', { type: ['integer', 'null'] }],
  ['UInt32Value', { type: ['integer', 'null'] }],
  ['Int64Value', INTEGER_TEXT],
  ['UInt64Value', INTEGER_TEXT],
])

const PACKAGE = 'google.protobuf.'

/** The schema of a message whose JSON form differs from its fields; `undefined` for all others. */
export function wellKnownSchema(typeName: string): JsonSchema | undefined {
  return typeName.startsWith(PACKAGE) ? WELL_KNOWN.get(typeName.slice(PACKAGE.length)) : undefined
}
