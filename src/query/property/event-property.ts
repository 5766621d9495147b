import { PROPERTY_TYPE_NAMES, type PropertyType } from '../../contract/property-types.ts'
import { type EventProperty, resolveEventProperty } from '../../domain/insights/property.ts'
import { unreachable } from '../../kernel/assert.ts'
import { stringArrayCodec, stringCodec } from '../sql/codec.ts'
import { join, param, Sql, sql } from '../sql/sql.ts'
import { decimalNumber, jsonValue } from './value-sql.ts'
import { MAPS, mapOf, VALUE_TYPES } from './value-types.ts'

/** SQL that reads a key of the maps of the row's event. The key is a text parameter. */
export interface MapReading {
  /** The text of a key's value; empty when the event does not have the key. */
  readonly text: (key: Sql) => Sql
  /** Its number as a double; NULL when it has none. */
  readonly number: (key: Sql) => Sql
  /** Whether the event has the key. */
  readonly has: (key: Sql) => Sql
}

/** The text of a property of the row's event; empty when the property is missing or null. */
export function eventPropertyText(property: EventProperty, maps: MapReading = EACH_MAP): Sql {
  switch (property.home) {
    case 'column':
      return columnOf(property.column)
    case 'maps':
      return withNested(property, {
        has: maps.has,
        flat: maps.text(key(property.key)),
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
export function eventPropertyTextAmong(
  property: EventProperty,
  texts: readonly string[],
  maps: MapReading = EACH_MAP,
): Sql {
  const branches = typesAmong(property, texts)
  if (!branches || (maps !== EACH_MAP && branches.length > 0)) return eventPropertyText(property, maps)
  const name = key(property.key)
  if (branches.length === 0) return sql`strings[${name}]`
  return sql`multiIf(${join(branches.map(typedText(name)), sql`, `)}, strings[${name}])`
}

/** Whether a comparison with `texts` reads the map of strings only. */
export function isAmongStrings(property: EventProperty, texts: readonly string[]): boolean {
  return typesAmong(property, texts)?.length === 0
}

/** Types besides strings whose values may be one of `texts`; `undefined` when every map must be read. */
function typesAmong(property: EventProperty, texts: readonly string[]): readonly TypedText[] | undefined {
  const isPlainKey = property.home === 'maps' && property.nested.length === 0
  // The empty text stands for a missing property, which only all maps together can establish.
  if (!isPlainKey || texts.includes('')) return undefined
  return TYPED_TEXTS.filter((type) => texts.some((text) => VALUE_TYPES[type].pattern.test(text)))
}

/** The numeric value of a property of the row's event, as a double; NULL when it has none. */
export function eventPropertyNumber(property: EventProperty, maps: MapReading = EACH_MAP): Sql {
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
        has: maps.has,
        flat: maps.number(key(property.key)),
        nested: (json, path) => jsonValue(json, path).number,
        missing: sql`NULL`,
      })
    default:
      return unreachable(property)
  }
}

type TypedText = Exclude<PropertyType, 'string'>

/** Types whose values have a text form besides strings, which are their own. */
const TYPED_TEXTS = PROPERTY_TYPE_NAMES.filter((type) => type !== 'string')

/** A type whose values are numbers. */
type NumberType = {
  [Type in PropertyType]: (typeof VALUE_TYPES)[Type] extends { number: unknown } ? Type : never
}[PropertyType]

const NUMBER_TYPES = PROPERTY_TYPE_NAMES.filter((type): type is NumberType => 'number' in VALUE_TYPES[type])

interface Reading {
  readonly has: MapReading['has']
  readonly flat: Sql
  readonly nested: (json: Sql, path: readonly string[]) => Sql
  readonly missing: Sql
}

/** The flat key if the event has it, else the first nested location that has a value. */
function withNested(property: Extract<EventProperty, { home: 'maps' }>, reading: Reading): Sql {
  if (property.nested.length === 0) return reading.flat
  const locations = property.nested.map((location) => {
    const json = heldText(location.key)
    return sql`${jsonValue(json, location.path).exists}, ${reading.nested(json, location.path)}`
  })
  return sql`multiIf(${reading.has(key(property.key))}, ${reading.flat}, ${join(locations, sql`, `)}, ${reading.missing})`
}

/** The text of a key of the event, which may contain JSON. */
function heldText(name: string): Sql {
  const property = resolveEventProperty(name)
  return property.home === 'column' ? columnOf(property.column) : sql`strings[${key(name)}]`
}

/** Reads each map for each key. */
const EACH_MAP: MapReading = { text: mapText, number: mapNumber, has: hasKey }

/** Reads keys that {@link gatherKeys} gathered. */
const GATHERED: MapReading = {
  text: (name) => sql`gathered_texts[${name}]`,
  number: (name) => sql`gathered_numbers[${name}]`,
  has: (name) => sql`mapContains(gathered_texts, ${name})`,
}

/** Keys whose texts and whose numbers a condition reads. */
export interface GatheredKeys {
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
}

/**
 * Gathers keys of an event into one map of texts and one of numbers, for a condition on many keys: per key the engine then
 * plans one map access instead of the conversion of each type. The condition is the body of a lambda over the two maps,
 * which the engine plans separately; its value is 0 or 1.
 */
export function gatherKeys(keys: GatheredKeys, condition: (maps: MapReading) => Sql): Sql {
  const body = condition(GATHERED)
  return sql`arrayExists((gathered_texts, gathered_numbers) -> ${body}, [${gatherTexts(keys.texts)}], [${gatherNumbers(keys.numbers)}])`
}

/** An event has each key in one map only. */
function gatherTexts(keys: readonly string[]): Sql {
  if (keys.length === 0) return sql`map()`
  const ofKeys = restrictTo(keys)
  const typed = TYPED_TEXTS.map(
    (type) => sql`mapApply((k, v) -> (k, ${VALUE_TYPES[type].text(sql`v`)}), ${ofKeys(mapOf(type))})`,
  )
  return sql`mapConcat(${join([ofKeys(sql`strings`), ...typed], sql`, `)})`
}

function gatherNumbers(keys: readonly string[]): Sql {
  if (keys.length === 0) return sql`map()`
  const ofKeys = restrictTo(keys)
  const typed = NUMBER_TYPES.map(
    (type) =>
      sql`mapApply((k, v) -> (k, toNullable(${VALUE_TYPES[type].number(sql`v`)})), ${ofKeys(mapOf(type))})`,
  )
  const strings = sql`mapApply((k, v) -> (k, ${decimalNumber(sql`v`)}), ${ofKeys(sql`strings`)})`
  return sql`mapConcat(${join([...typed, strings], sql`, `)})`
}

function restrictTo(keys: readonly string[]): (map: Sql) => Sql {
  const wanted = param(stringArrayCodec, keys)
  return (map) => sql`mapFilter((k, v) -> k IN ${wanted}, ${map})`
}

function hasKey(name: Sql): Sql {
  const found = MAPS.map((map) => sql`mapContains(${map}, ${name})`)
  return sql`(${join(found, sql` OR `)})`
}

function mapText(name: Sql): Sql {
  const branches = [sql`mapContains(strings, ${name}), strings[${name}]`, ...TYPED_TEXTS.map(typedText(name))]
  return sql`multiIf(${join(branches, sql`, `)}, '')`
}

/** Two arguments of `multiIf`: whether a map has the key, and the text of its value. */
function typedText(name: Sql): (typed: TypedText) => Sql {
  return (type) => {
    const map = mapOf(type)
    return sql`mapContains(${map}, ${name}), ${VALUE_TYPES[type].text(sql`${map}[${name}]`)}`
  }
}

function mapNumber(name: Sql): Sql {
  const branches = NUMBER_TYPES.map((type) => {
    const map = mapOf(type)
    return sql`mapContains(${map}, ${name}), ${VALUE_TYPES[type].number(sql`${map}[${name}]`)}`
  })
  return sql`multiIf(${join(branches, sql`, `)}, ${decimalNumber(sql`strings[${name}]`)})`
}

function key(name: string): Sql {
  return sql`${param(stringCodec, name)}`
}

/** A column named in this module's constants, never in a request. */
function columnOf(name: string): Sql {
  return Sql.of([name], [])
}
