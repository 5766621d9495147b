import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Cohorts: named sets of users. The ids of static ones are in ClickHouse. */
export const cohorts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('cohorts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('definition', 'text')
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('cohorts_project')
      .on('cohorts')
      .columns(['project_id', 'name', 'id'])
      .execute()
  },
}
