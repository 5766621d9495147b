import type { Layout } from './layout.ts'

/**
 * Adds to a visit the number of its events of bots and the pages of its first and its last event, of any kind, and to the coverage the
 * number of the layout. Earlier coverages have the layout 0, so that the next fold starts from the beginning.
 */
export const addVisitPages = ({ on, local }: Layout): readonly string[] => [
  ...addColumns('visits', ['bot_count UInt32', 'pathname String', 'last_pathname String'], { on, local }),
  ...addColumns('visit_coverage', ['layout UInt8'], { on, local }),
]

/** Adds columns to a table, and in a cluster to its Distributed table. */
export function addColumns(
  table: string,
  columns: readonly string[],
  { on, local }: Pick<Layout, 'on' | 'local'>,
): readonly string[] {
  const added = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`).join(', ')
  return [...new Set([local(table), table])].map((name) => `ALTER TABLE ${name}${on} ${added}`)
}
