import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { JsonSchema, ObjectSchema } from './json-schema.ts'
import { scalarSchema, wellKnownSchema } from './value-schemas.ts'

/** Depth to which the fields of objects are listed, once per type; deeper objects explain themselves in a result. */
const DEPTH_MAX = 1

interface Position {
  readonly depth: number
  /** Types whose fields are listed already. */
  readonly listed: Set<DescMessage>
}

/**
 * The schema of a result: the types of its fields without comments and rules, which keeps the tool list small and lets
 * results gain fields.
 */
export function writeAnswer(root: DescMessage): ObjectSchema {
  return writeObject(root, { depth: 0, listed: new Set() })
}

function writeObject(type: DescMessage, position: Position): ObjectSchema {
  if (position.depth > DEPTH_MAX || position.listed.has(type)) return { type: 'object' }
  position.listed.add(type)
  const properties = type.fields.map((field) => [field.jsonName, writeField(field, position)] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function writeField(field: DescField, position: Position): JsonSchema {
  if (field.fieldKind === 'list') return { type: 'array', items: writeSingle(field, position) }
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: writeSingle(field, position) }
  return writeSingle(field, position)
}

function writeSingle(
  { message, scalar }: Pick<DescField, 'message' | 'scalar'>,
  position: Position,
): JsonSchema {
  if (message) {
    const known = wellKnownSchema(message.typeName)
    return known ? typeOnly(known) : writeObject(message, { ...position, depth: position.depth + 1 })
  }
  // An enum value is its name; later releases may add values.
  return scalar === undefined ? { type: 'string' } : typeOnly(scalarSchema(scalar, 'answer'))
}

function typeOnly({ type }: JsonSchema): JsonSchema {
  return type === undefined ? {} : { type }
}
