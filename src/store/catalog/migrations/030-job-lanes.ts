import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The lanes of background jobs. Those from before have none. */
export const jobLanes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('jobs')
      .addColumn('lane', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
