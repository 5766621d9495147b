import { EVENT_ORDER_TEXT, ID_NUMBER_TEXT } from '../../store/clickhouse/migrations/fold-visits.ts'
import { Sql, sql } from './sql.ts'

/** The row's event id as a `UInt128`. The engine sorts UUIDs by their second half first; this number sorts like the text. */
export const ID_NUMBER: Sql = Sql.of([ID_NUMBER_TEXT], [])

/**
 * Sort key of the row's event: by time, then by the text of its id. A single 170-bit number (`UInt256`), because tuples
 * and texts cost several times as much to compare. Rows of `visits` are computed with it, too.
 */
export const EVENT_ORDER: Sql = Sql.of([EVENT_ORDER_TEXT], [])

/** Shifts a non-negative number left by `bits`, as a `UInt256`: the engine multiplies twice as fast as it shifts. */
export function shiftLeft256(value: Sql, bits: number): Sql {
  const power = Sql.of([`toUInt256('${2n ** BigInt(bits)}')`], [])
  return sql`${value} * ${power}`
}
