import type { JsonValue } from '@bufbuild/protobuf'
import {
  PROPERTY_COLUMNS,
  PROPERTY_TYPE_NAMES,
  PROPERTY_TYPES,
  type PropertyType,
} from '../../contract/property-types.ts'
import { bigintCodec, boolCodec, float64Codec, int64Codec, mapCodec, stringCodec } from '../sql/codec.ts'
import { type Column, column, type Row } from '../sql/select.ts'
import { Sql, sql } from '../sql/sql.ts'
import { doubleText, timeText } from './value-sql.ts'

/** SQL and codecs for the values of one property type. */
interface ValueType<Cell> {
  /** The text form of a value, in which filters and breakdowns see it: the SQL of `PROPERTY_TYPES[type].text`. */
  readonly text: (value: Sql) => Sql
  /** Every text form matches this pattern. */
  readonly pattern: RegExp
  /** The value as a double, for types that have one. */
  readonly number?: (value: Sql) => Sql
  /** The value as the proto JSON of its variant. */
  readonly protoJson: (value: Sql) => Sql
  /** The map column of an event, as a result column. */
  readonly column: Column<Readonly<Record<string, Cell>>>
  /** A value of that column as plain JSON. */
  readonly plainJson: (cell: Cell) => JsonValue
}

const asIs = (value: Sql): Sql => value
const itself = <T>(value: T): T => value

/** Every type of property values, as queries read it. */
export const VALUE_TYPES = {
  string: {
    text: asIs,
    pattern: /^/,
    protoJson: (value) => sql`toJSONString(${value})`,
    column: column(mapCodec(stringCodec), mapOf('string')),
    plainJson: itself,
  } satisfies ValueType<string>,
  int: {
    text: (value) => sql`toString(${value})`,
    pattern: /^-?\d+$/,
    number: (value) => sql`toFloat64(${value})`,
    protoJson: (value) => sql`concat('"', toString(${value}), '"')`,
    column: column(mapCodec(bigintCodec), mapOf('int')),
    plainJson: (int) => (Number.isSafeInteger(Number(int)) ? Number(int) : int.toString()),
  } satisfies ValueType<bigint>,
  double: {
    text: doubleText,
    pattern: /^-?(\d|inf|nan)/i,
    number: asIs,
    protoJson: (value) => sql`toString(${value})`,
    column: column(mapCodec(float64Codec), mapOf('double')),
    plainJson: itself,
  } satisfies ValueType<number>,
  bool: {
    text: (value) => sql`if(${value}, 'true', 'false')`,
    pattern: /^(true|false)$/,
    protoJson: (value) => sql`toString(${value})`,
    column: column(mapCodec(boolCodec), mapOf('bool')),
    plainJson: itself,
  } satisfies ValueType<boolean>,
  time: {
    text: timeText,
    pattern: /^[+-]?\d.*Z$/,
    protoJson: (value) => sql`concat('"', ${timeText(value)}, '"')`,
    column: column(
      mapCodec(int64Codec),
      sql`mapApply((k, v) -> (k, toUnixTimestamp64Milli(v)), ${mapOf('time')})`,
    ),
    plainJson: (timeMs) => new Date(timeMs).toISOString(),
  } satisfies ValueType<number>,
} as const satisfies Record<PropertyType, unknown>

/** The map column of a type. */
export function mapOf(type: PropertyType): Sql {
  return Sql.of([PROPERTY_TYPES[type].column], [])
}

/** All map columns, in their order. */
export const MAPS: readonly Sql[] = PROPERTY_COLUMNS.map((column) => Sql.of([column], []))

/** The map columns of an event, as result columns. */
export const VALUE_COLUMNS = Object.fromEntries(
  PROPERTY_TYPE_NAMES.map((type) => [type, VALUE_TYPES[type].column]),
) as { readonly [Type in PropertyType]: (typeof VALUE_TYPES)[Type]['column'] }

/** The keys of an event with their values as plain JSON. */
export function readValues(
  row: Row<typeof VALUE_COLUMNS>,
): readonly (readonly [key: string, value: JsonValue])[] {
  return PROPERTY_TYPE_NAMES.flatMap((type) => {
    const plainJson: (value: never) => JsonValue = VALUE_TYPES[type].plainJson
    return Object.entries(row[type]).map(([key, value]) => [key, plainJson(value as never)] as const)
  })
}
