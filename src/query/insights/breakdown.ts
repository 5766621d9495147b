import { eventPropertyText } from '../property/event-property.ts'
import type { Breakdown } from '../spec/breakdown.ts'
import { join, numbered, type Sql, sql } from '../sql/sql.ts'

/** `text of the first property AS key0, ...`: the values of the row's event; a missing value is the empty text. */
export function selectKeys({ properties }: Breakdown): Sql {
  const keys = properties.map(
    (property, index) => sql`${eventPropertyText(property)} AS ${numbered('key', index)}`,
  )
  return join(keys, sql`, `)
}

/** `key0, key1, ...`: for `GROUP BY` and `ORDER BY`. */
export function keyNames({ properties }: Breakdown): Sql {
  return join(
    properties.map((_, index) => numbered('key', index)),
    sql`, `,
  )
}
