import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The own domains of projects, separated by spaces. */
export const projectDomains: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('projects')
      .addColumn('domains', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
