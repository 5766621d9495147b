import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Organisations, their projects and API keys. */
export const tenants: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    // The two databases count rows by different words.
    const asRowNumber = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
      isPostgres ? column.primaryKey() : column.primaryKey().autoIncrement()
    await db.schema
      .createTable('organisations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('projects')
      .addColumn('id', isPostgres ? 'serial' : 'integer', asRowNumber)
      .addColumn('organisation_id', 'text', (column) => column.notNull().references('organisations.id'))
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('reporting_timezone', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('projects_name_unique', ['organisation_id', 'display_name'])
      .execute()
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull().unique())
      .addColumn('masked', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('api_keys_project').on('api_keys').column('project_id').execute()
  },
}
