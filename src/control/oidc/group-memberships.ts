import { asOrganisationId, type CustomerId } from '../../contract/ids.ts'
import { isRoleEnough, type Role } from '../../contract/role.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { GroupRule } from '../../settings/oidc-settings.ts'
import { endGrantsOfMember } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** A user of a provider, with their account. */
export interface GroupMember {
  readonly customerId: CustomerId
  readonly issuer: string
  /** `undefined` when the provider did not list them. */
  readonly groups: readonly string[] | undefined
}

/** The role of each organisation that the rules give for a list of groups: the highest one that applies. */
function rolesOfGroups(rules: readonly GroupRule[], groups: readonly string[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>()
  for (const { organisationId, group, role } of rules) {
    if (group !== '*' && !groups.includes(group)) continue
    const known = roles.get(organisationId)
    if (known === undefined || isRoleEnough({ role, needed: known })) roles.set(organisationId, role)
  }
  return roles
}

/** Whether the groups of a user make them a member of an organisation. */
export function hasGroupRole(rules: readonly GroupRule[], groups: readonly string[] | undefined): boolean {
  return rolesOfGroups(rules, groups ?? []).size > 0
}

/**
 * Gives a user the memberships of their groups, within a transaction. Memberships that the groups gave follow them, also when
 * they end; those that people gave stay as they are. Without a list of groups nothing ends. Returns whether the user is a member of
 * an organisation of the rules.
 */
export async function followGroups(
  transaction: Catalog,
  clock: Clock,
  { rules, ...member }: GroupMember & { readonly rules: readonly GroupRule[] },
): Promise<boolean> {
  const { customerId, issuer, groups } = member
  const roles = rolesOfGroups(rules, groups ?? [])
  const known = await existingOrganisations(transaction, [...roles.keys()])
  for (const [organisation_id, role] of roles) {
    if (!known.has(organisation_id)) continue
    await transaction
      .insertInto('memberships')
      .values({ organisation_id, customer_id: customerId, role, issuer, created_ms: clock.nowMs() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await updateGiven(transaction, { ...member, roles })
  return known.size > 0
}

/** A rule may name an organisation that was deleted. */
async function existingOrganisations(
  transaction: Catalog,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.selectFrom('organisations').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

async function updateGiven(
  transaction: Catalog,
  { customerId, issuer, groups, roles }: GroupMember & { readonly roles: ReadonlyMap<string, Role> },
): Promise<void> {
  const given = await transaction
    .selectFrom('memberships')
    .select(['organisation_id', 'role'])
    .where('customer_id', '=', customerId)
    .where('issuer', '=', issuer)
    .execute()
  for (const membership of given) {
    const role = roles.get(membership.organisation_id)
    if (role === membership.role || (role === undefined && groups === undefined)) continue
    // An organisation needs an admin; the operator can add another one and have the groups followed at the next sign-in.
    if (
      membership.role === 'admin' &&
      (await isOnlyAdmin(transaction, customerId, membership.organisation_id))
    )
      continue
    await change(transaction, { customerId, organisationId: membership.organisation_id, role })
  }
}

async function change(
  transaction: Catalog,
  {
    customerId,
    organisationId,
    role,
  }: { customerId: CustomerId; organisationId: string; role: Role | undefined },
): Promise<void> {
  const key = { organisation_id: organisationId, customer_id: customerId }
  if (role === undefined) {
    await endGrantsOfMember(transaction, { customerId, organisationId: asOrganisationId(organisationId) })
    await transaction
      .deleteFrom('memberships')
      .where('organisation_id', '=', key.organisation_id)
      .where('customer_id', '=', key.customer_id)
      .execute()
    return
  }
  await transaction
    .updateTable('memberships')
    .set({ role })
    .where('organisation_id', '=', key.organisation_id)
    .where('customer_id', '=', key.customer_id)
    .execute()
}

async function isOnlyAdmin(
  transaction: Catalog,
  customerId: CustomerId,
  organisationId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('memberships')
    .select('customer_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'admin')
    .where('customer_id', '!=', customerId)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}
