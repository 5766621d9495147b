import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The guests that dashboards are shared with; a share ends with the dashboard and with the membership. */
export const dashboardGuests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('dashboard_guests')
      .addColumn('dashboard_id', 'text', (column) =>
        column.notNull().references('dashboards.id').onDelete('cascade'),
      )
      .addColumn('organisation_id', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('dashboard_guests_key', ['dashboard_id', 'customer_id'])
      .addForeignKeyConstraint(
        'dashboard_guests_membership',
        ['organisation_id', 'customer_id'],
        'memberships',
        ['organisation_id', 'customer_id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('dashboard_guests_member')
      .on('dashboard_guests')
      .columns(['organisation_id', 'customer_id'])
      .execute()
  },
}
