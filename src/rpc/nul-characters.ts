import type { Message } from '@bufbuild/protobuf'
import type { FieldViolation } from '../contract/service-error.ts'

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
