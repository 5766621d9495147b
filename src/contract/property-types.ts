import { PropertyValueType } from './gen/common/v1/property_pb.js'

/** The values of properties in TypeScript, by type. */
export interface PropertyValues {
  readonly string: string
  readonly int: bigint
  readonly double: number
  readonly bool: boolean
  /** Milliseconds since the Unix epoch. */
  readonly time: number
}

/** A type of property values: a variant of `common.v1.PropertyValue`. */
export type PropertyType = keyof PropertyValues

/** A typed property value. */
export type PropertyValue = {
  readonly [Type in PropertyType]: { readonly type: Type; readonly value: PropertyValues[Type] }
}[PropertyType]

/** One type wherever it appears: on the wire, in the tables, in queries. */
interface PropertyTypeFacts<Type extends PropertyType> {
  /** The variant in proto JSON, in the spelling of the service; parsers accept {@link protoField} as well. */
  readonly jsonField: string
  /** The variant in the .proto file. */
  readonly protoField: string
  /** Its field number. */
  readonly fieldNumber: number
  /** The map column of `events` that holds the values. */
  readonly column: string
  /** Type of the column's values. */
  readonly clickhouseType: string
  /** The type in the filter schema. */
  readonly valueType: PropertyValueType
  /** The text form of a value, in which filters and breakdowns see it. */
  readonly text: (value: PropertyValues[Type]) => string
}

/**
 * Every type of property values, in the order of the columns of `events`. Readers and writers of one type derive from
 * this table; the scanners of the pipeline repeat it as constants, and a test compares them.
 *
 * A new type is added in property.proto and here, and then where each type has code of its own: `VALUE_RULES` in
 * event-rules.ts, `READERS` in json-slow.ts and binary-slow.ts, the cases of json-property-scanner.ts and binary-scanner.ts,
 * property-columns.ts, `VALUE_TYPES` in query/property/value-types.ts, a migration, and a new layout in stored-block.ts.
 */
export const PROPERTY_TYPES = {
  string: {
    jsonField: 'stringValue',
    protoField: 'string_value',
    fieldNumber: 1,
    column: 'strings',
    clickhouseType: 'String',
    valueType: PropertyValueType.STRING,
    text: (value) => value,
  },
  int: {
    jsonField: 'intValue',
    protoField: 'int_value',
    fieldNumber: 2,
    column: 'ints',
    clickhouseType: 'Int64',
    valueType: PropertyValueType.INTEGER,
    text: String,
  },
  double: {
    jsonField: 'doubleValue',
    protoField: 'double_value',
    fieldNumber: 3,
    column: 'doubles',
    clickhouseType: 'Float64',
    valueType: PropertyValueType.FLOAT,
    text: String,
  },
  bool: {
    jsonField: 'boolValue',
    protoField: 'bool_value',
    fieldNumber: 4,
    column: 'bools',
    clickhouseType: 'Bool',
    valueType: PropertyValueType.BOOLEAN,
    text: String,
  },
  time: {
    jsonField: 'timestampValue',
    protoField: 'timestamp_value',
    fieldNumber: 5,
    column: 'times',
    clickhouseType: "DateTime64(3, 'UTC')",
    valueType: PropertyValueType.DATETIME,
    text: (value) => new Date(value).toISOString(),
  },
} as const satisfies { readonly [Type in PropertyType]: PropertyTypeFacts<Type> }

/** The types, in the order of the columns of `events`. */
export const PROPERTY_TYPE_NAMES = Object.keys(PROPERTY_TYPES) as readonly PropertyType[]

/** The map columns of `events`, in their order. */
export const PROPERTY_COLUMNS: readonly string[] = PROPERTY_TYPE_NAMES.map(
  (type) => PROPERTY_TYPES[type].column,
)

/** ClickHouse type of a type's map column. */
export function mapColumnType(type: PropertyType): string {
  return `Map(String, ${PROPERTY_TYPES[type].clickhouseType})`
}
