import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Personal access tokens of accounts. */
export const personalTokens: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('personal_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) =>
        column.notNull().references('customers.id').onDelete('cascade'),
      )
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('projects', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull().unique())
      .addColumn('masked', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_used_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('personal_tokens_customer')
      .on('personal_tokens')
      .column('customer_id')
      .execute()
  },
}
