import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The roles that projects give to an invited user who joins; they end with the invitation and with the project. */
export const invitationRoles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('invitation_roles')
      .addColumn('invitation_id', 'text', (column) =>
        column.notNull().references('invitations.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().references('projects.id').onDelete('cascade'),
      )
      .addColumn('role', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('invitation_roles_key', ['invitation_id', 'project_id'])
      .execute()
    await db.schema
      .createIndex('invitation_roles_project')
      .on('invitation_roles')
      .column('project_id')
      .execute()
  },
}
