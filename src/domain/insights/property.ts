import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { PROMOTED_PROPERTIES, type PromotedProperty } from '../../contract/promoted-properties.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** Names of properties in queries, as in the rules of the .proto files. */
export const PROPERTY_NAME = /^[$]?[a-zA-Z0-9_-]+([.][a-zA-Z0-9_-]+)*$/

/** Longer than any event key may be. */
const NAME_CHARACTERS_MAX = 1024

/**
 * Maximum locations to search for the value of a dotted name. Each one is a part of the statement with its path as a
 * parameter: without a limit the work grows with the square of the number of dots.
 */
const NESTED_MAX = 16

/** A possible location of a nested value: the key that holds JSON text, and the path inside it. */
export interface NestedLocation {
  readonly key: string
  readonly path: readonly string[]
}

/** The storage of a property's values. All code refers to properties in this form. */
export type Property =
  /** An event's column, which holds the text of every value. */
  | { readonly home: 'column'; readonly key: PromotedProperty; readonly column: string }
  /** An event's maps; `nested` lists the locations to search, in order, when the key itself is absent. */
  | { readonly home: 'maps'; readonly key: string; readonly nested: readonly NestedLocation[] }
  /** A trait of the user. */
  | { readonly home: 'trait'; readonly key: string; readonly nested: readonly NestedLocation[] }
  /** A property of the first event of the event's session, or of its user. */
  | { readonly home: 'first'; readonly of: FirstOf; readonly property: EventProperty }

/** Whose first event a property is read from. */
export type FirstOf = 'session' | 'user'

/** A property of an event. */
export type EventProperty = Extract<Property, { readonly home: 'column' | 'maps' }>

/** A property of the first event of a session or of a user. */
export type FirstProperty = Extract<Property, { readonly home: 'first' }>

/** A trait of the user. */
export type TraitProperty = Extract<Property, { readonly home: 'trait' }>

/**
 * Resolves where a property is stored: `$` names are auto properties of the event, other names custom ones, and traits or
 * properties of a first event only by their source. Throws `invalid_argument` for a name that is too long.
 */
export function resolveProperty(name: string, source = PropertySource.UNSPECIFIED): Property {
  switch (source) {
    case PropertySource.PROFILE:
      return { home: 'trait', key: name, nested: nestedLocations(name) }
    case PropertySource.SESSION_ENTRY:
      return { home: 'first', of: 'session', property: resolveEventProperty(name) }
    case PropertySource.FIRST_TOUCH:
      return { home: 'first', of: 'user', property: resolveEventProperty(name) }
    default:
      return resolveEventProperty(name)
  }
}

/**
 * Resolves a property of an event. A dotted name is the flat key, else a path inside the JSON text of a prefix, the longest
 * prefix first, at most {@link NESTED_MAX}. Throws `invalid_argument` for a name that is too long.
 */
export function resolveEventProperty(name: string): EventProperty {
  const nested = nestedLocations(name)
  if (isPromoted(name)) return { home: 'column', key: name, column: PROMOTED_PROPERTIES[name] }
  return { home: 'maps', key: name, nested }
}

/** The rule that a source and a name break together, as the end of a sentence about the name; `undefined` for none. */
export function sourceViolation(name: string, source: PropertySource | undefined): string | undefined {
  const isAuto = name.startsWith('$')
  if (source === PropertySource.AUTO && !isAuto) return 'must start with $ for an auto property'
  if (source === PropertySource.CUSTOM && isAuto) return 'must not start with $ for a custom property'
  return undefined
}

function isPromoted(name: string): name is PromotedProperty {
  return Object.hasOwn(PROMOTED_PROPERTIES, name)
}

function nestedLocations(name: string): NestedLocation[] {
  if (name.length > NAME_CHARACTERS_MAX) {
    throw new ServiceError({
      code: 'invalid_argument',
      reason: 'INVALID_REQUEST',
      message: `a property name must not exceed ${NAME_CHARACTERS_MAX} characters`,
    })
  }
  const parts = name.split('.')
  return Array.from({ length: Math.min(parts.length - 1, NESTED_MAX) }, (_, index) => {
    const keyParts = parts.length - 1 - index
    return { key: parts.slice(0, keyParts).join('.'), path: parts.slice(keyParts) }
  })
}

/** Whether a text can be the name of a property. */
export function isPropertyName(text: string): boolean {
  return PROPERTY_NAME.test(text)
}
