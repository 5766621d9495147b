import type { DescMessage, Message } from '@bufbuild/protobuf'
import { createValidator, RuntimeError } from '@bufbuild/protovalidate'
import type { FieldViolation } from './service-error.ts'
import { describeViolation } from './violation-text.ts'

/** A rule cannot compute with a value: a duration of ten thousand years, for example. */
const OUT_OF_RANGE: FieldViolation = { field: '', description: 'holds a value that is out of range' }

/** A list may break a rule in each of its items; callers have no use for more. */
const VIOLATIONS_MAX = 100

/** Checks messages against the rules of the .proto files. */
export class MessageRules {
  readonly #validator = createValidator({
    regexMatch: (pattern, text) => new RegExp(pattern, 'u').test(text),
  })

  /** The broken rules of a message; empty when it is valid. Throws when a rule itself is invalid. */
  check(schema: DescMessage, message: Message): FieldViolation[] {
    const result = this.#validator.validate(schema, message)
    if (result.kind === 'error') {
      if (result.error instanceof RuntimeError) return [OUT_OF_RANGE]
      throw result.error
    }
    if (result.kind === 'valid') return []
    return result.violations.slice(0, VIOLATIONS_MAX).map((violation) => describeViolation(schema, violation))
  }
}

const DESCRIPTION = 'must not contain the character U+0000'

/**
 * The fields of a message, including keys of maps, that contain U+0000. PostgreSQL cannot store it and SQLite shows text only
 * up to it, so the catalog refuses it on both.
 */
export function findNulCharacters(message: Message): FieldViolation[] {
  return [...walk(message, '')].map((field) => ({ field, description: DESCRIPTION }))
}

function* walk(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (value.includes('\0')) yield path
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, `${path}[${index}]`)
  } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (name.includes('\0')) yield path
      else yield* walk(...toField(name, item, path))
    }
  }
}

/** A member of a oneof is a field of its message: the name of the oneof does not appear on the wire. */
function toField(name: string, value: unknown, path: string): [value: unknown, path: string] {
  const before = path === '' ? '' : `${path}.`
  if (typeof value !== 'object' || value === null || !('case' in value) || !('value' in value))
    return [value, `${before}${name}`]
  return [value.value, `${before}${String(value.case ?? name)}`]
}
