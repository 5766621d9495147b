import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a session's refresh token was exchanged last; sessions of before were exchanged long ago. */
export const refreshTime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('refresh_sessions')
      .addColumn('exchanged_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
