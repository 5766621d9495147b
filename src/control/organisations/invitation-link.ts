import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** 256 bits: nobody guesses one. */
const TOKEN_BYTES = 32

/** A link outlives the invitation, so that whoever comes too late is told why it does not work. */
const OUTLIVES_MS = 30 * 24 * 3_600_000

/** Adds a link that signs the invited person in and joins the organisation. Answers its token; only a digest is kept. */
export async function insertInvitationLink(
  transaction: Catalog,
  clock: Clock,
  link: { readonly email: string; readonly invitationId: string; readonly expiresMs: number },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await transaction
    .insertInto('magic_links')
    .values({
      sha256: createHash('sha256').update(token).digest('hex'),
      email: link.email,
      invitation_id: link.invitationId,
      created_ms: clock.nowMs(),
      expires_ms: link.expiresMs + OUTLIVES_MS,
      used_ms: null,
    })
    .execute()
  return token
}
