import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** 256 bits: nobody guesses one. */
const SECRET_BYTES = 32

/** How long somebody stays signed in who does not come back. */
const LIFETIME_MS = 90 * 24 * 3_600_000

/** A token is the id of its session and a secret: one that was used before still tells which session to end. */
const TOKEN = /^([0-9a-f-]{36})\.[\w-]{43}$/

/** A sign-in that goes on. */
export interface RefreshSession {
  readonly sessionId: string
  readonly customerId: CustomerId
  /** Good for one refresh; it is not stored. */
  readonly refreshToken: string
}

/** Where sessions are kept, and what their tokens are made with. */
export interface SessionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Of all processes on the catalog: a token follows from it and the token before. */
  readonly key: Uint8Array
}

/** An exchange of a refresh token for the next one. */
export interface Exchange {
  readonly refreshToken: string
  /** For how long after the exchange the same token gets the same successor once more; 0 for not at all. */
  readonly repeatMs: number
}

/** Begins a session. */
export async function beginSession(
  catalog: Catalog,
  clock: Clock,
  customerId: CustomerId,
): Promise<RefreshSession> {
  const nowMs = clock.nowMs()
  const sessionId = randomUUID()
  const refreshToken = `${sessionId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
  await catalog.deleteFrom('refresh_sessions').where('expires_ms', '<=', nowMs).execute()
  await catalog
    .insertInto('refresh_sessions')
    .values({
      id: sessionId,
      customer_id: customerId,
      sha256: digest(refreshToken),
      created_ms: nowMs,
      exchanged_ms: 0,
      expires_ms: nowMs + LIFETIME_MS,
    })
    .execute()
  return { sessionId, customerId, refreshToken }
}

/**
 * Exchanges a refresh token for the next one. A token that was exchanged before, and not just now, was stolen, or its
 * successor was: its session ends. `undefined` for every token that is not good now.
 */
export async function continueSession(
  { catalog, clock, key }: SessionPorts,
  { refreshToken, repeatMs }: Exchange,
): Promise<RefreshSession | undefined> {
  const sessionId = sessionIdIn(refreshToken)
  if (sessionId === undefined) return undefined
  const nowMs = clock.nowMs()
  const next = deriveToken(sessionId, { key, before: refreshToken })
  const exchanged = await catalog
    .updateTable('refresh_sessions')
    .set({ sha256: digest(next), exchanged_ms: nowMs, expires_ms: nowMs + LIFETIME_MS })
    .where('id', '=', sessionId)
    .where('sha256', '=', digest(refreshToken))
    .where('expires_ms', '>', nowMs)
    .returning('customer_id')
    .executeTakeFirst()
  const row =
    exchanged ??
    (repeatMs > 0 ? await readExchanged(catalog, { sessionId, next, sinceMs: nowMs - repeatMs }) : undefined)
  if (row) return { sessionId, customerId: asCustomerId(row.customer_id), refreshToken: next }
  await endSession(catalog, refreshToken)
  return undefined
}

/** The session whose token at hand is `next`, if it came into place since then. */
async function readExchanged(
  catalog: Catalog,
  { sessionId, next, sinceMs }: { sessionId: string; next: string; sinceMs: number },
): Promise<{ readonly customer_id: string } | undefined> {
  return await catalog
    .selectFrom('refresh_sessions')
    .select('customer_id')
    .where('id', '=', sessionId)
    .where('sha256', '=', digest(next))
    .where('exchanged_ms', '>', sinceMs)
    .executeTakeFirst()
}

/** Ends the session of a refresh token, also of one that was exchanged since. */
export async function endSession(catalog: Catalog, refreshToken: string): Promise<void> {
  const sessionId = sessionIdIn(refreshToken)
  if (sessionId !== undefined)
    await catalog.deleteFrom('refresh_sessions').where('id', '=', sessionId).execute()
}

/** Ends every session of a customer but one. */
export async function endOtherSessions(
  catalog: Catalog,
  { customerId, sessionId }: { readonly customerId: CustomerId; readonly sessionId: string },
): Promise<void> {
  await catalog
    .deleteFrom('refresh_sessions')
    .where('customer_id', '=', customerId)
    .where('id', '!=', sessionId)
    .execute()
}

/** The same for all processes that are shown the same token, although nobody keeps it. */
function deriveToken(
  sessionId: string,
  { key, before }: { readonly key: Uint8Array; readonly before: string },
): string {
  const secret = createHmac('sha256', key).update(`refresh token after ${before}`).digest('base64url')
  return `${sessionId}.${secret}`
}

function sessionIdIn(refreshToken: string): string | undefined {
  return TOKEN.exec(refreshToken)?.[1]
}

function digest(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex')
}
