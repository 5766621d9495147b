import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What people know about names, kinds that count as another, and ignored suggestions; the blocked kinds of projects. */
export const dictionary: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('projects')
      .addColumn('blocked_kinds', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('name_definitions')
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('updated_by', 'text', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('name_definitions_key', ['project_id', 'type', 'name'])
      .execute()
    await db.schema
      .createTable('merged_names')
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('into_name', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('merged_names_key', ['project_id', 'name'])
      .execute()
    await db.schema
      .createTable('ignored_duplicates')
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('ignored_duplicates_key', ['project_id', 'name'])
      .execute()
  },
}
