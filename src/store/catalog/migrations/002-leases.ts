import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Leases that one process holds at a time. */
export const leases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}
