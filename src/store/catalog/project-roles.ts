import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { asProjectId, type CustomerId, type ProjectId } from '../../contract/ids.ts'
import { opensProject, type Role, roleInProject } from '../../contract/role.ts'
import type { Catalog } from './catalog.ts'
import { selectHasFactor } from './has-second-factor.ts'
import { hasText, isAfter, type MemberPage, type MemberPosition } from './member-pages.ts'

/** A member of the organisation of a project. */
export interface ProjectColleague extends MemberPosition {
  readonly email: string
  readonly displayName: string
  /** The role in the organisation. */
  readonly inOrganisation: Role
  /** The role that the project gives; `undefined` for one that gives none. */
  readonly ofProject: Role | undefined
  /** The role in the project. */
  readonly role: Role
}

/** Which members to list: some accounts, or a page of all. */
export type ColleagueFilter =
  | { readonly accounts: readonly string[] }
  | { readonly emails: readonly string[] }
  /** With access to the project, without it, or anyone. */
  | (MemberPage & { readonly access: 'needed' | 'none' | 'any' })

/** Members of the organisation of a project with their roles there, in the order of joining. */
export async function listColleagues(
  catalog: Catalog,
  projectId: ProjectId,
  filter: ColleagueFilter,
): Promise<ProjectColleague[]> {
  const rows = await catalog
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.organisation_id', 'projects.organisation_id')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select(['customers.id', 'customers.email', 'customers.display_name'])
    .select(['memberships.role as in_organisation', 'project_roles.role as of_project'])
    .select('memberships.created_ms')
    .where('projects.id', '=', projectId)
    .where((eb) => eb.and(conditionsOf(filter)))
    .orderBy('memberships.created_ms')
    .orderBy('memberships.customer_id')
    .$if('count' in filter, (query) => query.limit('count' in filter ? filter.count : 0))
    .execute()
  return rows.map(({ id, email, display_name, in_organisation, of_project, created_ms }) => ({
    customerId: id,
    joinedMs: created_ms,
    email,
    displayName: display_name,
    inOrganisation: in_organisation,
    ofProject: of_project ?? undefined,
    role: roleInProject({ inOrganisation: in_organisation, ofProject: of_project }),
  }))
}

function conditionsOf(filter: ColleagueFilter): RawBuilder<SqlBool>[] {
  if ('accounts' in filter) return [sql`customers.id IN (${sql.join(filter.accounts)})`]
  if ('emails' in filter) return [sql`customers.email IN (${sql.join(filter.emails)})`]
  const { after, search = '', access } = filter
  return [
    ...(after ? [isAfter(after)] : []),
    ...(search === '' ? [] : [hasText(search)]),
    ...(access === 'needed' ? [HAS_ACCESS] : []),
    ...(access === 'none' ? [sql<SqlBool>`NOT ${HAS_ACCESS}`] : []),
  ]
}

/** Like `opensProject` of `roleInProject`. */
const HAS_ACCESS: RawBuilder<SqlBool> = sql`(memberships.role = 'admin' OR coalesce(project_roles.role, memberships.role) <> 'guest')`

/**
 * Selects a project with what decides about an account in it: its roles in the organisation and in the project, `null` without one,
 * and the second factor that the organisation requires and the account has, as 1 or 0.
 */
export function selectProjectFor(
  catalog: Catalog,
  { projectId, customerId }: { readonly projectId: ProjectId; readonly customerId: CustomerId },
) {
  return catalog
    .selectFrom('projects')
    .innerJoin('organisations', 'organisations.id', 'projects.organisation_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.organisation_id', '=', 'projects.organisation_id')
        .on('memberships.customer_id', '=', customerId),
    )
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select([
      'memberships.role',
      'project_roles.role as project_role',
      'organisations.second_factor_required',
      selectHasFactor('memberships.customer_id').as('has_factor'),
    ])
    .where('projects.id', '=', projectId)
}

/** A project that an account has access to. */
export interface OpenToAccount {
  readonly projectId: ProjectId
  /** Whether the organisation of the project requires a second factor. */
  readonly isSecondFactorRequired: boolean
}

/** The projects that an account has access to, of all its organisations. */
export async function listOpenTo(catalog: Catalog, customerId: CustomerId): Promise<OpenToAccount[]> {
  const rows = await catalog
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.organisation_id', 'projects.organisation_id')
    .innerJoin('organisations', 'organisations.id', 'projects.organisation_id')
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select(['projects.id', 'organisations.second_factor_required', 'memberships.role'])
    .select('project_roles.role as of_project')
    .where('memberships.customer_id', '=', customerId)
    .execute()
  return rows
    .filter(({ role, of_project }) =>
      opensProject(roleInProject({ inOrganisation: role, ofProject: of_project })),
    )
    .map(({ id, second_factor_required }) => ({
      projectId: asProjectId(id),
      isSecondFactorRequired: second_factor_required === 1,
    }))
}

/** The roles that projects of an organisation give to one of its members, by project. */
export async function listRolesOf(
  catalog: Catalog,
  { organisationId, customerId }: { readonly organisationId: string; readonly customerId: CustomerId },
): Promise<ReadonlyMap<number, Role>> {
  const rows = await catalog
    .selectFrom('project_roles')
    .select(['project_id', 'role'])
    .where('organisation_id', '=', organisationId)
    .where('customer_id', '=', customerId)
    .execute()
  return new Map(rows.map(({ project_id, role }) => [project_id, role]))
}

/** The projects of an organisation that are open to one of its members, oldest first; none for others. */
export async function listOpenProjectIds(
  catalog: Catalog,
  member: { readonly organisationId: string; readonly customerId: CustomerId },
): Promise<ProjectId[]> {
  const rows = await catalog
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.organisation_id', 'projects.organisation_id')
    .select(['projects.id', 'memberships.role'])
    .where('projects.organisation_id', '=', member.organisationId)
    .where('memberships.customer_id', '=', member.customerId)
    .orderBy('projects.id')
    .execute()
  const given = await listRolesOf(catalog, member)
  const open = rows.filter(({ id, role }) =>
    opensProject(roleInProject({ inOrganisation: role, ofProject: given.get(id) })),
  )
  return open.map(({ id }) => asProjectId(id))
}
