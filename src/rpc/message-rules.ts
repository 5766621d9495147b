import type { DescMessage, Message } from '@bufbuild/protobuf'
import type { Path } from '@bufbuild/protobuf/reflect'
import { createValidator, RuntimeError } from '@bufbuild/protovalidate'
import type { FieldViolation } from '../contract/service-error.ts'

/** A rule cannot count with a value: a duration of ten thousand years, for example. */
const OUT_OF_RANGE: FieldViolation = { field: '', description: 'holds a value that is out of range' }

/** More are of no use to a caller; a list may break a rule in each of its items. */
const VIOLATIONS_MAX = 100

/** Checks messages against the rules that stand in the .proto files. */
export class MessageRules {
  readonly #validator = createValidator({
    regexMatch: (pattern, text) => new RegExp(pattern, 'u').test(text),
  })

  /** The rules that the message breaks; empty when none. Throws when the rules themselves are wrong. */
  check(schema: DescMessage, message: Message): FieldViolation[] {
    const result = this.#validator.validate(schema, message)
    if (result.kind === 'error') {
      if (result.error instanceof RuntimeError) return [OUT_OF_RANGE]
      throw result.error
    }
    if (result.kind === 'valid') return []
    return result.violations.slice(0, VIOLATIONS_MAX).map((violation) => ({
      field: printPath(violation.field),
      description: violation.message,
    }))
  }
}

/** A field path in the names of the JSON wire: `events[3].kind`. */
export function printPath(path: Path): string {
  let text = ''
  for (const element of path) {
    if (element.kind === 'list_sub') text += `[${element.index}]`
    else if (element.kind === 'map_sub') text += `[${JSON.stringify(String(element.key))}]`
    else if (element.kind === 'field') text += `${text === '' ? '' : '.'}${element.jsonName}`
    else text += `${text === '' ? '' : '.'}${element.name}`
  }
  return text
}

const DESCRIPTION = 'must not contain the character U+0000'

/**
 * The fields of a message, keys of maps included, that hold U+0000. PostgreSQL stores it in no text and SQLite cuts texts
 * there when it shows them: what is kept in the catalog must do without, wherever the catalog is.
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

/** A member of a oneof is a field of its message: the name of the oneof is not on the wire. */
function toField(name: string, value: unknown, path: string): [value: unknown, path: string] {
  const before = path === '' ? '' : `${path}.`
  if (typeof value !== 'object' || value === null || !('case' in value) || !('value' in value))
    return [value, `${before}${name}`]
  return [value.value, `${before}${String(value.case ?? name)}`]
}
