import { unreachable } from '../../kernel/assert.ts'
import { stringCodec } from '../sql/codec.ts'
import { join, param, Sql, sql } from '../sql/sql.ts'
import { type Property, resolveProperty } from './property.ts'
import { decimalNumber, doubleText, jsonValue, timeText } from './value-sql.ts'

/** A property of an event. */
export type EventProperty = Exclude<Property, { readonly home: 'trait' }>

/** The text of a property of the row's event; empty when the property is missing or null. */
export function eventPropertyText(property: EventProperty): Sql {
  switch (property.home) {
    case 'column':
      return columnOf(property.column)
    case 'maps':
      return withNested(property, {
        flat: mapText(key(property.key)),
        nested: (json, path) => jsonValue(json, path).text,
        missing: sql`''`,
      })
    default:
      return unreachable(property)
  }
}

/**
 * An expression that equals one of `texts` exactly when {@link eventPropertyText} does, but reads the fewest columns:
 * `pro` is not a number, so finding it reads no number maps.
 */
export function eventPropertyTextAmong(property: EventProperty, texts: readonly string[]): Sql {
  const isPlainKey = property.home === 'maps' && property.nested.length === 0
  // The empty text stands for a missing property, which only all maps together can establish.
  if (!isPlainKey || texts.includes('')) return eventPropertyText(property)
  const name = key(property.key)
  const branches = TYPED_TEXTS.filter(({ pattern }) => texts.some((text) => pattern.test(text)))
  if (branches.length === 0) return sql`strings[${name}]`
  return sql`multiIf(${join(branches.map(typedText(name)), sql`, `)}, strings[${name}])`
}

/** The numeric value of a property of the row's event, as a double; NULL when it has none. */
export function eventPropertyNumber(property: EventProperty): Sql {
  switch (property.home) {
    case 'column': {
      const column = columnOf(property.column)
      const name = key(property.key)
      // A double that prints with an exponent is not a plain decimal, so it is read from its map.
      const double = sql`if(mapContains(doubles, ${name}), doubles[${name}], NULL)`
      return sql`ifNull(${decimalNumber(sql`toString(${column})`)}, ${double})`
    }
    case 'maps':
      return withNested(property, {
        flat: mapNumber(key(property.key)),
        nested: (json, path) => jsonValue(json, path).number,
        missing: sql`NULL`,
      })
    default:
      return unreachable(property)
  }
}

interface TypedText {
  readonly map: string
  readonly text: (value: Sql) => Sql
  readonly pattern: RegExp
}

/** The text form of non-string values, by the map that holds them, and a pattern that every such text matches. */
const TYPED_TEXTS: readonly TypedText[] = [
  { map: 'ints', text: (value) => sql`toString(${value})`, pattern: /^-?\d+$/ },
  { map: 'doubles', text: doubleText, pattern: /^-?(\d|inf|nan)/i },
  { map: 'bools', text: (value) => sql`if(${value}, 'true', 'false')`, pattern: /^(true|false)$/ },
  { map: 'times', text: timeText, pattern: /^[+-]?\d.*Z$/ },
]

interface Reading {
  readonly flat: Sql
  readonly nested: (json: Sql, path: readonly string[]) => Sql
  readonly missing: Sql
}

/** The flat key if the event has it, else the first nested location that has a value. */
function withNested(property: Extract<EventProperty, { home: 'maps' }>, reading: Reading): Sql {
  if (property.nested.length === 0) return reading.flat
  const places = property.nested.map((place) => {
    const json = heldText(place.key)
    return sql`${jsonValue(json, place.path).isThere}, ${reading.nested(json, place.path)}`
  })
  return sql`multiIf(${hasKey(key(property.key))}, ${reading.flat}, ${join(places, sql`, `)}, ${reading.missing})`
}

/** The text of a key of the event, which may contain JSON. */
function heldText(name: string): Sql {
  const property = resolveProperty(name)
  return property.home === 'column' ? columnOf(property.column) : sql`strings[${key(name)}]`
}

function hasKey(name: Sql): Sql {
  const maps = ['strings', 'ints', 'doubles', 'bools', 'times'].map(
    (map) => sql`mapContains(${columnOf(map)}, ${name})`,
  )
  return sql`(${join(maps, sql` OR `)})`
}

function mapText(name: Sql): Sql {
  const branches = [sql`mapContains(strings, ${name}), strings[${name}]`, ...TYPED_TEXTS.map(typedText(name))]
  return sql`multiIf(${join(branches, sql`, `)}, '')`
}

/** Two arguments of `multiIf`: whether a map has the key, and the text of its value. */
function typedText(name: Sql): (typed: TypedText) => Sql {
  return ({ map, text }) => {
    const column = columnOf(map)
    return sql`mapContains(${column}, ${name}), ${text(sql`${column}[${name}]`)}`
  }
}

function mapNumber(name: Sql): Sql {
  const branches = [
    sql`mapContains(ints, ${name}), toFloat64(ints[${name}])`,
    sql`mapContains(doubles, ${name}), doubles[${name}]`,
  ]
  return sql`multiIf(${join(branches, sql`, `)}, ${decimalNumber(sql`strings[${name}]`)})`
}

function key(name: string): Sql {
  return sql`${param(stringCodec, name)}`
}

/** A column named in this module's constants, never in a request. */
function columnOf(name: string): Sql {
  return Sql.of([name], [])
}
