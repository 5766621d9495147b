import { randomUUID } from 'node:crypto'
import { asOrganisationId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type MembershipKey, requireMembership } from './membership.ts'

/** An organisation, as one of its members sees it. */
export interface Organisation {
  readonly id: OrganisationId
  readonly displayName: string
  /** The role of the member. */
  readonly role: Role
  /** Whether its members need a second factor. */
  readonly isSecondFactorRequired: boolean
}

/** Bounds lists of organisations, which have no pages. */
const ORGANISATIONS_PER_CUSTOMER_MAX = 100

/** The organisations of a customer, oldest first. */
export async function listOrganisations(catalog: Catalog, customerId: CustomerId): Promise<Organisation[]> {
  const rows = await catalog
    .selectFrom('organisations')
    .innerJoin('memberships', 'memberships.organisation_id', 'organisations.id')
    .select(['organisations.id', 'organisations.display_name', 'memberships.role'])
    .select('second_factor_required')
    .where('memberships.customer_id', '=', customerId)
    .orderBy('organisations.created_ms')
    .orderBy('organisations.id')
    .execute()
  return rows.map(({ id, display_name, role, second_factor_required }) => ({
    id: asOrganisationId(id),
    displayName: display_name,
    role,
    isSecondFactorRequired: second_factor_required === 1,
  }))
}

/** One organisation. Throws `not_found`, and `permission_denied` for non-members. */
export async function readOrganisation(catalog: Catalog, key: MembershipKey): Promise<Organisation> {
  const role = await requireMembership(catalog, { ...key, needed: 'guest' })
  const { display_name, second_factor_required } = await catalog
    .selectFrom('organisations')
    .select(['display_name', 'second_factor_required'])
    .where('id', '=', key.organisationId)
    .executeTakeFirstOrThrow()
  return {
    id: key.organisationId,
    displayName: display_name,
    role,
    isSecondFactorRequired: second_factor_required === 1,
  }
}

/** Creates an organisation without projects; the customer becomes its admin. */
export async function createOrganisation(
  catalog: Catalog,
  clock: Clock,
  { customerId, displayName }: { readonly customerId: CustomerId; readonly displayName: string },
): Promise<Organisation> {
  const id = asOrganisationId(randomUUID())
  const created_ms = clock.nowMs()
  await inTransaction(catalog, async (transaction) => {
    const organisations = await listOrganisations(transaction, customerId)
    if (organisations.length >= ORGANISATIONS_PER_CUSTOMER_MAX) throw tooManyOrganisations()
    await transaction
      .insertInto('organisations')
      .values({ id, display_name: displayName, created_ms })
      .execute()
    await transaction
      .insertInto('memberships')
      .values({ organisation_id: id, customer_id: customerId, role: 'admin', created_ms })
      .execute()
  })
  return { id, displayName, role: 'admin', isSecondFactorRequired: false }
}

/** Renames an organisation; requires an admin. */
export async function renameOrganisation(
  catalog: Catalog,
  { displayName, ...key }: MembershipKey & { readonly displayName: string },
): Promise<Organisation> {
  return await inTransaction(catalog, async (transaction) => {
    await requireMembership(transaction, { ...key, needed: 'admin' })
    await transaction
      .updateTable('organisations')
      .set({ display_name: displayName })
      .where('id', '=', key.organisationId)
      .execute()
    return await readOrganisation(transaction, key)
  })
}

function tooManyOrganisations(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `you are in ${ORGANISATIONS_PER_CUSTOMER_MAX} organisations; leave one first`,
  })
}
