import { asCustomerId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import { endGrantsOfMember } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { selectHasFactor } from '../../store/catalog/has-second-factor.ts'
import { hasText, isAfter, type MemberPage, type MemberPosition } from '../../store/catalog/member-pages.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type PagedMembers, toPage } from './member-paging.ts'
import { type MembershipKey, requireMembership } from './membership.ts'

/** A member of an organisation. */
export interface Member extends MembershipKey, MemberPosition {
  readonly customerId: CustomerId
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

/** Which members of an organisation to list. */
export interface MemberFilter extends MemberPage {
  readonly role?: Role | undefined
  /** Only these accounts; absent for all. */
  readonly customerIds?: readonly string[] | undefined
}

/** A page of the members of an organisation, in the order of joining. */
export async function listMembers(
  catalog: Catalog,
  key: MembershipKey,
  filter: MemberFilter,
): Promise<PagedMembers<Member>> {
  const role = await requireMembership(catalog, { ...key, needed: 'viewer' })
  const members = await readMembers(catalog, key.organisationId, filter)
  if (role === 'admin') return toPage(members, filter)
  // Whose password alone would be enough is a secret of the admins.
  return toPage(
    members.map((member) => ({ ...member, hasSecondFactor: false })),
    filter,
  )
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
    const members = await readMembers(transaction, key.organisationId, { count: 2 })
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

async function readMembers(
  catalog: Catalog,
  organisationId: OrganisationId,
  filter: MemberFilter,
): Promise<Member[]> {
  const rows = await catalog
    .selectFrom(selectPage(catalog, organisationId, filter).as('page'))
    .selectAll()
    .select(selectHasFactor('page.id').as('has_factor'))
    .select(({ selectFrom, ref }) => [
      selectFrom('refresh_sessions')
        .select(({ fn }) => fn.max('refresh_sessions.created_ms').as('ms'))
        .where('refresh_sessions.customer_id', '=', ref('page.id'))
        .as('begun_ms'),
      selectFrom('refresh_sessions')
        .select(({ fn }) => fn.max('refresh_sessions.exchanged_ms').as('ms'))
        .where('refresh_sessions.customer_id', '=', ref('page.id'))
        .as('exchanged_ms'),
    ])
    .orderBy('page.joined_ms')
    .orderBy('page.id')
    .execute()
  return rows.map(({ id, display_name, email, role, joined_ms, begun_ms, exchanged_ms, has_factor }) => ({
    organisationId,
    customerId: asCustomerId(id),
    displayName: display_name,
    email,
    role,
    joinedMs: joined_ms,
    // PostgreSQL answers a maximum as text.
    lastActiveMs: Math.max(Number(begun_ms), Number(exchanged_ms)) || undefined,
    hasSecondFactor: has_factor === 1,
  }))
}

/** The rows of a page: only for these are sessions and second factors looked up. */
function selectPage(
  catalog: Catalog,
  organisationId: OrganisationId,
  { after, search = '', role, customerIds, count }: MemberFilter,
) {
  let query = catalog
    .selectFrom('memberships')
    .innerJoin('customers', 'customers.id', 'memberships.customer_id')
    .select(['customers.id', 'customers.display_name', 'customers.email'])
    .select(['memberships.role', 'memberships.created_ms as joined_ms'])
    .where('memberships.organisation_id', '=', organisationId)
    .orderBy('memberships.created_ms')
    .orderBy('memberships.customer_id')
    .limit(count)
  if (after) query = query.where(isAfter(after))
  if (search !== '') query = query.where(hasText(search))
  if (role) query = query.where('memberships.role', '=', role)
  if (customerIds) query = query.where('memberships.customer_id', 'in', customerIds)
  return query
}

/** The member of a change; requires an admin. Throws `not_found`. */
export async function findMemberToChange(catalog: Catalog, change: MemberChange): Promise<Member> {
  await requireMembership(catalog, { ...change, needed: 'admin' })
  const one = { customerIds: [change.memberId], count: 1 }
  const [member] = await readMembers(catalog, change.organisationId, one)
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
