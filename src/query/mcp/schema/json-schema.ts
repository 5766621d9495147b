import type { DescEnum, DescField, DescMessage, ScalarType } from '@bufbuild/protobuf'
import { writeAnswer } from './answer-schema.ts'
import { describeEnum, describeField, describeMessage } from './descriptions.ts'
import {
  itemRules,
  oneofKeywords,
  type RuleSet,
  readRules,
  rejectsZero,
  requiredFields,
  ruleKeywords,
  valueRules,
} from './rules.ts'
import { findSharedTypes } from './shared-types.ts'
import { scalarSchema, wellKnownSchema } from './value-schemas.ts'

/** A JSON Schema (draft 2020-12). */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The schema of an object, which a tool requires at the root. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
}

/**
 * The use of a schema. A request schema has the rules and comments of its .proto file and allows no further fields. An answer
 * schema has none of these, so that results may gain fields, and is limited in depth.
 */
export type Purpose = 'request' | 'answer'

/** The type of a single value: of a field, a list element or a map value. */
interface Single {
  readonly message: DescMessage | undefined
  readonly enum: DescEnum | undefined
  readonly scalar: ScalarType | undefined
}

/** Types that the schemas of other tools describe, with the names of those tools. */
export interface DescribedTypes {
  /** Messages that are the arguments of another tool. */
  readonly asArguments: ReadonlyMap<DescMessage | DescEnum, string>
  /** All types. */
  readonly anywhere: ReadonlyMap<DescMessage | DescEnum, string>
}

const NOTHING_DESCRIBED: DescribedTypes = { asArguments: new Map(), anywhere: new Map() }

/**
 * Derives the schema of a message in proto JSON, with the comments of its .proto file. A type that occurs more than once, or
 * inside itself, becomes a definition; one that the schema of another tool describes only refers to that tool. Rules in CEL
 * appear in comments only.
 */
export function deriveSchema(
  root: DescMessage,
  purpose: Purpose,
  described: DescribedTypes = NOTHING_DESCRIBED,
): ObjectSchema {
  return purpose === 'answer' ? writeAnswer(root) : new RequestWriter(root, described).write()
}

class RequestWriter {
  readonly #root: DescMessage
  readonly #described: DescribedTypes
  readonly #shared: ReadonlyMap<DescMessage | DescEnum, string>

  constructor(root: DescMessage, described: DescribedTypes) {
    this.#root = root
    this.#described = described
    this.#shared = findSharedTypes(root, new Set(described.anywhere.keys()))
  }

  write(): ObjectSchema {
    const definitions = [...this.#shared]
      .filter(([type]) => type !== this.#root)
      .map(([type, name]) => [name, this.#definition(type)] as const)
    const object = this.#object(this.#root)
    return definitions.length === 0 ? object : { ...object, $defs: Object.fromEntries(definitions) }
  }

  #definition(type: DescMessage | DescEnum): JsonSchema {
    return type.kind === 'message' ? this.#object(type) : this.#enum(type, {})
  }

  #object(type: DescMessage): ObjectSchema {
    const properties = Object.fromEntries(type.fields.map((field) => [field.jsonName, this.#field(field)]))
    // The tool's own description covers the root.
    const description = type === this.#root ? undefined : describeMessage(type)
    const required = requiredFields(type)
    return {
      type: 'object',
      ...(description && { description }),
      properties,
      ...(required.length > 0 && { required }),
      ...oneofKeywords(type),
      additionalProperties: false,
    }
  }

  /** The comment of a field precedes that of its enum type, and replaces that of its message type. */
  #field(field: DescField): JsonSchema {
    const { description: ofType, ...schema } = this.#value(field, readRules(field))
    const own = this.#described.anywhere.has(field.parent) ? undefined : describeField(field)
    const isCovered = own !== undefined && field.fieldKind === 'message'
    const type = field.message ?? field.enum
    const ofOther = type && this.#referenceTo(type)
    const description = [own, ofOther ?? (isCovered ? undefined : ofType)].filter(Boolean).join(' ')
    return { ...withoutElementDescription(schema), ...(description && { description }) }
  }

  #referenceTo(type: DescMessage | DescEnum): string | undefined {
    const { asArguments, anywhere } = this.#described
    if (asArguments.has(type)) return `The arguments of ${asArguments.get(type)}.`
    return anywhere.has(type) ? `As in ${anywhere.get(type)}.` : undefined
  }

  #value(field: DescField, rules: RuleSet): JsonSchema {
    if (field.fieldKind === 'list') {
      return { type: 'array', items: this.#single(field, itemRules(rules)), ...ruleKeywords(rules) }
    }
    if (field.fieldKind === 'map') {
      const additionalProperties = this.#single(field, valueRules(rules))
      return { type: 'object', additionalProperties, ...ruleKeywords(rules) }
    }
    return this.#single(field, rules)
  }

  #single(single: Single, rules: RuleSet): JsonSchema {
    if (single.message) return this.#message(single.message)
    if (single.enum) return this.#enumOrReference(single.enum, rules)
    if (single.scalar === undefined) throw new Error('a field holds a message, an enum or a scalar')
    const { type, ...bounds } = scalarSchema(single.scalar, 'request')
    const keywords = ruleKeywords(rules, single.scalar)
    return { type, ...(keywords.anyOf ? {} : bounds), ...keywords }
  }

  #message(type: DescMessage): JsonSchema {
    const known = wellKnownSchema(type.typeName)
    if (known) return known
    if (type === this.#root) return { $ref: '#' }
    if (this.#described.anywhere.has(type)) return { type: 'object' }
    return this.#reference(type) ?? this.#object(type)
  }

  #enumOrReference(type: DescEnum, rules: RuleSet): JsonSchema {
    if (this.#described.anywhere.has(type)) return { type: 'string' }
    const reference = this.#reference(type)
    if (!reference) return this.#enum(type, rules)
    return rejectsZero(rules) ? { ...reference, not: { const: type.values[0]?.name } } : reference
  }

  #enum(type: DescEnum, rules: RuleSet): JsonSchema {
    const values = rejectsZero(rules) ? type.values.filter(({ number }) => number !== 0) : type.values
    const description = describeEnum(type, values)
    return { type: 'string', enum: values.map(({ name }) => name), ...(description && { description }) }
  }

  #reference(type: DescMessage | DescEnum): JsonSchema | undefined {
    const name = this.#shared.get(type)
    return name === undefined ? undefined : { $ref: `#/$defs/${name}` }
  }
}

/** Removes the description of list elements, which the description of the list covers. */
function withoutElementDescription(schema: JsonSchema): JsonSchema {
  const { items } = schema
  if (typeof items !== 'object' || items === null || !('description' in items) || 'enum' in items)
    return schema
  const { description: _, ...element } = items
  return { ...schema, items: element }
}
