import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Saved insights with their versions, favorites and the dashboards that follow them; annotations. */
export const library: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createInsights(db)
    await createVersions(db)
    await createFavorites(db)
    await createUses(db)
    await createAnnotations(db)
  },
}

async function createInsights(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_insights')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('insight_type', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('content_bytes', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('updated_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('saved_insights_project')
    .on('saved_insights')
    .columns(['project_id', 'id'])
    .execute()
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_insight_versions')
    .addColumn('insight_id', 'text', (column) =>
      column.notNull().references('saved_insights.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('project_id', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('content_bytes', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('saved_insight_versions_key', ['insight_id', 'version'])
    .execute()
  await db.schema
    .createIndex('saved_insight_versions_project')
    .on('saved_insight_versions')
    .columns(['project_id', 'content_bytes'])
    .execute()
}

async function createFavorites(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_insight_favorites')
    .addColumn('insight_id', 'text', (column) =>
      column.notNull().references('saved_insights.id').onDelete('cascade'),
    )
    .addColumn('account', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('saved_insight_favorites_key', ['insight_id', 'account'])
    .execute()
}

/** A row refers to an insight without a cascade: the database itself keeps an insight that a tile follows. */
async function createUses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('saved_insight_uses')
    .addColumn('dashboard_id', 'text', (column) =>
      column.notNull().references('dashboards.id').onDelete('cascade'),
    )
    .addColumn('insight_id', 'text', (column) => column.notNull().references('saved_insights.id'))
    .addColumn('tile_count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('saved_insight_uses_key', ['dashboard_id', 'insight_id'])
    .execute()
  await db.schema
    .createIndex('saved_insight_uses_insight')
    .on('saved_insight_uses')
    .column('insight_id')
    .execute()
}

async function createAnnotations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('annotations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'integer', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('dashboard_id', 'text', (column) => column.references('dashboards.id').onDelete('cascade'))
    .addColumn('time_ms', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('annotations_project')
    .on('annotations')
    .columns(['project_id', 'time_ms', 'id'])
    .execute()
  await db.schema.createIndex('annotations_dashboard').on('annotations').column('dashboard_id').execute()
}
