import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Channels of projects, and the deliveries of their notifications. */
export const channels: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('channels')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('sealed_config', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('disabled_reason', 'text', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('failing_ms', 'bigint', (column) => column.notNull())
      .addColumn('retry_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('channels_project')
      .on('channels')
      .columns(['project_id', 'name', 'id'])
      .execute()
    await db.schema
      .createTable('channel_deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) =>
        column.notNull().references('channels.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'integer', (column) => column.notNull())
      .addColumn('notification_id', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('sealed_content', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('error', 'text', (column) => column.notNull())
      .addColumn('attempt_ms', 'bigint', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('channel_deliveries_once')
      .on('channel_deliveries')
      .columns(['channel_id', 'notification_id', 'recipient'])
      .unique()
      .execute()
    await db.schema
      .createIndex('channel_deliveries_list')
      .on('channel_deliveries')
      .columns(['channel_id', 'created_ms', 'id'])
      .execute()
    await db.schema
      .createIndex('channel_deliveries_age')
      .on('channel_deliveries')
      .columns(['state', 'created_ms'])
      .execute()
  },
}
