import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sign-in methods of sessions, known networks of accounts, and shares with a pinned time range. */
export const signIns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('refresh_sessions')
      .addColumn('method', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('known_networks')
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('last_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_networks_key', ['account', 'network'])
      .execute()
    await db.schema.createIndex('known_networks_network').on('known_networks').column('network').execute()
    await db.schema.createIndex('known_networks_last').on('known_networks').column('last_ms').execute()
    await db.schema
      .alterTable('dashboards')
      .addColumn('range_pinned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
