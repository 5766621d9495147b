import type { CustomerId, OrganisationId } from '../../contract/ids.ts'
import { opensProject, roleInProject } from '../../contract/role.ts'
import type { Catalog } from './catalog.ts'

/** A member of an organisation with whom dashboards may be shared. */
export interface GuestKey {
  readonly organisationId: OrganisationId
  readonly customerId: CustomerId
}

/** A dashboard that is shared with a guest. */
export interface GuestDashboard {
  readonly id: string
  readonly displayName: string
  readonly description: string
  readonly projectName: string
  readonly updatedMs: number
}

/** Bounds lists of shared dashboards, which have no pages. */
const SHARED_MAX = 1000

/** The dashboards that are shared with a member, by project and title: those of projects that their role gives no access to. */
export async function listSharedWith(
  catalog: Catalog,
  { organisationId, customerId }: GuestKey,
): Promise<GuestDashboard[]> {
  const rows = await catalog
    .selectFrom('dashboard_guests')
    .innerJoin('dashboards', 'dashboards.id', 'dashboard_guests.dashboard_id')
    .innerJoin('projects', 'projects.id', 'dashboards.project_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.organisation_id', '=', 'projects.organisation_id')
        .onRef('memberships.customer_id', '=', 'dashboard_guests.customer_id'),
    )
    .leftJoin('project_roles', (join) =>
      join
        .onRef('project_roles.project_id', '=', 'projects.id')
        .onRef('project_roles.customer_id', '=', 'memberships.customer_id'),
    )
    .select(['dashboards.id', 'dashboards.display_name', 'dashboards.description', 'dashboards.updated_ms'])
    .select(['projects.display_name as project_name', 'memberships.role', 'project_roles.role as of_project'])
    .where('dashboard_guests.organisation_id', '=', organisationId)
    .where('dashboard_guests.customer_id', '=', customerId)
    .where('projects.organisation_id', '=', organisationId)
    .orderBy('projects.display_name')
    .orderBy('dashboards.display_name')
    .orderBy('dashboards.id')
    .limit(SHARED_MAX)
    .execute()
  return rows
    .filter(
      ({ role, of_project }) => !opensProject(roleInProject({ inOrganisation: role, ofProject: of_project })),
    )
    .map(({ id, display_name, description, project_name, updated_ms }) => ({
      id,
      displayName: display_name,
      description,
      projectName: project_name,
      updatedMs: updated_ms,
    }))
}
