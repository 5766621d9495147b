import type { DescMethod } from '@bufbuild/protobuf'
import { type Org, OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { mayRoleCall } from '@domain/role-rules.ts'

/** The name of a role. */
export type RoleName = 'admin' | 'member' | 'viewer'

/** The roles as values of messages. */
export const ROLES = {
  admin: OrgRole.ADMIN,
  member: OrgRole.MEMBER,
  viewer: OrgRole.VIEWER,
} as const satisfies Record<RoleName, OrgRole>

/** The name of a role of a message. */
export function nameOfRole(role: OrgRole): RoleName {
  if (role === OrgRole.ADMIN) return 'admin'
  return role === OrgRole.MEMBER ? 'member' : 'viewer'
}

/**
 * Whether the signed-in user may call a method in one of their organisations, by the rules of the service. It decides what
 * pages show; the service checks each call again.
 */
export function mayCall(org: Org, method: DescMethod): boolean {
  return mayRoleCall(nameOfRole(org.role), { service: method.parent.typeName, method: method.localName })
}
