import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Erasures of users. The unique index allows one running erasure per user, also among concurrent requests. */
export const deletionRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('deletion_requests')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('sealed_external_id', 'text', (column) => column.notNull())
      .addColumn('profile_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('events_identified', 'bigint', (column) => column.notNull())
      .addColumn('requested_ms', 'bigint', (column) => column.notNull())
      .addColumn('completed_ms', 'bigint')
      .addColumn('error', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('deletion_requests_running')
      .on('deletion_requests')
      .columns(['project_id', 'subject'])
      .unique()
      .where(sql.ref('status'), 'in', ['pending', 'processing'])
      .execute()
  },
}
