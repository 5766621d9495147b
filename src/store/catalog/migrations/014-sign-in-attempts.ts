import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counters of sign-in attempts, kept until an hour after the last one. */
export const signInAttempts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('sign_in_attempts')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sign_in_attempts_last').on('sign_in_attempts').column('last_ms').execute()
  },
}
