import type { DescMethod } from '@bufbuild/protobuf'
import { type Org, OrgRole } from '@contract/dashboard/orgs/v1/org_pb.js'
import { mayRoleCall } from '@domain/role-rules.ts'

/** What a role is called. */
export type RoleName = 'admin' | 'member' | 'viewer'

/** The roles as messages have them. */
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
 * Whether whoever is signed in may call a method in an organisation of theirs, by the rules that the service itself has. What
 * it allows may be shown; the service decides again when it is called.
 */
export function mayCall(org: Org, method: DescMethod): boolean {
  return mayRoleCall(nameOfRole(org.role), { service: method.parent.typeName, method: method.localName })
}
