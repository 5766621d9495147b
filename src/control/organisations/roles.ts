import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { isRoleEnough, type Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { invalidField } from '../invalid-field.ts'

const TO_WIRE = {
  admin: OrgRole.ADMIN,
  member: OrgRole.MEMBER,
  viewer: OrgRole.VIEWER,
  guest: OrgRole.GUEST,
} as const satisfies Record<Role, OrgRole>

/** The wire value of a role. */
export function encodeRole(role: Role): OrgRole {
  return TO_WIRE[role]
}

/** Parses the role in a field. Throws `invalid_argument` for an unspecified or unknown value. */
export function parseRole(role: OrgRole, field = 'role'): Role {
  if (role === OrgRole.ADMIN) return 'admin'
  if (role === OrgRole.MEMBER) return 'member'
  if (role === OrgRole.VIEWER) return 'viewer'
  if (role === OrgRole.GUEST) return 'guest'
  throw invalidField(field, 'must be a role')
}

/** Throws `permission_denied` for a role below `needed`. */
export function requireRole(required: {
  readonly role: Role
  readonly needed: Role
  /** Where the caller has the role. */
  readonly in: 'organisation' | 'project'
}): void {
  const { role, needed } = required
  if (isRoleEnough({ role, needed })) return
  const needsAdmin = needed === 'admin'
  throw new ServiceError({
    code: 'permission_denied',
    reason: needsAdmin ? 'ORG_ADMIN_REQUIRED' : 'ORG_ROLE_FORBIDDEN',
    message: needsAdmin
      ? `only an admin of the ${required.in} may do this`
      : `a ${role} of the ${required.in} may not do this`,
  })
}
