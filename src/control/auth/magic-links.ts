import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** 256 bits: nobody guesses one. */
const TOKEN_BYTES = 32

/** Time to find the mail and open the link. */
const LIFETIME_MS = 15 * 60_000

/** What the token of a link stands for. */
export interface UsedLink {
  readonly email: string
  /** The invitation that came with it. */
  readonly invitationId: string | undefined
}

/** Adds a link that signs in whoever reads the mail of an address. Answers its token; only a digest is kept. */
export async function insertMagicLink(transaction: Catalog, clock: Clock, email: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const nowMs = clock.nowMs()
  await transaction.deleteFrom('magic_links').where('expires_ms', '<=', nowMs).execute()
  await transaction
    .insertInto('magic_links')
    .values({
      sha256: digest(token),
      email,
      invitation_id: null,
      created_ms: nowMs,
      expires_ms: nowMs + LIFETIME_MS,
      used_ms: null,
    })
    .execute()
  return token
}

/** Uses a link up; `undefined` when there is none of that token, it was used before, or its time is over. */
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
    .returning(['email', 'invitation_id'])
    .executeTakeFirst()
  return row && { email: row.email, invitationId: row.invitation_id ?? undefined }
}

/** How the tokens of links are told to those who mail them: the page of the console that signs in. */
export function createMagicLinkUrl(publicUrl: string): (token: string) => string {
  const base = publicUrl.replace(/\/+$/, '')
  return (token) => `${base}/sign-in?token=${token}`
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
