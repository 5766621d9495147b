import { addColumns } from './020-visit-pages.ts'
import type { Layout } from './layout.ts'

/**
 * Counts arrivals by hour of their day in UTC, from 1 to 24. Rows of earlier releases, and of INSERTs that began before this, have the hour 0:
 * their events may be of any hour. So the number of a day is the sum of its rows, as before, and that of an hour is the sum of the
 * rows of its own and of the hour 0.
 *
 * Cells and fills of the hour 0 are those of a whole day.
 */
export const countArrivalsByHour = (layout: Layout): readonly string[] => {
  const { on, local } = layout
  const [addToLocal = '', ...addToOthers] = addColumns('day_arrivals', ['hour UInt8'], layout)
  return [
    `${addToLocal}, MODIFY ORDER BY (project, day, hour)`,
    ...addToOthers,
    ...addColumns('day_cells', ['hour UInt8'], layout),
    ...addColumns('day_fills', ['hours Array(UInt8)'], layout),
    `
ALTER TABLE day_arrivals_of_events${on} MODIFY QUERY
SELECT project, toDate(time) AS day, toHour(time) + 1 AS hour, count() AS arrivals, now64(3, 'UTC') AS arrived
FROM ${local('events')}
GROUP BY project, day, hour`,
  ]
}
