import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Console accounts, their memberships, sessions and sign-in links. */
export const customers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('customers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('email_verified', 'integer', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await createMemberships(db)
    await createRefreshSessions(db)
    await createMagicLinks(db)
  },
}

async function createMemberships(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memberships')
    .addColumn('organisation_id', 'text', (column) => column.notNull().references('organisations.id'))
    .addColumn('customer_id', 'text', (column) => column.notNull().references('customers.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['organisation_id', 'customer_id'])
    .execute()
  await db.schema.createIndex('memberships_customer').on('memberships').column('customer_id').execute()
}

async function createRefreshSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refresh_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull().references('customers.id'))
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('refresh_sessions_customer')
    .on('refresh_sessions')
    .column('customer_id')
    .execute()
  await db.schema.createIndex('refresh_sessions_expiry').on('refresh_sessions').column('expires_ms').execute()
}

async function createMagicLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('magic_links')
    .addColumn('sha256', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('invitation_id', 'text')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_ms', 'bigint', (column) => column.notNull())
    .addColumn('used_ms', 'bigint')
    .execute()
  await db.schema.createIndex('magic_links_invitation').on('magic_links').column('invitation_id').execute()
  await db.schema.createIndex('magic_links_expiry').on('magic_links').column('expires_ms').execute()
}
