import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Background jobs. */
export const jobs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('project_id', 'integer')
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('error', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'next_ms']).execute()
  },
}
