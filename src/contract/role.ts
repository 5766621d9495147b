/** The roles of members of an organisation; each role has the permissions of the ones after it. */
export type Role = 'admin' | 'member' | 'viewer'

/** Each role may do what the lower ones may. */
const RANKS = { viewer: 1, member: 2, admin: 3 } as const satisfies Record<Role, number>

/** Whether a role may do what `needed` may. */
export function isRoleEnough({ role, needed }: { readonly role: Role; readonly needed: Role }): boolean {
  return RANKS[role] >= RANKS[needed]
}
