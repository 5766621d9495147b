import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The index by object gets what a second filter checks, so that entries of other actors and actions are passed over without their rows. */
export const auditObjects: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('audit_entries_object').execute()
    await db.schema
      .createIndex('audit_entries_object')
      .on('audit_entries')
      .columns(['organisation_id', 'object_id', 'time_ms', 'id', 'action', 'actor_id'])
      .execute()
  },
}
