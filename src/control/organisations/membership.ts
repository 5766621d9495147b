import type { CustomerId, OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireRole } from './roles.ts'

/** A customer and an organisation. */
export interface MembershipKey {
  readonly organisationId: OrganisationId
  readonly customerId: CustomerId
}

/** The role of a customer in an organisation; `undefined` for non-members and unknown organisations. */
async function findRole(catalog: Catalog, key: MembershipKey): Promise<Role | undefined> {
  const row = await catalog
    .selectFrom('memberships')
    .select('role')
    .where('organisation_id', '=', key.organisationId)
    .where('customer_id', '=', key.customerId)
    .executeTakeFirst()
  return row?.role
}

/**
 * The role of a customer in an organisation. Throws `not_found` for an unknown organisation, and `permission_denied` for
 * non-members and roles below `needed`.
 */
export async function requireMembership(
  catalog: Catalog,
  { needed, ...key }: MembershipKey & { readonly needed: Role },
): Promise<Role> {
  const role = await findRole(catalog, key)
  if (!role) throw await explainNoRole(catalog, key.organisationId)
  requireRole({ role, needed, in: 'organisation' })
  return role
}

async function explainNoRole(catalog: Catalog, id: OrganisationId): Promise<ServiceError> {
  const row = await catalog.selectFrom('organisations').select('id').where('id', '=', id).executeTakeFirst()
  if (!row)
    return new ServiceError({
      code: 'not_found',
      reason: 'ORG_NOT_FOUND',
      message: 'there is no organisation with this id',
    })
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ORG_NOT_A_MEMBER',
    message: 'you are not a member of this organisation',
  })
}
