import type { Layout } from './layout.ts'

/**
 * The number of the columns of visits. A row of an earlier release lacks some, so that only a coverage with this number counts. An earlier
 * release can store rows, and cannot state that they are covered: its INSERT does not name the columns of the coverage.
 */
export const VISIT_LAYOUT = 1

/**
 * The number of events of bots, the page of the first and of the last event of a visit, of any kind, and the number of the layout. Rows and coverages of before have the
 * layout 0: the next fold begins anew.
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
