import type { DescEnum, DescField, DescMessage, ScalarType } from '@bufbuild/protobuf'
import { describeEnum, describeField, describeMessage } from './descriptions.ts'
import { oneofKeywords } from './oneofs.ts'
import { requiredFields } from './required-fields.ts'
import { itemRules, type RuleSet, readRules, rejectsZero, ruleKeywords, valueRules } from './rules.ts'
import { scalarSchema } from './scalars.ts'
import { findSharedTypes } from './shared-types.ts'
import { wellKnownSchema } from './well-known.ts'

/** A JSON Schema of dialect 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The schema of an object, as a tool has it at its root. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
}

/**
 * What a schema is for. One of a request has the rules of its .proto file and no other fields; one of an answer has
 * neither, so that an answer may grow.
 */
export type Purpose = 'request' | 'answer'

/** A field, an element or a map's value: what a field holds one of. */
interface Single {
  readonly message: DescMessage | undefined
  readonly enum: DescEnum | undefined
  readonly scalar: ScalarType | undefined
}

/**
 * The JSON form of a message as a schema, with the comments of its .proto file. A type that occurs more than once, or
 * inside itself, is a definition that is referred to. What rules in CEL demand is told in words only.
 */
export function deriveSchema(root: DescMessage, purpose: Purpose): ObjectSchema {
  return new SchemaWriter(root, purpose).write()
}

class SchemaWriter {
  readonly #root: DescMessage
  readonly #purpose: Purpose
  readonly #shared: ReadonlyMap<DescMessage | DescEnum, string>

  constructor(root: DescMessage, purpose: Purpose) {
    this.#root = root
    this.#purpose = purpose
    this.#shared = findSharedTypes(root)
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
    const description = describeMessage(type)
    const object: ObjectSchema = { type: 'object', ...(description && { description }), properties }
    if (this.#purpose === 'answer') return object
    const required = requiredFields(type)
    return {
      ...object,
      ...(required.length > 0 && { required }),
      ...oneofKeywords(type),
      additionalProperties: false,
    }
  }

  #field(field: DescField): JsonSchema {
    const rules = this.#purpose === 'request' ? readRules(field) : {}
    const schema = this.#value(field, rules)
    const own = describeField(field)
    const description = [own, schema.description].filter(Boolean).join(' ')
    return { ...schema, ...(description && { description }) }
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
    return { ...scalarSchema(single.scalar, this.#purpose), ...ruleKeywords(rules, single.scalar) }
  }

  #message(type: DescMessage): JsonSchema {
    const known = wellKnownSchema(type.typeName)
    if (known) return known
    return type === this.#root ? { $ref: '#' } : (this.#reference(type) ?? this.#object(type))
  }

  #enumOrReference(type: DescEnum, rules: RuleSet): JsonSchema {
    const reference = this.#reference(type)
    if (!reference) return this.#enum(type, rules)
    return rejectsZero(rules) ? { ...reference, not: { const: type.values[0]?.name } } : reference
  }

  #enum(type: DescEnum, rules: RuleSet): JsonSchema {
    const values = rejectsZero(rules) ? type.values.filter(({ number }) => number !== 0) : type.values
    return {
      type: 'string',
      enum: values.map(({ name }) => name),
      description: describeEnum(type, values),
    }
  }

  #reference(type: DescMessage | DescEnum): JsonSchema | undefined {
    const name = this.#shared.get(type)
    return name === undefined ? undefined : { $ref: `#/$defs/${name}` }
  }
}
