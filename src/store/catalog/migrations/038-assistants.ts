import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** OAuth clients, the consents of members to them, and their codes and tokens. */
export const assistants: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('oauth_clients')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('oauth_grants')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) =>
        column.notNull().references('customers.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('client_id', 'text', (column) =>
        column.notNull().references('oauth_clients.id').onDelete('cascade'),
      )
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('redirect_host', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_used_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const column of ['customer_id', 'project_id', 'client_id'] as const)
      await db.schema.createIndex(`oauth_grants_${column}`).on('oauth_grants').column(column).execute()
    await db.schema
      .createTable('oauth_records')
      .addColumn('sha256', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('grant_id', 'text', (column) => column.references('oauth_grants.id').onDelete('cascade'))
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .addColumn('consumed_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('oauth_records_grant').on('oauth_records').column('grant_id').execute()
    await db.schema.createIndex('oauth_records_expiry').on('oauth_records').column('expires_ms').execute()
  },
}
