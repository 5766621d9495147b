import type { DescMethod } from '@bufbuild/protobuf'
import { type Org, OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { type CallerRoles, mayRoleCall } from '@domain/role-rules.ts'

/** The name of a role. */
export type RoleName = 'admin' | 'member' | 'viewer' | 'guest'

/** The roles as values of messages. */
export const ROLES = {
  admin: OrgRole.ADMIN,
  member: OrgRole.MEMBER,
  viewer: OrgRole.VIEWER,
  guest: OrgRole.GUEST,
} as const satisfies Record<RoleName, OrgRole>

/** The name of a role of a message. */
export function nameOfRole(role: OrgRole): RoleName {
  if (role === OrgRole.ADMIN) return 'admin'
  if (role === OrgRole.GUEST) return 'guest'
  return role === OrgRole.MEMBER ? 'member' : 'viewer'
}

/** The roles of the signed-in user in a project and its organisation. */
export function rolesIn({ org, project }: { readonly org: Org; readonly project: Project }): CallerRoles {
  return { inOrganisation: nameOfRole(org.role), inProject: nameOfRole(project.role) }
}

/**
 * Whether the signed-in user may call a method in one of their projects, by the rules of the service. It decides what pages
 * show; the service checks each call again.
 */
export function mayCall(roles: CallerRoles, method: DescMethod): boolean {
  return mayRoleCall(roles, { service: method.parent.typeName, method: method.localName })
}

/** Whether the signed-in user may call a method about one of their organisations. */
export function mayCallOfOrganisation(org: Org, method: DescMethod): boolean {
  return mayCall({ inOrganisation: nameOfRole(org.role), inProject: 'guest' }, method)
}
