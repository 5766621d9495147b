import type { Layout } from './layout.ts'

const COLUMNS = ['channel', 'browser', 'os', 'device_type', 'country', 'language']

/**
 * Has merges write the columns with a dictionary beside the sorting key, which they do with the columns of an index over several of them.
 * Other columns are written one after the other, in runs of rows from one part, and for each run such a column makes a dictionary: six of them
 * were a third of what a merge costs (docs/measurements/events-table.md). The index has one value and no other use.
 */
export const mergeDictionariesWithKey = ({ on, local }: Layout): readonly string[] => [
  `ALTER TABLE ${local('events')}${on} ADD INDEX IF NOT EXISTS dictionaries ignore(${COLUMNS.join(', ')}) TYPE minmax GRANULARITY 1000000`,
]
