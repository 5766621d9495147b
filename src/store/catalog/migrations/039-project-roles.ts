import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The roles that projects give to members of their organisation; they end with the membership. */
export const projectRoles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('project_roles')
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('organisation_id', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('project_roles_key', ['project_id', 'customer_id'])
      .addForeignKeyConstraint(
        'project_roles_membership',
        ['organisation_id', 'customer_id'],
        'memberships',
        ['organisation_id', 'customer_id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('project_roles_member')
      .on('project_roles')
      .columns(['organisation_id', 'customer_id'])
      .execute()
  },
}
