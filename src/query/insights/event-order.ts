import { Sql, sql } from '../sql/sql.ts'

/** The engine sorts a UUID by its second half first; this number sorts as the text does. */
const ID_NUMBER: Sql = sql`bitOr(bitShiftLeft(reinterpretAsUInt128(event_id), 64), bitShiftRight(reinterpretAsUInt128(event_id), 64))`

/**
 * Where the row's event stands among others: by time, then by the text of its id. One number of 170 bits (`UInt256`),
 * because tuples and texts cost several times as much to compare.
 */
export const EVENT_ORDER: Sql = sql`${shiftLeft256(sql`toUInt64(toUnixTimestamp64Milli(time))`, 128)} + ${ID_NUMBER}`

/** A number that is not negative before `bits` others, as a `UInt256`: the engine multiplies twice as fast as it shifts. */
export function shiftLeft256(value: Sql, bits: number): Sql {
  const power = Sql.of([`toUInt256('${2n ** BigInt(bits)}')`], [])
  return sql`${value} * ${power}`
}
