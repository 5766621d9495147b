import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Imports of what other products counted per day; their numbers are in ClickHouse. */
export const imports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('imports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('first_day', 'text', (column) => column.notNull())
      .addColumn('last_day', 'text', (column) => column.notNull())
      .addColumn('shown_until', 'text', (column) => column.notNull())
      .addColumn('dimensions', 'text', (column) => column.notNull())
      .addColumn('batches', 'integer', (column) => column.notNull())
      .addColumn('row_count', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('finished_ms', 'bigint')
      .execute()
    await db.schema
      .createIndex('imports_once')
      .on('imports')
      .columns(['project_id', 'digest'])
      .unique()
      .execute()
  },
}
