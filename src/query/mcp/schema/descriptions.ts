import {
  type DescEnum,
  type DescEnumValue,
  type DescField,
  type DescMessage,
  getOption,
} from '@bufbuild/protobuf'
import { protoCamelCase } from '@bufbuild/protobuf/reflect'
import { message as messageOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { COMMENTS } from '../../../contract/gen/comments.js'

/** The words of comments that are names of fields, in the form that JSON has. */
const JSON_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(COMMENTS).flatMap((fullName): [string, string][] => {
    const name = fullName.slice(fullName.lastIndexOf('.') + 1)
    return /^[a-z]+(_[a-z]+)+$/.test(name) ? [[name, protoCamelCase(name)]] : []
  }),
)

/** The comment of a message, and what its rules across fields demand; `undefined` for a message of other files. */
export function describeMessage(type: DescMessage): string | undefined {
  const comment = commentOf(type.typeName)
  const rules = getOption(type, messageOption).cel.map(({ message }) => inJsonNames(message))
  return rules.length === 0 ? comment : [comment, `Rules: ${rules.join('; ')}.`].join(' ').trim()
}

/** The comment of a field. */
export function describeField(field: DescField): string | undefined {
  return commentOf(`${field.parent.typeName}.${field.name}`)
}

/** The comment of an enum and of those of its values that are offered, by their names without the common prefix. */
export function describeEnum(type: DescEnum, values: readonly DescEnumValue[]): string {
  const described = values.flatMap(({ name, localName }) => {
    const comment = commentOf(`${type.typeName}.${name}`)
    return comment === undefined ? [] : [`${localName}: ${comment}`]
  })
  return [commentOf(type.typeName), ...described].filter((text) => text !== undefined).join(' ')
}

function commentOf(fullName: string): string | undefined {
  const comment = COMMENTS[fullName]
  return comment === undefined ? undefined : inJsonNames(comment)
}

function inJsonNames(text: string): string {
  return text.replace(/\b[a-z]+(_[a-z]+)+\b/g, (word) => JSON_NAMES.get(word) ?? word)
}
