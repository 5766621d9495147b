import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import {
  bigintCodec,
  boolCodec,
  float64Codec,
  int64Codec,
  mapCodec,
  stringArrayCodec,
  stringCodec,
} from '../sql/codec.ts'
import { column, type Row } from '../sql/select.ts'
import { Sql, sql } from '../sql/sql.ts'

const promotedColumns = PROMOTED_ENTRIES.map(([, name]) => Sql.of([name], []))

/** The columns that hold an event's properties. */
export const PROPERTY_COLUMNS = {
  promoted: column(stringArrayCodec, promotedList()),
  strings: column(mapCodec(stringCodec), sql`strings`),
  ints: column(mapCodec(bigintCodec), sql`ints`),
  doubles: column(mapCodec(float64Codec), sql`doubles`),
  bools: column(mapCodec(boolCodec), sql`bools`),
  timesMs: column(mapCodec(int64Codec), sql`mapApply((k, v) -> (k, toUnixTimestamp64Milli(v)), times)`),
}

/** Properties as plain typed JSON: text, numbers, booleans, and RFC 3339 text for times. */
export function readProperties(row: Row<typeof PROPERTY_COLUMNS>): {
  readonly autoProperties: JsonObject
  readonly customProperties: JsonObject
} {
  // Pairs, not objects: a client may send a property named `__proto__`.
  const auto: [string, JsonValue][] = []
  const custom: [string, JsonValue][] = []
  const put = (key: string, value: JsonValue): void => {
    const pairs = key.startsWith('$') ? auto : custom
    pairs.push([key, value])
  }
  PROMOTED_ENTRIES.forEach(([property], index) => {
    const text = row.promoted[index] ?? ''
    if (text !== '') put(property, text)
  })
  for (const [key, value] of Object.entries(row.strings)) put(key, value)
  for (const [key, value] of Object.entries(row.ints)) put(key, readInt(value))
  for (const [key, value] of Object.entries(row.doubles)) put(key, value)
  for (const [key, value] of Object.entries(row.bools)) put(key, value)
  for (const [key, value] of Object.entries(row.timesMs)) put(key, new Date(value).toISOString())
  return { autoProperties: Object.fromEntries(auto), customProperties: Object.fromEntries(custom) }
}

/** A JSON number when that is exact, else the digits as text. */
function readInt(value: bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

function promotedList(): Sql {
  return Sql.of(['[', ...new Array(promotedColumns.length - 1).fill(', '), ']'], promotedColumns)
}
