import {
  asProjectId,
  type CustomerId,
  type OrganisationId,
  type ProjectId,
  parseProjectId,
} from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { invalidField } from '../invalid-field.ts'

/** A role that a project gives to an invited user who joins. */
export interface InvitationRole {
  readonly projectId: ProjectId
  readonly role: Role
}

/** With the name of the project. */
export interface NamedInvitationRole extends InvitationRole {
  readonly projectName: string
}

/**
 * Checks the roles of an invitation. Throws `invalid_argument` for a project that is named twice, `not_found` for one that the
 * organisation does not have, and `failed_precondition` for an admin, who has a role in every project.
 */
export async function checkInvitationRoles(
  transaction: Catalog,
  {
    organisationId,
    role,
    sent,
  }: {
    readonly organisationId: OrganisationId
    /** In the organisation. */
    readonly role: Role
    readonly sent: readonly { readonly projectId: string; readonly role: Role }[]
  },
): Promise<readonly InvitationRole[]> {
  if (sent.length === 0) return []
  if (role === 'admin') throw adminEverywhere()
  const roles = sent.map((one, index) => {
    const projectId = parseProjectId(one.projectId)
    if (projectId === undefined) throw projectNotFound(index)
    return { ...one, projectId }
  })
  const ids = roles.map(({ projectId }) => projectId)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (repeated !== -1) throw invalidField(`projectRoles[${repeated}]`, 'names a project a second time')
  const rows = await transaction
    .selectFrom('projects')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', ids)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.findIndex((id) => !known.has(id))
  if (unknown !== -1) throw projectNotFound(unknown)
  return roles
}

/** Gives an invitation these roles in place of those that it has. */
export async function replaceInvitationRoles(
  transaction: Catalog,
  invitationId: string,
  roles: readonly InvitationRole[],
): Promise<void> {
  await transaction.deleteFrom('invitation_roles').where('invitation_id', '=', invitationId).execute()
  if (roles.length === 0) return
  const rows = roles.map(({ projectId, role }) => ({
    invitation_id: invitationId,
    project_id: projectId,
    role,
  }))
  await transaction.insertInto('invitation_roles').values(rows).execute()
}

/** The roles of invitations with the names of the projects, by the ids of the invitations. */
export async function readInvitationRoles(
  catalog: Catalog,
  invitationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly NamedInvitationRole[]>> {
  if (invitationIds.length === 0) return new Map()
  const rows = await catalog
    .selectFrom('invitation_roles')
    .innerJoin('projects', 'projects.id', 'invitation_roles.project_id')
    .select(['invitation_roles.invitation_id', 'invitation_roles.project_id', 'invitation_roles.role'])
    .select('projects.display_name')
    .where('invitation_roles.invitation_id', 'in', invitationIds)
    .orderBy('invitation_roles.project_id')
    .execute()
  const roles = rows.map(({ invitation_id, project_id, role, display_name }) => ({
    invitationId: invitation_id,
    projectId: asProjectId(project_id),
    role,
    projectName: display_name,
  }))
  return Map.groupBy(roles, ({ invitationId }) => invitationId)
}

/** Gives a new member the roles of the invitation. */
export async function giveInvitationRoles(
  transaction: Catalog,
  clock: Clock,
  member: {
    readonly invitationId: string
    readonly organisationId: OrganisationId
    readonly customerId: CustomerId
  },
): Promise<void> {
  const roles = (await readInvitationRoles(transaction, [member.invitationId])).get(member.invitationId) ?? []
  if (roles.length === 0) return
  const rows = roles.map(({ projectId, role }) => ({
    project_id: projectId,
    organisation_id: member.organisationId,
    customer_id: member.customerId,
    role,
    created_ms: clock.nowMs(),
  }))
  await transaction.insertInto('project_roles').values(rows).execute()
}

function adminEverywhere(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'CANNOT_RESTRICT_ADMIN',
    message:
      'an admin of the organisation is an admin of all its projects; invite them without roles in projects',
  })
}

/** The answer is the same for a project of another organisation. */
function projectNotFound(index: number): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: `projectRoles[${index}]: the organisation has no project with this id`,
  })
}
