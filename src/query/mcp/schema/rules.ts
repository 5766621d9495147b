import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  type JsonObject,
  type JsonValue,
  type ScalarType,
  toJson,
} from '@bufbuild/protobuf'
import {
  FieldRulesSchema,
  field as fieldOption,
  oneof as oneofOption,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { MessageRules } from '../../../contract/message-rules.ts'
import type { JsonSchema } from './json-schema.ts'
import { scalarZero } from './value-schemas.ts'

/** The rules of a field in JSON, as in the .proto file. */
export type RuleSet = JsonObject

/** Rules as JSON Schema keywords; the service alone checks rules that are not listed here. */
const KEYWORDS: Readonly<Record<string, (value: JsonValue) => JsonSchema>> = {
  const: (value) => ({ const: value }),
  gt: (value) => ({ exclusiveMinimum: Number(value) }),
  gte: (value) => ({ minimum: Number(value) }),
  lt: (value) => ({ exclusiveMaximum: Number(value) }),
  lte: (value) => ({ maximum: Number(value) }),
  len: (value) => ({ minLength: Number(value), maxLength: Number(value) }),
  minLen: (value) => ({ minLength: Number(value) }),
  maxLen: (value) => ({ maxLength: Number(value) }),
  pattern: (value) => ({ pattern: value }),
  uuid: () => ({ format: 'uuid' }),
  minItems: (value) => ({ minItems: Number(value) }),
  maxItems: (value) => ({ maxItems: Number(value) }),
  unique: () => ({ uniqueItems: true }),
  minPairs: (value) => ({ minProperties: Number(value) }),
  maxPairs: (value) => ({ maxProperties: Number(value) }),
}

/** Field types whose rules {@link KEYWORDS} covers; rules of enums and messages have other values. */
const KINDS = [
  ...['string', 'repeated', 'map', 'int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'],
  ...['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64', 'float', 'double'],
]

/** Reads the rules of a field. */
export function readRules(field: DescField): RuleSet {
  const json = toJson(FieldRulesSchema, getOption(field, fieldOption))
  return asObject(json)
}

/** The rules of the elements of a list. */
export function itemRules(rules: RuleSet): RuleSet {
  return asObject(asObject(rules.repeated).items)
}

/** The rules of the values of a map. */
export function valueRules(rules: RuleSet): RuleSet {
  return asObject(asObject(rules.map).values)
}

/** The keywords for the rules of a scalar, a list or a map. An optional value may also be sent as its zero value. */
export function ruleKeywords(rules: RuleSet, scalar?: ScalarType): JsonSchema {
  if (rules.ignore === 'IGNORE_ALWAYS') return {}
  const keywords = Object.assign({}, ...KINDS.flatMap((kind) => keywordsOf(asObject(rules[kind]))))
  if (scalar === undefined) return rules.ignore === 'IGNORE_IF_ZERO_VALUE' ? {} : keywords
  const zero = scalarZero(scalar)
  if (rules.ignore === 'IGNORE_IF_ZERO_VALUE') return orZero(keywords, zero)
  if (rules.required !== true) return keywords
  return zero === '' ? { minLength: 1, ...keywords } : { not: { const: zero }, ...keywords }
}

/** Allows the zero value in addition; a pattern alone is extended to match the empty string. */
function orZero(keywords: JsonSchema, zero: string | number | boolean): JsonSchema {
  const { pattern, ...others } = keywords
  const [, inner] = /^\^([^|]*)\$$/.exec(String(pattern)) ?? []
  const isPatternAlone = inner !== undefined && Object.keys(others).length === 0
  return isPatternAlone ? { pattern: `^(${inner})?$` } : { anyOf: [{ const: zero }, keywords] }
}

/** Whether the rules reject the zero value of an enum. */
export function rejectsZero(rules: RuleSet): boolean {
  const { notIn } = asObject(rules.enum)
  return rules.required === true || (Array.isArray(notIn) && notIn.includes(0))
}

function keywordsOf(rules: JsonObject): readonly JsonSchema[] {
  return Object.entries(rules).flatMap(([rule, value]) => {
    const write = KEYWORDS[rule]
    return write ? [write(value)] : []
  })
}

function asObject(json: JsonValue | undefined): JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}
}

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

const rules = new MessageRules()

/** JSON names of the required fields: those for which an empty message violates a rule. */
export function requiredFields(type: DescMessage): readonly string[] {
  const broken = new Set(rules.check(type, create(type)).map(({ field }) => field))
  return type.fields.map(({ jsonName }) => jsonName).filter((name) => broken.has(name))
}
