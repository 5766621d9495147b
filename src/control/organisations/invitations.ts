import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asOrganisationId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { InvitationTable } from '../../store/catalog/schema/account-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { canonicalEmail } from '../customers/customers.ts'
import { insertInvitationLink } from '../customers/magic-links.ts'
import type { MailRoute } from '../mail/choose-sender.ts'
import type { MailedInvitation, SendMail } from '../mail/mail-queue.ts'
import { cannotAccept } from './accept-invitation.ts'
import { composeInvitationMail } from './invitation-mail.ts'
import {
  checkInvitationRoles,
  type NamedInvitationRole,
  readInvitationRoles,
  replaceInvitationRoles,
} from './invitation-roles.ts'
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
  /** Why the newest mail could not be sent; empty for one that did not fail. */
  readonly mailError: string
  /** Roles that projects give to the user who joins. */
  readonly projectRoles: readonly NamedInvitationRole[]
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
  /** The route of an organisation's mail, read within a transaction. */
  readonly routeMail: (transaction: Catalog, organisationId: OrganisationId) => Promise<MailRoute>
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

/** Whom to invite, with the roles in the organisation and in some of its projects. */
export interface InvitationRequest extends MembershipKey {
  readonly email: string
  readonly role: Role
  readonly projectRoles?: readonly { readonly projectId: string; readonly role: Role }[]
}

/**
 * Invites an address; requires an admin. A pending invitation of the address is renewed: it keeps its id, with the new roles
 * and expiry. Throws as `checkInvitationRoles`.
 */
export async function inviteMember(
  ports: InvitationPorts,
  { role, projectRoles: sent = [], ...request }: InvitationRequest,
): Promise<SentInvitation> {
  const email = canonicalEmail(request.email)
  return await inTransaction(ports.catalog, async (transaction) => {
    await requireMembership(transaction, { ...request, needed: 'admin' })
    const roles = await checkInvitationRoles(transaction, {
      organisationId: request.organisationId,
      role,
      sent,
    })
    if (await hasMember(transaction, { ...request, email })) throw alreadyMember()
    const pending = await transaction
      .selectFrom('invitations')
      .selectAll()
      .where('organisation_id', '=', request.organisationId)
      .where('email', '=', email)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    const { id } =
      pending ??
      (await insertInvitation(transaction, ports.clock, {
        organisationId: request.organisationId,
        email,
        role,
      }))
    await replaceInvitationRoles(transaction, id, roles)
    return await renew(transaction, ports, { id, role })
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

/** Records why a mail of an invitation will not be sent, unless a newer mail of it was queued since. */
export async function recordMailError(
  catalog: Catalog,
  { id, expiresMs }: MailedInvitation,
  error: string,
): Promise<void> {
  await catalog
    .updateTable('invitations')
    .set({ mail_error: error })
    .where('id', '=', id)
    .where('expires_ms', '=', expiresMs)
    .execute()
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
  const ids = rows.map(({ id }) => id)
  const roles = await readInvitationRoles(catalog, ids)
  return rows.map((row) => toInvitation(row, roles.get(row.id)))
}

async function insertInvitation(
  transaction: Catalog,
  clock: Clock,
  invited: { readonly organisationId: OrganisationId; readonly email: string; readonly role: Role },
): Promise<Pick<Invitation, 'id'>> {
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
  return row
}

/** Extends an invitation and sends a mail. Earlier links keep working, because people may open an earlier mail. */
async function renew(
  transaction: Catalog,
  ports: InvitationPorts,
  { id, role }: Pick<Invitation, 'id' | 'role'>,
): Promise<SentInvitation> {
  const { clock } = ports
  const row = await transaction
    .updateTable('invitations')
    .set({ role, expires_ms: clock.nowMs() + INVITATION_MS, mail_error: '' })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await countInvitationSend(transaction, clock, asOrganisationId(row.organisation_id))
  const roles = await readInvitationRoles(transaction, [id])
  const renewed = toInvitation(row, roles.get(id))
  return { ...renewed, link: await sendLink(transaction, ports, renewed) }
}

/**
 * Mails the link of an invitation. The admin chooses the organisation's provider and can read what it sends: its link, like
 * the one for the admin to pass on, proves no address. Returns the latter, or an empty text when a mail server sends the mail.
 */
async function sendLink(
  transaction: Catalog,
  { clock, sendMail, routeMail, magicLinkUrl }: InvitationPorts,
  invitation: Invitation,
): Promise<string> {
  const { id: invitationId, organisationId, email, expiresMs } = invitation
  const route = await routeMail(transaction, organisationId)
  const createLink = async (provesAddress: boolean): Promise<string> =>
    magicLinkUrl(
      await insertInvitationLink(transaction, clock, { email, invitationId, expiresMs, provesAddress }),
    )
  const { display_name: organisationName } = await transaction
    .selectFrom('organisations')
    .select('display_name')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow()
  const link = await createLink(route !== 'provider')
  const mail = {
    ...composeInvitationMail({ ...invitation, organisationName, link }),
    invitation: { id: invitationId, expiresMs },
  }
  // Only a mail that names the organisation goes through its provider, also if the admin sets one before the mail is sent.
  await sendMail(route === 'provider' ? { ...mail, organisationId } : mail, transaction)
  return route === 'log' ? await createLink(false) : ''
}

async function requirePending(
  transaction: Catalog,
  key: InvitationKey,
): Promise<Pick<Invitation, 'id' | 'role'>> {
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
  if (row.status !== 'pending') throw cannotAccept('INVITATION_NOT_PENDING')
  return row
}

function toInvitation(
  row: Selectable<InvitationTable>,
  projectRoles: Invitation['projectRoles'] = [],
): Invitation {
  return {
    id: row.id,
    organisationId: asOrganisationId(row.organisation_id),
    email: row.email,
    role: row.role,
    status: row.status,
    expiresMs: row.expires_ms,
    mailError: row.mail_error,
    projectRoles,
  }
}

function alreadyMember(): ServiceError {
  return new ServiceError({
    code: 'already_exists',
    reason: 'ORG_ALREADY_A_MEMBER',
    message: 'the address already belongs to a member of the organisation',
  })
}
