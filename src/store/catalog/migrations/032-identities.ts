import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Identities at OpenID Connect providers, the sessions and memberships that they began, and the responses that were used. */
export const identities: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('identities')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) =>
        column.notNull().references('customers.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('last_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('identities_subject')
      .on('identities')
      .columns(['issuer', 'subject'])
      .unique()
      .execute()
    await db.schema
      .createIndex('identities_customer')
      .on('identities')
      .columns(['customer_id', 'issuer'])
      .unique()
      .execute()
    await db.schema
      .createTable('used_responses')
      .addColumn('digest', 'text', (column) => column.primaryKey())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('used_responses_expiry').on('used_responses').column('expires_ms').execute()
    await addOrigins(db)
  },
}

async function addOrigins(db: Kysely<unknown>): Promise<void> {
  for (const column of ['identity_id', 'provider_session'])
    await db.schema
      .alterTable('refresh_sessions')
      .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
      .execute()
  await db.schema
    .createIndex('refresh_sessions_identity')
    .on('refresh_sessions')
    .column('identity_id')
    .execute()
  await db.schema
    .alterTable('memberships')
    .addColumn('issuer', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
