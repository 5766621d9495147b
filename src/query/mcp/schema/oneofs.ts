import { type DescMessage, type DescOneof, getOption } from '@bufbuild/protobuf'
import { oneof as oneofOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import type { JsonSchema } from './json-schema.ts'

/** Keywords that allow at most one field of each oneof, or require exactly one if a rule does. */
export function oneofKeywords(type: DescMessage): JsonSchema {
  const [first, ...others] = type.oneofs.map(choiceOf)
  if (!first) return {}
  return others.length === 0 ? first : { allOf: [first, ...others] }
}

function choiceOf(oneof: DescOneof): JsonSchema {
  const members = oneof.fields.map(({ jsonName }) => ({ required: [jsonName] }))
  const none = { not: { anyOf: members } }
  return { oneOf: getOption(oneof, oneofOption).required ? members : [...members, none] }
}
