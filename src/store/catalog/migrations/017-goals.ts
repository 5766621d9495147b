import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Goals: what a project counts as conversions. */
export const goals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('goals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('event', 'text')
      .addColumn('page_pattern', 'text')
      .addColumn('value_property', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('goals_project')
      .on('goals')
      .columns(['project_id', 'created_ms', 'id'])
      .execute()
  },
}
