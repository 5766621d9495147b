import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The audit log. Each index begins with the organisation and what a list is filtered by, then the order of lists; columns after
 * those let a second filter be checked without reading the row.
 */
export const audit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('audit_entries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('organisation_id', 'text', (column) => column.notNull())
      .addColumn('time_ms', 'bigint', (column) => column.notNull())
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text', (column) => column.notNull())
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('credential_kind', 'text', (column) => column.notNull())
      .addColumn('credential_id', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('object_id', 'text', (column) => column.notNull())
      .addColumn('object_name', 'text', (column) => column.notNull())
      .addColumn('project_id', 'integer')
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .execute()
    await addIndexes(db)
  },
}

const ORDER = ['time_ms', 'id'] as const

async function addIndexes(db: Kysely<unknown>): Promise<void> {
  const indexes = {
    time: ['organisation_id', ...ORDER],
    actor: ['organisation_id', 'actor_id', ...ORDER, 'action'],
    action: ['organisation_id', 'action', ...ORDER, 'actor_id'],
    object: ['organisation_id', 'object_id', ...ORDER],
    credential: ['organisation_id', 'credential_id', ...ORDER, 'action'],
  }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema.createIndex(`audit_entries_${name}`).on('audit_entries').columns(columns).execute()
}
