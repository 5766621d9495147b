import { createHash, randomBytes, randomUUID } from 'node:crypto'
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

/** Begins a session. */
export async function beginSession(
  catalog: Catalog,
  clock: Clock,
  customerId: CustomerId,
): Promise<RefreshSession> {
  const nowMs = clock.nowMs()
  const sessionId = randomUUID()
  const refreshToken = generateToken(sessionId)
  await catalog.deleteFrom('refresh_sessions').where('expires_ms', '<=', nowMs).execute()
  await catalog
    .insertInto('refresh_sessions')
    .values({
      id: sessionId,
      customer_id: customerId,
      sha256: digest(refreshToken),
      created_ms: nowMs,
      expires_ms: nowMs + LIFETIME_MS,
    })
    .execute()
  return { sessionId, customerId, refreshToken }
}

/**
 * Exchanges a refresh token for the next one. A token that was exchanged before was stolen, or its successor was: its
 * session ends. `undefined` for every token that is not good now.
 */
export async function continueSession(
  catalog: Catalog,
  clock: Clock,
  refreshToken: string,
): Promise<RefreshSession | undefined> {
  const sessionId = sessionIdIn(refreshToken)
  if (sessionId === undefined) return undefined
  const nowMs = clock.nowMs()
  const next = generateToken(sessionId)
  const row = await catalog
    .updateTable('refresh_sessions')
    .set({ sha256: digest(next), expires_ms: nowMs + LIFETIME_MS })
    .where('id', '=', sessionId)
    .where('sha256', '=', digest(refreshToken))
    .where('expires_ms', '>', nowMs)
    .returning('customer_id')
    .executeTakeFirst()
  if (row) return { sessionId, customerId: asCustomerId(row.customer_id), refreshToken: next }
  await endSession(catalog, refreshToken)
  return undefined
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

function generateToken(sessionId: string): string {
  return `${sessionId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
}

function sessionIdIn(refreshToken: string): string | undefined {
  return TOKEN.exec(refreshToken)?.[1]
}

function digest(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex')
}
