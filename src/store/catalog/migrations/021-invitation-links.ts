import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Invitation links from before 021 may have left through a mail provider that the inviter reads, or wait in the queue for one:
 * from now on they open no existing account, and the accounts that they create are not verified.
 */
export const invitationLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await (db as Kysely<{ readonly magic_links: LinkTable }>)
      .updateTable('magic_links')
      .set({ returned: 1 })
      .where('invitation_id', 'is not', null)
      .where('used_ms', 'is', null)
      .execute()
  },
}

/** The columns at the time of this migration. */
interface LinkTable {
  readonly invitation_id: string | null
  readonly used_ms: number | null
  readonly returned: number
}
