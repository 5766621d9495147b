import type { CustomerId, ProjectId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { MemberPage } from '../../store/catalog/member-pages.ts'
import { listColleagues, type ProjectColleague } from '../../store/catalog/project-roles.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type PagedMembers, toPage } from '../organisations/member-paging.ts'

/** A member, and a project of their organisation. */
export interface ProjectMemberKey {
  readonly projectId: ProjectId
  readonly memberId: CustomerId
}

/**
 * A page of the members of the organisation of a project with their roles there, for an admin of the project. A guest of the organisation
 * sees only those who have access to the project.
 */
export async function listProjectMembers(
  catalog: Catalog,
  { projectId, callerId }: { readonly projectId: ProjectId; readonly callerId: CustomerId },
  page: MemberPage,
): Promise<PagedMembers<ProjectColleague>> {
  const [caller] = await listColleagues(catalog, projectId, { accounts: [callerId] })
  const access = caller?.inOrganisation === 'guest' ? 'needed' : 'any'
  return toPage(await listColleagues(catalog, projectId, { ...page, access }), page)
}

/** Gives a member a role in a project. Throws `not_found`, and `failed_precondition` for an admin of the organisation. */
export async function setProjectRole(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { projectId, memberId, role }: ProjectMemberKey & { readonly role: Role },
): Promise<ProjectColleague> {
  return await inTransaction(catalog, async (transaction) => {
    const { inOrganisation } = await findProjectMember(transaction, { projectId, memberId })
    if (inOrganisation === 'admin') throw adminEverywhere()
    const { organisation_id } = await transaction
      .selectFrom('projects')
      .select('organisation_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow()
    await transaction
      .insertInto('project_roles')
      .values({
        project_id: projectId,
        organisation_id,
        customer_id: memberId,
        role,
        created_ms: clock.nowMs(),
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'customer_id']).doUpdateSet({ role }))
      .execute()
    return await findProjectMember(transaction, { projectId, memberId })
  })
}

/** Takes back the role that a project gives to a member. Throws `not_found`. */
export async function removeProjectRole(catalog: Catalog, key: ProjectMemberKey): Promise<ProjectColleague> {
  return await inTransaction(catalog, async (transaction) => {
    await transaction
      .deleteFrom('project_roles')
      .where('project_id', '=', key.projectId)
      .where('customer_id', '=', key.memberId)
      .execute()
    return await findProjectMember(transaction, key)
  })
}

async function findProjectMember(
  transaction: Catalog,
  { projectId, memberId }: ProjectMemberKey,
): Promise<ProjectColleague> {
  const [member] = await listColleagues(transaction, projectId, { accounts: [memberId] })
  if (member) return member
  throw new ServiceError({
    code: 'not_found',
    reason: 'MEMBER_NOT_FOUND',
    message: 'the organisation of the project has no such member; invite them first',
  })
}

function adminEverywhere(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'CANNOT_RESTRICT_ADMIN',
    message:
      'an admin of the organisation is an admin of all its projects; change their role in the organisation first',
  })
}
