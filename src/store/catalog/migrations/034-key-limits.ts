import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The expiry of API keys, and the addresses from which they work. */
export const keyLimits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('api_keys').addColumn('expires_ms', 'bigint').execute()
    await db.schema
      .alterTable('api_keys')
      .addColumn('allowed_addresses', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
