import {
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  type JsonValue,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf'
import {
  FieldRulesSchema,
  field as fieldRules,
  message as messageRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { anchorOf } from '../docs-site/markdown.ts'
import type { Interface } from './read-interface.ts'

/** Where messages and enums that several methods share are described. */
export const TYPES_PAGE = 'types.md'

/** The JSON forms of types that are declared elsewhere. */
const FOREIGN_TYPES: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': 'time (RFC 3339)',
  'google.protobuf.Duration': 'duration (`"90s"`)',
  'google.protobuf.Struct': 'JSON object',
  'google.rpc.Status': 'status',
}

/** The fields of a message as a table, with the rules that span several of them. */
export function renderMessage({ commentOf }: Interface, message: DescMessage): string {
  if (message.fields.length === 0) return 'No fields.\n'
  const rows = message.fields.map((field) => {
    const cells = [
      `\`${field.jsonName}\``,
      field.number,
      describeType(field),
      describeRules(field),
      withChoice(field, commentOf(field)),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const heading = ['| field | no. | type | rules | meaning |', '|---|---|---|---|---|']
  const rules = (getOption(message, messageRules).cel ?? []).map((rule) => `- ${escapeCell(rule.message)}`)
  const table = [...heading, ...rows].join('\n')
  return rules.length === 0
    ? `${table}\n`
    : `${table}\n\nRules of the whole message:\n\n${rules.join('\n')}\n`
}

/** The values of an enum as a table. */
export function renderEnum({ commentOf }: Interface, { values }: DescEnum): string {
  const rows = values.map(
    (value) => `| \`${value.name}\` | ${value.number} | ${escapeCell(commentOf(value))} |`,
  )
  return `${['| value | no. | meaning |', '|---|---|---|', ...rows].join('\n')}\n`
}

function withChoice(field: DescField, comment: string): string {
  const text = escapeCell(comment)
  return field.oneof === undefined ? text : `${text} One of the fields of \`${field.oneof.name}\`.`
}

function describeType(field: DescField): string {
  if (field.fieldKind === 'map')
    return `map of ${ScalarType[field.mapKey].toLowerCase()} to ${describeElement(field)}`
  return field.fieldKind === 'list' ? `list of ${describeElement(field)}` : describeElement(field)
}

function describeElement(field: DescField): string {
  const type = field.message ?? field.enum
  if (type === undefined) return field.scalar === undefined ? 'value' : ScalarType[field.scalar].toLowerCase()
  return FOREIGN_TYPES[type.typeName] ?? linkType(type)
}

/** A link to where a message or an enum is described. */
function linkType(type: DescMessage | DescEnum): string {
  return `[${type.name}](${TYPES_PAGE}#${anchorOf(type.typeName)})`
}

/** The rules of a field as a list in few words; conditions in CEL by their message. */
function describeRules(field: DescField): string {
  const rules = toJson(FieldRulesSchema, getOption(field, fieldRules)) as Readonly<Record<string, JsonValue>>
  const { cel, required, ignore, ...typed } = rules
  const conditions = (Array.isArray(cel) ? cel : []).map((rule) => escapeCell(messageOf(rule)))
  return [
    ...(required === true ? ['required'] : []),
    ...Object.values(typed).flatMap((value) => flatten('', value)),
    ...conditions,
  ].join('<br>')
}

function messageOf(rule: JsonValue): string {
  return typeof rule === 'object' && rule !== null && 'message' in rule ? String(rule.message) : ''
}

/** `{maxLen: 5, items: {string: {minLen: 1}}}` as `maxLen 5`, `items minLen 1`. */
function flatten(prefix: string, value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value))
    return [`${prefix} ${value.map((item) => `\`${String(item)}\``).join(', ')}`.trim()]
  if (typeof value !== 'object')
    return [value === true ? prefix : `${prefix} \`${escapeCell(String(value))}\``]
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'cel') return (Array.isArray(inner) ? inner : []).map((rule) => escapeCell(messageOf(rule)))
    return flatten(SCALARS.has(name) ? prefix : `${prefix} ${name}`.trim(), inner)
  })
}

const SCALARS: ReadonlySet<string> = new Set([
  'string',
  'int32',
  'uint32',
  'double',
  'enum',
  'timestamp',
  'bytes',
])

/** A text within a table. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
