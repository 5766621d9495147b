import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Mail providers of organisations; devices and campaigns of push notifications. */
export const mailAndPush: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('email_providers')
      .addColumn('organisation_id', 'text', (column) =>
        column.primaryKey().references('organisations.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('from_address', 'text', (column) => column.notNull())
      .addColumn('reply_to', 'text', (column) => column.notNull())
      .addColumn('sealed_config', 'text', (column) => column.notNull())
      .addColumn('updated_ms', 'bigint', (column) => column.notNull())
      .execute()
    await createDevices(db)
    await createCampaigns(db)
    await createCampaignSends(db)
  },
}

async function createDevices(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('token_digest', 'text', (column) => column.notNull())
    .addColumn('sealed_token', 'text', (column) => column.notNull())
    .addColumn('sealed_details', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('devices_key', ['project_id', 'device_id'])
    .execute()
  await db.schema.createIndex('devices_owner').on('devices').columns(['project_id', 'owner']).execute()
  await db.schema.createIndex('devices_token').on('devices').columns(['project_id', 'token_digest']).execute()
}

async function createCampaigns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('campaigns')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('notification', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('scheduled_ms', 'bigint', (column) => column.notNull())
    .addColumn('start_ms', 'bigint')
    .addColumn('end_ms', 'bigint')
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('campaigns_project')
    .on('campaigns')
    .columns(['project_id', 'created_ms'])
    .execute()
}

/** Outcomes for devices of the current page: after a crash, these devices are skipped. */
async function createCampaignSends(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('campaign_sends')
    .addColumn('campaign_id', 'text', (column) =>
      column.notNull().references('campaigns.id').onDelete('cascade'),
    )
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('sent_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('campaign_sends_key', ['campaign_id', 'device_id'])
    .execute()
}
