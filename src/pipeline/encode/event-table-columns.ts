import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { mapColumnType, PROPERTY_TYPE_NAMES, PROPERTY_TYPES } from '../../contract/property-types.ts'

/**
 * The inserted columns of `events` in block order, with their types on the wire: plain types, which the engine casts to
 * LowCardinality at less cost than sending dictionaries.
 */
export const COLUMNS: readonly (readonly [name: string, type: string])[] = [
  ['project', 'UInt32'],
  ['kind', 'String'],
  ['time', "DateTime64(3, 'UTC')"],
  ['distinct_id', 'String'],
  ['session_id', 'UUID'],
  ['event_id', 'UUID'],
  ['cookieless', 'Bool'],
  ...PROMOTED_ENTRIES.map(([, column]) => [column, 'String'] as const),
  ...PROPERTY_TYPE_NAMES.map((type) => [PROPERTY_TYPES[type].column, mapColumnType(type)] as const),
]

/** Columns that are maps: a running count of pairs, keys and values each. */
export const MAP_COLUMN_COUNT = PROPERTY_TYPE_NAMES.length
