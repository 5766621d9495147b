import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Options of shared dashboards: a password, an expiry time, and frames of other sites. */
export const shareOptions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('dashboards')
      .addColumn('share_password_hash', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('dashboards')
      .addColumn('share_expires_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('dashboards')
      .addColumn('embeddable', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
