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
