import type { Layout } from './layout.ts'

/**
 * Finds the events that arrived last; the table is sorted by their own time, so that without this index a list by arrival
 * would scan the project. Nearly all events arrive on the day that they happen, and share granules with few other days.
 */
export const createArrivalsIndex = ({ on, local }: Layout): readonly string[] => [
  `ALTER TABLE ${local('events')}${on} ADD INDEX IF NOT EXISTS arrivals ingested TYPE minmax GRANULARITY 1`,
  `ALTER TABLE ${local('events')}${on} MATERIALIZE INDEX arrivals`,
]
