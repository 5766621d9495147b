import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Dashboards: one row each, tiles included, so that every read is consistent. */
export const dashboards: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('dashboards')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('default_time_range', 'integer', (column) => column.notNull())
      .addColumn('default_granularity', 'integer', (column) => column.notNull())
      .addColumn('share_id', 'text', (column) => column.unique())
      .addColumn('tiles', 'text', (column) => column.notNull())
      .addColumn('tiles_bytes', 'integer', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('dashboards_project')
      .on('dashboards')
      .columns(['project_id', 'created_ms', 'id'])
      .execute()
  },
}
