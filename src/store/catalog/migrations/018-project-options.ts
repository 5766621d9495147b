import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Options of projects: whether new insights leave out bots, and whether the traffic is generated. */
export const projectOptions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('projects')
      .addColumn('exclude_bots', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema
      .alterTable('projects')
      .addColumn('is_demo', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
