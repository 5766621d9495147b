import type { JsonSchema } from './json-schema.ts'

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
