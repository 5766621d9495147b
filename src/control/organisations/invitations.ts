import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asOrganisationId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { InvitationTable } from '../../store/catalog/schema.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail } from '../customers/customers.ts'
import { insertInvitationLink } from '../customers/magic-links.ts'
import type { SendMail } from '../mail/mail-queue.ts'
import { composeInvitationMail } from './invitation-mail.ts'
import { countInvitationSend } from './invitation-sends.ts'
import { hasMember } from './members.ts'
import { type MembershipKey, requireMembership } from './membership.ts'

/** An invitation to join an organisation. */
export interface Invitation {
  readonly id: string
  readonly organisationId: OrganisationId
  /** In lower case. */
  readonly email: string
  readonly role: Role
  readonly status: InvitationTable['status']
  readonly expiresMs: number
}

/** An invitation that was sent. */
export interface SentInvitation extends Invitation {
  /** A link for the admin to pass on when no mail server can send the mail; else empty. */
  readonly link: string
}

/** Dependencies of invitations. */
export interface InvitationPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sendMail: SendMail
  /** Whether a mail server sends the mail of an organisation, read within a transaction; without one, mail goes to the log. */
  readonly canSendMail: (transaction: Catalog, organisationId: OrganisationId) => Promise<boolean>
  /** URL of the sign-in link with a token. */
  readonly magicLinkUrl: (token: string) => string
}

/** An invitation, and the admin who manages it. */
export interface InvitationKey extends MembershipKey {
  readonly invitationId: string
}

/** Lifetime of an invitation. */
const INVITATION_MS = 7 * 24 * 3_600_000

/** Maximum length of a list; pending invitations number in the hundreds at most. */
const LISTED_MAX = 1000

/**
 * Invites an address; requires an admin. A pending invitation of the address is renewed: it keeps its id, with the new role
 * and expiry.
 */
export async function inviteMember(
  ports: InvitationPorts,
  { role, ...request }: MembershipKey & { readonly email: string; readonly role: Role },
): Promise<SentInvitation> {
  const email = canonicalEmail(request.email)
  return await inTransaction(ports.catalog, async (transaction) => {
    await requireMembership(transaction, { ...request, needed: 'admin' })
    if (await hasMember(transaction, { ...request, email })) throw alreadyMember()
    const pending = await transaction
      .selectFrom('invitations')
      .selectAll()
      .where('organisation_id', '=', request.organisationId)
      .where('email', '=', email)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    const invitation = pending
      ? { ...toInvitation(pending), role }
      : await insertInvitation(transaction, ports.clock, {
          organisationId: request.organisationId,
          email,
          role,
        })
    return await renew(transaction, ports, invitation)
  })
}

/** Renews a pending or expired invitation; requires an admin. */
export async function resendInvitation(ports: InvitationPorts, key: InvitationKey): Promise<SentInvitation> {
  return await inTransaction(
    ports.catalog,
    async (transaction) => await renew(transaction, ports, await requirePending(transaction, key)),
  )
}

/** Revokes a pending invitation and invalidates its links; requires an admin. */
export async function revokeInvitation(catalog: Catalog, key: InvitationKey): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { id } = await requirePending(transaction, key)
    await transaction.updateTable('invitations').set({ status: 'revoked' }).where('id', '=', id).execute()
  })
}

/** The invitations of an organisation except revoked ones, newest first; requires an admin. */
export async function listInvitations(catalog: Catalog, key: MembershipKey): Promise<Invitation[]> {
  await requireMembership(catalog, { ...key, needed: 'admin' })
  const rows = await catalog
    .selectFrom('invitations')
    .selectAll()
    .where('organisation_id', '=', key.organisationId)
    .where('status', '!=', 'revoked')
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute()
  return rows.map(toInvitation)
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

/** Acceptance of an invitation by a customer. */
export interface Acceptance {
  readonly invitationId: string
  /** The invited customer: opening the mailed link proves the address. */
  readonly customerId: CustomerId
}

/**
 * Accepts an invitation within a transaction; an existing member keeps their role. Throws `failed_precondition` when the
 * invitation has expired, was revoked, or was already accepted.
 */
export async function acceptInvitation(
  transaction: Catalog,
  clock: Clock,
  { invitationId, customerId }: Acceptance,
): Promise<OrganisationId> {
  const row = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', invitationId)
    .executeTakeFirst()
  const nowMs = clock.nowMs()
  if (row?.status !== 'pending') throw cannotUse('INVITATION_NOT_PENDING')
  if (row.expires_ms <= nowMs) throw cannotUse('INVITATION_EXPIRED')
  await transaction.updateTable('invitations').set({ status: 'accepted' }).where('id', '=', row.id).execute()
  await transaction
    .insertInto('memberships')
    .values({
      organisation_id: row.organisation_id,
      customer_id: customerId,
      role: row.role,
      created_ms: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return asOrganisationId(row.organisation_id)
}

async function insertInvitation(
  transaction: Catalog,
  clock: Clock,
  invited: { readonly organisationId: OrganisationId; readonly email: string; readonly role: Role },
): Promise<Invitation> {
  const nowMs = clock.nowMs()
  const row = {
    id: randomUUID(),
    organisation_id: invited.organisationId,
    email: invited.email,
    role: invited.role,
    status: 'pending' as const,
    created_ms: nowMs,
    expires_ms: nowMs + INVITATION_MS,
  }
  await transaction.insertInto('invitations').values(row).execute()
  return toInvitation(row)
}

/** Extends an invitation and sends a mail. Earlier links keep working, because people may open an earlier mail. */
async function renew(
  transaction: Catalog,
  { clock, sendMail, canSendMail, magicLinkUrl }: InvitationPorts,
  invitation: Invitation,
): Promise<SentInvitation> {
  const { id, organisationId, email, role } = invitation
  const renewed = { ...invitation, expiresMs: clock.nowMs() + INVITATION_MS }
  await countInvitationSend(transaction, clock, organisationId)
  await transaction
    .updateTable('invitations')
    .set({ role, expires_ms: renewed.expiresMs })
    .where('id', '=', id)
    .execute()
  const expiry = { email, invitationId: id, expiresMs: renewed.expiresMs }
  const createLink = async (isReturned: boolean): Promise<string> =>
    magicLinkUrl(await insertInvitationLink(transaction, clock, { ...expiry, isReturned }))
  const mailed = await createLink(false)
  const { display_name } = await transaction
    .selectFrom('organisations')
    .select('display_name')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  await sendMail(
    composeInvitationMail({ ...renewed, organisationName: display_name, link: mailed }),
    transaction,
  )
  // A link of its own, as the inviter must not hold one that opens an account of someone else.
  return { ...renewed, link: (await canSendMail(transaction, organisationId)) ? '' : await createLink(true) }
}

async function requirePending(transaction: Catalog, key: InvitationKey): Promise<Invitation> {
  await requireMembership(transaction, { ...key, needed: 'admin' })
  const row = await transaction
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', key.invitationId)
    .where('organisation_id', '=', key.organisationId)
    .executeTakeFirst()
  if (!row)
    throw new ServiceError({
      code: 'not_found',
      reason: 'INVITATION_NOT_FOUND',
      message: 'the organisation has no such invitation',
    })
  if (row.status !== 'pending') throw cannotUse('INVITATION_NOT_PENDING')
  return toInvitation(row)
}

function toInvitation(row: Selectable<InvitationTable>): Invitation {
  return {
    id: row.id,
    organisationId: asOrganisationId(row.organisation_id),
    email: row.email,
    role: row.role,
    status: row.status,
    expiresMs: row.expires_ms,
  }
}

function alreadyMember(): ServiceError {
  return new ServiceError({
    code: 'already_exists',
    reason: 'ORG_ALREADY_A_MEMBER',
    message: 'the address already belongs to a member of the organisation',
  })
}

const MESSAGES = {
  INVITATION_NOT_PENDING: 'the invitation was accepted or revoked',
  INVITATION_EXPIRED: 'the invitation has expired; request a new one',
} as const satisfies Partial<Record<ErrorReason, string>>

function cannotUse(reason: keyof typeof MESSAGES): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason, message: MESSAGES[reason] })
}
