import { asCustomerId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import { endGrantsOfMember } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { selectHasFactor } from '../../store/catalog/has-second-factor.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type MembershipKey, requireMembership } from './membership.ts'

/** A member of an organisation. */
export interface Member extends MembershipKey {
  readonly displayName: string
  readonly email: string
  readonly role: Role
  /** The time at which a session of the member last got an access token; absent without a session. */
  readonly lastActiveMs: number | undefined
  readonly hasSecondFactor: boolean
}

/** A change of a membership by an admin. */
export interface MemberChange extends MembershipKey {
  /** The member to change; `customerId` is the admin. */
  readonly memberId: CustomerId
}

/** The members of an organisation, in the order of joining. */
export async function listMembers(catalog: Catalog, key: MembershipKey): Promise<Member[]> {
  const role = await requireMembership(catalog, { ...key, needed: 'viewer' })
  const members = await readMembers(catalog, key.organisationId)
  if (role === 'admin') return members
  // Whose password alone would be enough is a secret of the admins.
  return members.map((member) => ({ ...member, hasSecondFactor: false }))
}

/** Removes a member; requires an admin. Throws `failed_precondition` for the last admin. */
export async function removeMember(catalog: Catalog, change: MemberChange): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const member = await findMemberToChange(transaction, change)
    if (await isLastAdmin(transaction, member)) throw lastAdmin('CANNOT_REMOVE_LAST_ADMIN')
    await deleteMembership(transaction, member)
  })
}

/** Changes the role of a member; requires an admin. Throws `failed_precondition` for the last admin. */
export async function changeRole(
  catalog: Catalog,
  change: MemberChange & { readonly role: Role },
): Promise<Member> {
  return await inTransaction(catalog, async (transaction) => {
    const member = await findMemberToChange(transaction, change)
    if (change.role !== 'admin' && (await isLastAdmin(transaction, member)))
      throw lastAdmin('CANNOT_DEMOTE_LAST_ADMIN')
    await transaction
      .updateTable('memberships')
      .set({ role: change.role })
      .where('organisation_id', '=', member.organisationId)
      .where('customer_id', '=', member.customerId)
      .execute()
    return { ...member, role: change.role }
  })
}

/** Ends the caller's own membership. Throws `failed_precondition` for the last member and for the last admin. */
export async function leaveOrganisation(catalog: Catalog, key: MembershipKey): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const role = await requireMembership(transaction, { ...key, needed: 'guest' })
    const members = await readMembers(transaction, key.organisationId)
    if (members.length === 1) throw lastMember()
    if (await isLastAdmin(transaction, { ...key, role })) throw lastAdmin('CANNOT_REMOVE_LAST_ADMIN')
    await deleteMembership(transaction, key)
  })
}

/** Whether an organisation has a member with an address, in lower case. */
export async function hasMember(
  catalog: Catalog,
  { organisationId, email }: { readonly organisationId: OrganisationId; readonly email: string },
): Promise<boolean> {
  const row = await catalog
    .selectFrom('memberships')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .select('customers.id')
    .where('memberships.organisation_id', '=', organisationId)
    .where('customers.email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

async function readMembers(catalog: Catalog, organisationId: OrganisationId): Promise<Member[]> {
  const rows = await catalog
    .selectFrom('memberships')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .leftJoin('refresh_sessions', 'refresh_sessions.customer_id', 'customers.id')
    .select(['customers.id', 'customers.display_name', 'customers.email', 'memberships.role'])
    .select(selectHasFactor('customers.id').as('has_factor'))
    .select(({ fn }) => [
      fn.max('refresh_sessions.created_ms').as('begun_ms'),
      fn.max('refresh_sessions.exchanged_ms').as('exchanged_ms'),
    ])
    .where('memberships.organisation_id', '=', organisationId)
    .groupBy(['customers.id', 'customers.display_name', 'customers.email', 'memberships.role'])
    .groupBy('memberships.created_ms')
    .orderBy('memberships.created_ms')
    .orderBy('customers.id')
    .execute()
  return rows.map(({ id, display_name, email, role, begun_ms, exchanged_ms, has_factor }) => ({
    organisationId,
    customerId: asCustomerId(id),
    displayName: display_name,
    email,
    role,
    // PostgreSQL answers a maximum as text.
    lastActiveMs: Math.max(Number(begun_ms), Number(exchanged_ms)) || undefined,
    hasSecondFactor: has_factor === 1,
  }))
}

/** The member of a change; requires an admin. Throws `not_found`. */
export async function findMemberToChange(catalog: Catalog, change: MemberChange): Promise<Member> {
  await requireMembership(catalog, { ...change, needed: 'admin' })
  const members = await readMembers(catalog, change.organisationId)
  const member = members.find(({ customerId }) => customerId === change.memberId)
  if (member) return member
  throw new ServiceError({
    code: 'not_found',
    reason: 'MEMBER_NOT_FOUND',
    message: 'the organisation has no such member',
  })
}

async function isLastAdmin(
  catalog: Catalog,
  { role, organisationId, customerId }: MembershipKey & { readonly role: Role },
): Promise<boolean> {
  if (role !== 'admin') return false
  const other = await catalog
    .selectFrom('memberships')
    .select('customer_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'admin')
    .where('customer_id', '!=', customerId)
    .executeTakeFirst()
  return other === undefined
}

async function deleteMembership(catalog: Catalog, key: MembershipKey): Promise<void> {
  await endGrantsOfMember(catalog, key)
  await catalog
    .deleteFrom('memberships')
    .where('organisation_id', '=', key.organisationId)
    .where('customer_id', '=', key.customerId)
    .execute()
}

function lastAdmin(
  reason: Extract<ErrorReason, 'CANNOT_REMOVE_LAST_ADMIN' | 'CANNOT_DEMOTE_LAST_ADMIN'>,
): ServiceError {
  const message = 'an organisation needs an admin; make another member an admin first'
  return new ServiceError({ code: 'failed_precondition', reason, message })
}

function lastMember(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'CANNOT_LEAVE_AS_LAST_MEMBER',
    message: 'the last member cannot leave an organisation',
  })
}
