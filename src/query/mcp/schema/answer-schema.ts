import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { JsonSchema, ObjectSchema } from './json-schema.ts'
import { scalarSchema } from './scalars.ts'
import { wellKnownSchema } from './well-known.ts'

/** Objects within the answer whose fields are told, once each; what is deeper explains itself when it is there. */
const DEPTH_MAX = 1

interface Place {
  readonly depth: number
  /** Types whose fields are told elsewhere in the answer. */
  readonly told: Set<DescMessage>
}

/**
 * The JSON form of an answer: the types of its fields, without comments and rules, so that it may grow and costs its reader
 * little before there is one.
 */
export function writeAnswer(root: DescMessage): ObjectSchema {
  return writeObject(root, { depth: 0, told: new Set() })
}

function writeObject(type: DescMessage, place: Place): ObjectSchema {
  if (place.depth > DEPTH_MAX || place.told.has(type)) return { type: 'object' }
  place.told.add(type)
  const properties = type.fields.map((field) => [field.jsonName, writeField(field, place)] as const)
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function writeField(field: DescField, place: Place): JsonSchema {
  if (field.fieldKind === 'list') return { type: 'array', items: writeSingle(field, place) }
  if (field.fieldKind === 'map') return { type: 'object', additionalProperties: writeSingle(field, place) }
  return writeSingle(field, place)
}

function writeSingle({ message, scalar }: Pick<DescField, 'message' | 'scalar'>, place: Place): JsonSchema {
  if (message) {
    const known = wellKnownSchema(message.typeName)
    return known ? typeOnly(known) : writeObject(message, { ...place, depth: place.depth + 1 })
  }
  // An enum is its name, and has more of them in later releases.
  return scalar === undefined ? { type: 'string' } : typeOnly(scalarSchema(scalar, 'answer'))
}

function typeOnly({ type }: JsonSchema): JsonSchema {
  return type === undefined ? {} : { type }
}
