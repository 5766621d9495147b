import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Why the newest mail of an invitation could not be sent; empty for a mail that did not fail. */
export const invitationMails: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('invitations')
      .addColumn('mail_error', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
