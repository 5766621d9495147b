import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** 256 bits, which cannot be guessed. */
const TOKEN_BYTES = 32

/** Lifetime of a requested link: time to find the mail and open it. */
const LIFETIME_MS = 15 * 60_000

/** An invitation link outlives its invitation, so that an expired invitation gets its own error message. */
const INVITATION_LINK_EXTRA_MS = 30 * 24 * 3_600_000

/** A link to accept an invitation. */
export interface InvitationLink {
  readonly email: string
  readonly invitationId: string
  /** Expiry of the invitation. */
  readonly expiresMs: number
  /** Whether only the owner of the address and the operator can get the link, so that opening it proves the address. */
  readonly provesAddress: boolean
}

/** The content of a used link. */
export interface UsedLink {
  readonly email: string
  /** The invitation that the link accepts, if it has one. */
  readonly invitationId: string | undefined
  /** Whether opening the link proves the address: an inviter cannot have it. */
  readonly provesAddress: boolean
}

/** Adds a sign-in link for an address. Returns its token, of which only a digest is stored. */
export async function insertMagicLink(transaction: Catalog, clock: Clock, email: string): Promise<string> {
  const nowMs = clock.nowMs()
  await transaction.deleteFrom('magic_links').where('expires_ms', '<=', nowMs).execute()
  const link = { email, invitationId: null, nowMs, expiresMs: nowMs + LIFETIME_MS, provesAddress: true }
  return await insertLink(transaction, link)
}

/** Adds a link that accepts an invitation. Returns its token, of which only a digest is stored. */
export async function insertInvitationLink(
  transaction: Catalog,
  clock: Clock,
  { expiresMs, ...link }: InvitationLink,
): Promise<string> {
  const times = { nowMs: clock.nowMs(), expiresMs: expiresMs + INVITATION_LINK_EXTRA_MS }
  return await insertLink(transaction, { ...link, ...times })
}

async function insertLink(
  transaction: Catalog,
  link: {
    readonly email: string
    readonly invitationId: string | null
    readonly nowMs: number
    readonly expiresMs: number
    readonly provesAddress: boolean
  },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await transaction
    .insertInto('magic_links')
    .values({
      sha256: digest(token),
      email: link.email,
      invitation_id: link.invitationId,
      returned: link.provesAddress ? 0 : 1,
      created_ms: link.nowMs,
      expires_ms: link.expiresMs,
      used_ms: null,
    })
    .execute()
  return token
}

/** Marks a link as used; `undefined` for an unknown, used or expired link. */
export async function useMagicLink(
  transaction: Catalog,
  clock: Clock,
  token: string,
): Promise<UsedLink | undefined> {
  const nowMs = clock.nowMs()
  const row = await transaction
    .updateTable('magic_links')
    .set({ used_ms: nowMs })
    .where('sha256', '=', digest(token))
    .where('used_ms', 'is', null)
    .where('expires_ms', '>', nowMs)
    .returning(['email', 'invitation_id', 'returned'])
    .executeTakeFirst()
  return (
    row && {
      email: row.email,
      invitationId: row.invitation_id ?? undefined,
      provesAddress: row.returned === 0,
    }
  )
}

/** Creates the function that renders a link: the console's sign-in page with the token. */
export function createMagicLinkUrl(publicUrl: string): (token: string) => string {
  const base = publicUrl.replace(/\/+$/, '')
  return (token) => `${base}/sign-in?token=${token}`
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
