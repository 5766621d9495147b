import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Reports by mail: their recipients, the mail of each period, and its deliveries. */
export const reports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createReports(db)
    await createIssues(db)
  },
}

async function createReports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('dashboard_id', 'text', (column) => column.notNull())
    .addColumn('spec', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('paused_reason', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('reports_project').on('reports').columns(['project_id', 'id']).execute()
  await db.schema
    .createTable('report_recipients')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('report_id', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('sealed_address', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('listed', 'integer', (column) => column.notNull())
    .addColumn('asked_ms', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_ms', 'bigint', (column) => column.notNull())
    .addColumn('unsubscribed_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('report_recipients_once')
    .on('report_recipients')
    .columns(['report_id', 'digest'])
    .unique()
    .execute()
  await db.schema
    .createTable('report_asks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('sent_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('report_asks_time').on('report_asks').columns(['sent_ms']).execute()
}

async function createIssues(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('report_issues')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('report_id', 'text', (column) => column.notNull().references('reports.id').onDelete('cascade'))
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('from_ms', 'bigint', (column) => column.notNull())
    .addColumn('to_ms', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('sealed_content', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('report_issues_once')
    .on('report_issues')
    .columns(['report_id', 'to_ms'])
    .unique()
    .execute()
  await db.schema.createIndex('report_issues_age').on('report_issues').columns(['created_ms']).execute()
  await db.schema
    .createTable('report_deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('issue_id', 'text', (column) =>
      column.notNull().references('report_issues.id').onDelete('cascade'),
    )
    .addColumn('report_id', 'text', (column) => column.notNull())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('recipient_id', 'text', (column) => column.notNull())
    .addColumn('sealed_address', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('attempt_ms', 'bigint', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('report_deliveries_once')
    .on('report_deliveries')
    .columns(['issue_id', 'recipient_id'])
    .unique()
    .execute()
  await db.schema
    .createIndex('report_deliveries_list')
    .on('report_deliveries')
    .columns(['report_id', 'created_ms', 'id'])
    .execute()
}
