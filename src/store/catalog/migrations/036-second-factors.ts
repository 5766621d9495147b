import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Second factors, their recovery codes, when a session proved one, and which organisations require one. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('totp_factors')
      .addColumn('customer_id', 'text', (column) =>
        column.primaryKey().references('customers.id').onDelete('cascade'),
      )
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('recovery_codes')
      .addColumn('customer_id', 'text', (column) =>
        column.notNull().references('customers.id').onDelete('cascade'),
      )
      .addColumn('digest', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['customer_id', 'digest'])
      .execute()
    await db.schema
      .alterTable('refresh_sessions')
      .addColumn('factor_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('organisations')
      .addColumn('second_factor_required', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
