import {
  type DescField,
  getOption,
  type JsonObject,
  type JsonValue,
  type ScalarType,
  toJson,
} from '@bufbuild/protobuf'
import {
  FieldRulesSchema,
  field as fieldOption,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import type { JsonSchema } from './json-schema.ts'
import { scalarZero } from './scalars.ts'

/** The rules of a field in their JSON form: only what the .proto file says. */
export type RuleSet = JsonObject

/** What a rule says in JSON Schema; a rule that is not here stays unsaid, and is checked by the service alone. */
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

/** Kinds of rules whose words are those of {@link KEYWORDS}; those of enums and of messages have other values. */
const KINDS = [
  ...['string', 'repeated', 'map', 'int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'],
  ...['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64', 'float', 'double'],
]

/** The rules that a field has in its .proto file. */
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

/** The keywords for the rules of a scalar, a list or a map. One that may be left out may be sent as its zero as well. */
export function ruleKeywords(rules: RuleSet, scalar?: ScalarType): JsonSchema {
  if (rules.ignore === 'IGNORE_ALWAYS') return {}
  const keywords = Object.assign({}, ...KINDS.flatMap((kind) => wordsOf(asObject(rules[kind]))))
  if (scalar === undefined) return rules.ignore === 'IGNORE_IF_ZERO_VALUE' ? {} : keywords
  const zero = scalarZero(scalar)
  if (rules.ignore === 'IGNORE_IF_ZERO_VALUE') return orZero(keywords, zero)
  if (rules.required !== true) return keywords
  return zero === '' ? { minLength: 1, ...keywords } : { not: { const: zero }, ...keywords }
}

/** A pattern has room for the empty text. */
function orZero(keywords: JsonSchema, zero: string | number | boolean): JsonSchema {
  const { pattern, ...others } = keywords
  const [, inner] = /^\^([^|]*)\$$/.exec(String(pattern)) ?? []
  const isPatternAlone = inner !== undefined && Object.keys(others).length === 0
  return isPatternAlone ? { pattern: `^(${inner})?$` } : { anyOf: [{ const: zero }, keywords] }
}

/** True when the zero of an enum is refused. */
export function rejectsZero(rules: RuleSet): boolean {
  const { notIn } = asObject(rules.enum)
  return rules.required === true || (Array.isArray(notIn) && notIn.includes(0))
}

function wordsOf(rules: JsonObject): readonly JsonSchema[] {
  return Object.entries(rules).flatMap(([rule, value]) => {
    const write = KEYWORDS[rule]
    return write ? [write(value)] : []
  })
}

function asObject(json: JsonValue | undefined): JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {}
}
