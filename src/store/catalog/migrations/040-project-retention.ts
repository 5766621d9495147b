import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Days after which the events of a project are deleted; 0 for those of the service. */
export const projectRetention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('projects')
      .addColumn('retention_days', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
