import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { PROMOTED_ENTRIES } from '../../contract/promoted-properties.ts'
import { readValues, VALUE_COLUMNS } from '../property/value-types.ts'
import { stringArrayCodec } from '../sql/codec.ts'
import { column, type Row } from '../sql/select.ts'
import { Sql } from '../sql/sql.ts'

const promotedColumns = PROMOTED_ENTRIES.map(([, name]) => Sql.of([name], []))

/** The columns that hold an event's properties. */
export const PROPERTY_COLUMNS = {
  promoted: column(stringArrayCodec, promotedList()),
  ...VALUE_COLUMNS,
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
  for (const [key, value] of readValues(row)) put(key, value)
  return { autoProperties: Object.fromEntries(auto), customProperties: Object.fromEntries(custom) }
}

function promotedList(): Sql {
  return Sql.of(['[', ...new Array(promotedColumns.length - 1).fill(', '), ']'], promotedColumns)
}
