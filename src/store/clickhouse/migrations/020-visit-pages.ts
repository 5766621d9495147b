import type { Layout } from './layout.ts'

/**
 * The number of the columns of visits. A row of an earlier release lacks some, so that only a coverage with this number counts. An earlier
 * release can store rows, and cannot state that they are covered: its INSERT does not name the columns of the coverage.
 */
export const VISIT_LAYOUT = 1

/**
 * Adds to a visit the number of its events of bots and the pages of its first and its last event, of any kind, and to the coverage the
 * number of the layout. Earlier coverages have the layout 0, so that the next fold starts from the beginning.
 */
export const addVisitPages = ({ on, local }: Layout): readonly string[] => [
  ...addColumns('visits', ['bot_count UInt32', 'pathname String', 'last_pathname String'], { on, local }),
  ...addColumns('visit_coverage', ['layout UInt8'], { on, local }),
]

/** In a cluster, the Distributed table has the columns too. */
function addColumns(
  table: string,
  columns: readonly string[],
  { on, local }: Pick<Layout, 'on' | 'local'>,
): readonly string[] {
  const added = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')
  return [...new Set([local(table), table])].map((name) => `ALTER TABLE ${name}${on} ${added}`)
}
