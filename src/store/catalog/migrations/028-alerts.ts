import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Alerts on the numbers of insights, and their checks. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createAlerts(db)
    await createChecks(db)
  },
}

/** A row refers to an insight without a cascade: the database itself keeps an insight that an alert follows. */
async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('cadence', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('content_bytes', 'integer', (column) => column.notNull())
    .addColumn('saved_insight_id', 'text', (column) => column.references('saved_insights.id'))
    .addColumn('paused', 'integer', (column) => column.notNull())
    .addColumn('pause_reason', 'text', (column) => column.notNull())
    .addColumn('pause_message', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('state_ms', 'bigint', (column) => column.notNull())
    .addColumn('told', 'text', (column) => column.notNull())
    .addColumn('snooze_ms', 'bigint', (column) => column.notNull())
    .addColumn('checked_ms', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('alerts_project')
    .on('alerts')
    .columns(['project_id', 'cadence', 'id'])
    .execute()
  await db.schema.createIndex('alerts_saved_insight').on('alerts').column('saved_insight_id').execute()
}

async function createChecks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('alert_checks')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alerts.id').onDelete('cascade'))
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('to_ms', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision', (column) => column.notNull())
    .addColumn('baseline', 'double precision', (column) => column.notNull())
    .addColumn('observed', 'double precision', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('checked_ms', 'bigint', (column) => column.notNull())
    .addColumn('notification_id', 'text', (column) => column.notNull())
    .addColumn('notify_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_checks_key', ['alert_id', 'to_ms'])
    .execute()
}
