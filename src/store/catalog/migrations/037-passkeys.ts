import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Passkeys of accounts. */
export const passkeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) =>
        column.notNull().references('customers.id').onDelete('cascade'),
      )
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('rp_id', 'text', (column) => column.notNull())
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('sign_count', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_used_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('passkeys_customer').on('passkeys').column('customer_id').execute()
  },
}
