import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { isRoleEnough, type Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { invalidField } from '../invalid-field.ts'

const TO_WIRE = {
  admin: OrgRole.ADMIN,
  member: OrgRole.MEMBER,
  viewer: OrgRole.VIEWER,
} as const satisfies Record<Role, OrgRole>

/** The role as messages have it. */
export function encodeRole(role: Role): OrgRole {
  return TO_WIRE[role]
}

/** The role that a message names. Throws `invalid_argument` when it names none. */
export function parseRole(role: OrgRole): Role {
  if (role === OrgRole.ADMIN) return 'admin'
  if (role === OrgRole.MEMBER) return 'member'
  if (role === OrgRole.VIEWER) return 'viewer'
  throw invalidField('role', 'names no role')
}

/** Throws `permission_denied` when a role may not do what `needed` may. */
export function requireRole({ role, needed }: { readonly role: Role; readonly needed: Role }): void {
  if (isRoleEnough({ role, needed })) return
  const isAdminsOnly = needed === 'admin'
  throw new ServiceError({
    code: 'permission_denied',
    reason: isAdminsOnly ? 'ORG_ADMIN_REQUIRED' : 'ORG_ROLE_FORBIDDEN',
    message: isAdminsOnly
      ? 'only an admin of the organisation may do this'
      : `a ${role} of the organisation may not do this`,
  })
}
