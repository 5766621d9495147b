import { asOrganisationId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import { type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { InvitationTable } from '../../store/catalog/schema/account-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { findCustomer } from '../customers/customers.ts'
import { useMagicLink } from '../customers/magic-links.ts'
import { giveInvitationRoles } from './invitation-roles.ts'

/** Acceptance of an invitation by a customer. */
export interface Acceptance {
  readonly invitationId: string
  /** The invited customer, who proved the address or signed in to its account. */
  readonly customerId: CustomerId
}

/** Whether an address, in lower case, has an invitation that can be accepted. */
export async function hasPendingInvitation(catalog: Catalog, clock: Clock, email: string): Promise<boolean> {
  const row = await catalog
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expires_ms', '>', clock.nowMs())
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Throws `failed_precondition` when an invitation has expired, was revoked, or was already accepted. */
export async function requireAcceptable(
  transaction: Catalog,
  clock: Clock,
  invitationId: string,
): Promise<Pick<InvitationTable, 'organisation_id' | 'role'>> {
  const row = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', invitationId)
    .executeTakeFirst()
  if (row?.status !== 'pending') throw cannotAccept('INVITATION_NOT_PENDING')
  if (row.expires_ms <= clock.nowMs()) throw cannotAccept('INVITATION_EXPIRED')
  return row
}

/** Accepts an invitation within a transaction; an existing member keeps their roles. Throws as `requireAcceptable`. */
export async function acceptInvitation(
  transaction: Catalog,
  clock: Clock,
  { invitationId, customerId }: Acceptance,
): Promise<OrganisationId> {
  const { organisation_id, role } = await requireAcceptable(transaction, clock, invitationId)
  await transaction
    .updateTable('invitations')
    .set({ status: 'accepted' })
    .where('id', '=', invitationId)
    .execute()
  const organisationId = asOrganisationId(organisation_id)
  const joined = await transaction
    .insertInto('memberships')
    .values({ organisation_id, customer_id: customerId, role, created_ms: clock.nowMs() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((joined.numInsertedOrUpdatedRows ?? 0n) > 0n)
    await giveInvitationRoles(transaction, clock, { invitationId, organisationId, customerId })
  return organisationId
}

/**
 * Accepts the invitation of a link for a customer who is signed in, and uses the link up. Throws `not_found` for a link that is
 * unknown, used, expired or for another address, alike, and as `requireAcceptable`.
 */
export async function acceptByLink(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { customerId, token }: { readonly customerId: CustomerId; readonly token: string },
): Promise<OrganisationId> {
  return await inTransaction(catalog, async (transaction) => {
    const link = await useMagicLink(transaction, clock, token)
    const customer = await findCustomer(transaction, customerId)
    if (link?.invitationId === undefined || link.email !== customer?.email) throw noInvitation()
    return await acceptInvitation(transaction, clock, { invitationId: link.invitationId, customerId })
  })
}

const MESSAGES = {
  INVITATION_NOT_PENDING: 'the invitation was accepted or revoked',
  INVITATION_EXPIRED: 'the invitation has expired; request a new one',
} as const satisfies Partial<Record<ErrorReason, string>>

/** An invitation cannot be accepted any more. */
export function cannotAccept(reason: keyof typeof MESSAGES): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason, message: MESSAGES[reason] })
}

function noInvitation(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'INVITATION_NOT_FOUND',
    message: 'the link was used, has expired, or invites another address than that of your account',
  })
}
