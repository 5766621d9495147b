import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { PROMOTED_PROPERTIES, type PromotedProperty } from '../../contract/promoted-properties.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** Each part of a name is a place to look in, and its path a parameter: the work grows with the square of their number. */
const PARTS_MAX = 16
const NAME_CHARACTERS_MAX = 1024

/** A place of a nested value: the key that holds JSON text, and the way from there. */
export interface NestedPlace {
  readonly key: string
  readonly path: readonly string[]
}

/** Where the values of a property are. Everything that asks for a property asks for it in this form. */
export type Property =
  /** An event's column, which holds the text of every value. */
  | { readonly home: 'column'; readonly key: PromotedProperty; readonly column: string }
  /** An event's maps; `nested` are the places to look in when the key itself is not there, in order. */
  | { readonly home: 'maps'; readonly key: string; readonly nested: readonly NestedPlace[] }
  /** A trait of the user. */
  | { readonly home: 'trait'; readonly key: string; readonly nested: readonly NestedPlace[] }

/**
 * Decides where a property lives (semantics.md section 3): `$` names are auto properties of the event, other names
 * custom ones, and traits only where the source says so. A dotted name is the flat key, else a path inside the JSON
 * text of a prefix, the longest prefix first. Throws `invalid_argument` for a name that is too long.
 */
export function resolveProperty(name: string, source = PropertySource.UNSPECIFIED): Property {
  const nested = nestedPlaces(name)
  if (source === PropertySource.PROFILE) return { home: 'trait', key: name, nested }
  if (isPromoted(name)) return { home: 'column', key: name, column: PROMOTED_PROPERTIES[name] }
  return { home: 'maps', key: name, nested }
}

function isPromoted(name: string): name is PromotedProperty {
  return Object.hasOwn(PROMOTED_PROPERTIES, name)
}

function nestedPlaces(name: string): NestedPlace[] {
  const parts = name.length > NAME_CHARACTERS_MAX ? [] : name.split('.', PARTS_MAX + 1)
  if (parts.length === 0 || parts.length > PARTS_MAX) {
    throw new ServiceError({
      code: 'invalid_argument',
      reason: 'INVALID_REQUEST',
      message: `the name of a property has at most ${NAME_CHARACTERS_MAX} characters and ${PARTS_MAX} parts`,
    })
  }
  return parts
    .slice(1)
    .map((_, index) => ({
      key: parts.slice(0, index + 1).join('.'),
      path: parts.slice(index + 1),
    }))
    .reverse()
}
