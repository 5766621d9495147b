import type { DescMessage } from '@bufbuild/protobuf'
import type { Path } from '@bufbuild/protobuf/reflect'
import type { Violation } from '@bufbuild/protovalidate'
import type { FieldViolation } from './service-error.ts'

/** The pattern of names of properties, as the fields that hold one have it. */
const PROPERTY_NAME = '^[$]?[a-zA-Z0-9_-]+([.][a-zA-Z0-9_-]+)*$'

/** Sentences of the validator, and the words that the service has for them. */
const REWORDED: readonly (readonly [theirs: RegExp, ours: string])[] = [
  [/^value is required$/, 'is required'],
  [/^value must be one of the defined enum values$/, 'is not a known value'],
  [/^must be greater than or equal to (.+) and less than or equal to (.+)$/, 'must be $1 to $2'],
  [/^must be greater than or equal to (.+)$/, 'must be at least $1'],
  [/^must be less than or equal to (.+)$/, 'must be at most $1'],
  [/^must contain at least 1 item\(s\)$/, 'must not be empty'],
  [/^must contain at least (\d+) item\(s\)$/, 'must have at least $1 entries'],
  [/^must contain no more than (\d+) item\(s\)$/, 'must have at most $1 entries'],
  [/^must be at least 1 characters$/, 'must not be empty'],
  // `^$|\S`, the pattern of names: the rule `required` refuses empty ones.
  [/^does not match regex pattern `\^\$\|\\S`$/, 'must not be blank'],
  [/^must be at (least|most) (\d+) characters$/, 'must have at $1 $2 characters'],
]

/** A rule of a message may begin with the name of the one field that it is about. */
const OF_A_FIELD =
  /^(?<name>[a-z][a-z0-9_]*) (?<rest>(?:is required|must be (?:empty|omitted)|must name|needs|belongs) .*)$/

/** A broken rule in the words of the service, with the path of the field in the names of the JSON wire. */
export function describeViolation(schema: DescMessage, { field: path, message }: Violation): FieldViolation {
  const last = path.at(-1)
  if (last?.kind === 'oneof') {
    const names = last.fields.map(({ jsonName }) => jsonName)
    return { field: printPath(path.slice(0, -1)), description: `needs exactly one of ${names.join(', ')}` }
  }
  const { name, rest = '' } = OF_A_FIELD.exec(message)?.groups ?? {}
  const own = messageAt(schema, path)?.fields.find((each) => each.name === name)
  if (own) return { field: printPath([...path, own]), description: rest }
  return { field: printPath(path), description: reword(message) }
}

function reword(message: string): string {
  if (message === `does not match regex pattern \`${PROPERTY_NAME}\``)
    return 'must be the name of a property: letters, digits, _ and -, with dots between parts and $ before auto properties'
  const [theirs, ours = message] = REWORDED.find(([each]) => each.test(message)) ?? []
  return theirs ? message.replace(theirs, ours) : message
}

/** The message at the end of a path; `undefined` where another value is. */
function messageAt(schema: DescMessage, path: Path): DescMessage | undefined {
  const last = path.findLast(({ kind }) => kind === 'field')
  if (path.length === 0) return schema
  return last?.kind === 'field' ? last.message : undefined
}

/** A field path in the names of the JSON wire: `events[3].kind`. */
function printPath(path: Path): string {
  let text = ''
  for (const element of path) {
    if (element.kind === 'list_sub') text += `[${element.index}]`
    else if (element.kind === 'map_sub') text += `[${JSON.stringify(String(element.key))}]`
    else if (element.kind === 'field') text += `${text === '' ? '' : '.'}${element.jsonName}`
    else text += `${text === '' ? '' : '.'}${element.name}`
  }
  return text
}
