import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Recurring jobs: schedules that add background jobs. */
export const recurringJobs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('recurring_jobs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('project_id', 'integer', (column) => column.references('projects.id').onDelete('cascade'))
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('schedule', 'text', (column) => column.notNull())
      .addColumn('time_zone', 'text', (column) => column.notNull())
      .addColumn('next_ms', 'bigint', (column) => column.notNull())
      .addColumn('seen_ms', 'bigint', (column) => column.notNull())
      .addColumn('done_ms', 'bigint', (column) => column.notNull())
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('recurring_jobs_next').on('recurring_jobs').column('next_ms').execute()
    await db.schema.createIndex('recurring_jobs_seen').on('recurring_jobs').column('seen_ms').execute()
    await db.schema.createIndex('recurring_jobs_project').on('recurring_jobs').column('project_id').execute()
  },
}
