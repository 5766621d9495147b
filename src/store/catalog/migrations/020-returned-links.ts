import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Invitation links that were returned to their inviters, as no mail server could send them, and accounts that such a link created. */
export const returnedLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('magic_links')
      .addColumn('returned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('customers')
      .addColumn('unproved', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
