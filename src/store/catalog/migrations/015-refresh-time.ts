import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Time of the last exchange of a session's refresh token; 0 for existing sessions. */
export const refreshTime: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('refresh_sessions')
      .addColumn('exchanged_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
