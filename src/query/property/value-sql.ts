import { stringCodec } from '../sql/codec.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'

/** The text of a double, as JavaScript prints it, with -0 as 0. */
export function doubleText(value: Sql): Sql {
  return sql`if(abs(${value}) >= 1e21, replaceOne(toString(${value}), 'e', 'e+'), toString(${value} + 0.))`
}

/**
 * The text of an instant (`DateTime64(3, 'UTC')`): RFC 3339 with milliseconds and `Z`. The engine's calendar covers the
 * years 1900 to 2299 only; other years are mapped into it, because the calendar repeats every 400 years.
 */
export function timeText(value: Sql): Sql {
  const milliseconds = sql`toUnixTimestamp64Milli(${value})`
  const cycles = sql`toInt64(floor((${milliseconds} + 2208988800000) / 12622780800000))`
  const shifted = sql`toString(fromUnixTimestamp64Milli(${milliseconds} - ${cycles} * 12622780800000, 'UTC'))`
  const year = sql`leftPad(toString(toInt32(substring(${shifted}, 1, 4)) + 400 * ${cycles}), 4, '0')`
  return sql`concat(${year}, substring(${shifted}, 5, 6), 'T', substring(${shifted}, 12), 'Z')`
}

/** The number in a text that is a finite plain decimal; NULL otherwise. */
export function decimalNumber(text: Sql): Sql {
  const number = sql`toFloat64OrNull(${text})`
  return sql`if(match(${text}, '^-?[0-9]+([.][0-9]+)?$') AND isFinite(${number}), ${number}, NULL)`
}

/** A value inside JSON text. */
export interface JsonValueSql {
  /** Whether the path has a value, null included. */
  readonly exists: Sql
  /** Its text; empty for null. */
  readonly text: Sql
  /** Its number; NULL when it has none. */
  readonly number: Sql
}

/** The value at a path of object keys in JSON text; an empty path reads the root value. */
export function jsonValue(json: Sql, path: readonly string[]): JsonValueSql {
  const keys = path.map((key) => sql`${param(stringCodec, key)}`)
  const at = join([json, ...keys], sql`, `)
  const type = sql`JSONType(${at})`
  const double = sql`JSONExtractFloat(${at})`
  const text = sql`JSONExtractString(${at})`
  return {
    exists: path.length === 0 ? sql`isValidJSON(${json})` : sql`JSONHas(${at})`,
    text: sql`multiIf(${type} = 'String', ${text}, ${type} IN ('Double', 'UInt64'), ${doubleText(double)}, ${type} = 'Null', '', JSONExtractRaw(${at}))`,
    number: sql`multiIf(${type} IN ('Int64', 'UInt64', 'Double'), ${double}, ${type} = 'String', ${decimalNumber(text)}, NULL)`,
  }
}
