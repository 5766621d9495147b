import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether an invitation link was returned to its inviter, as no mail server could send it. */
export const returnedLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('magic_links')
      .addColumn('returned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
