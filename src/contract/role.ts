/**
 * The roles of members of an organisation and of its projects; each role has the permissions of the ones after it. A guest of an
 * organisation has no project but those that give the guest another role.
 */
export type Role = 'admin' | 'member' | 'viewer' | 'guest'

/** Each role may do what the lower ones may. */
const RANKS = { guest: 0, viewer: 1, member: 2, admin: 3 } as const satisfies Record<Role, number>

/** Whether a role may do what `needed` may. */
export function isRoleEnough({ role, needed }: { readonly role: Role; readonly needed: Role }): boolean {
  return RANKS[role] >= RANKS[needed]
}

/** The roles of a member. */
export interface RolesOfMember {
  readonly inOrganisation: Role
  /** The role that the project gives; absent for one that gives none. */
  readonly ofProject: Role | null | undefined
}

/**
 * The role of a member in a project: the one that the project gives replaces the one in the organisation. An admin of the organisation
 * is an admin of each of its projects.
 */
export function roleInProject({ inOrganisation, ofProject }: RolesOfMember): Role {
  return inOrganisation === 'admin' ? 'admin' : (ofProject ?? inOrganisation)
}

/** Whether a role opens a project at all. */
export function opensProject(role: Role): boolean {
  return isRoleEnough({ role, needed: 'viewer' })
}
