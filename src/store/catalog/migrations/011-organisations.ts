import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Invitations to organisations, and credentials of projects for push notifications. */
export const organisations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createInvitations(db)
    await createInvitationSends(db)
    await db.schema.alterTable('projects').addColumn('fcm_sealed', 'text').execute()
    await db.schema.alterTable('projects').addColumn('fcm_redacted', 'text').execute()
  },
}

/** The unique index allows one pending invitation per address and organisation, also among concurrent requests. */
async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organisation_id', 'text', (column) => column.notNull().references('organisations.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('invitations_pending')
    .on('invitations')
    .columns(['organisation_id', 'email'])
    .unique()
    .where(sql.ref('status'), '=', 'pending')
    .execute()
  await db.schema
    .createIndex('invitations_organisation')
    .on('invitations')
    .columns(['organisation_id', 'created_ms'])
    .execute()
}

async function createInvitationSends(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitation_sends')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('organisation_id', 'text', (column) => column.notNull().references('organisations.id'))
    .addColumn('sent_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('invitation_sends_organisation')
    .on('invitation_sends')
    .columns(['organisation_id', 'sent_ms'])
    .execute()
}
