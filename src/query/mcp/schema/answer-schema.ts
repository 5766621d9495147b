import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { JsonSchema, ObjectSchema } from './json-schema.ts'
import { scalarSchema, wellKnownSchema } from './value-schemas.ts'

/**
 * The schema of a result: the types of its fields without comments and rules, which keeps the tool list small and lets
 * results gain fields. Lists and objects inside it explain themselves in a result.
 */
export function writeAnswer(root: DescMessage): ObjectSchema {
  const properties = root.fields.map((field) => [field.jsonName, writeField(field)] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function writeField(field: DescField): JsonSchema {
  if (field.fieldKind === 'list') return { type: 'array' }
  if (field.fieldKind === 'map') return { type: 'object' }
  return writeSingle(field)
}

function writeSingle({ message, scalar }: Pick<DescField, 'message' | 'scalar'>): JsonSchema {
  if (message) return typeOnly(wellKnownSchema(message.typeName) ?? { type: 'object' })
  // An enum value is its name; later releases may add values.
  return scalar === undefined ? { type: 'string' } : typeOnly(scalarSchema(scalar, 'answer'))
}

function typeOnly({ type }: JsonSchema): JsonSchema {
  return type === undefined ? {} : { type }
}
