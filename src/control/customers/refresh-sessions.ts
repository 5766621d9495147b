import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { asCustomerId, type CustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { RefreshSessionTable } from '../../store/catalog/schema/account-tables.ts'

/** 128 bits, which cannot be guessed. */
const RANDOM_BYTES = 16

/** Another 128 bits prove that the service issued the token, so that a forged one ends no session. */
const PROOF_BYTES = 16

/** Lifetime of a session after its last use. */
const LIFETIME_MS = 90 * 24 * 3_600_000

/** Maximum sessions per customer; beyond, the least recently used one ends. */
const SESSIONS_PER_CUSTOMER_MAX = 100

/** The session id and a secret: a token that was used before still identifies the session to end. */
const TOKEN = /^([0-9a-f-]{36})\.([\w-]{43})$/

/** The sign-in method of a session. */
export type SignInMethod = Exclude<RefreshSessionTable['method'], ''>

/** An active session. */
export interface RefreshSession {
  readonly sessionId: string
  readonly customerId: CustomerId
  /** Time of the sign-in; a refresh does not change it. */
  readonly signedInMs: number
  /** Valid for one refresh; not stored. */
  readonly refreshToken: string
}

/** The start of a session. */
export interface SessionStart {
  readonly customerId: CustomerId
  readonly method: SignInMethod
  /** The identity that begins it, with its session at the provider. */
  readonly identity?: { readonly id: string; readonly providerSession: string } | undefined
  /** When the second factor was proved; absent or 0 if it was not. */
  readonly factorMs?: number
}

/** Dependencies of sessions. */
export interface SessionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Derives each token from the previous one; the same for all processes on the catalog. */
  readonly key: Uint8Array
}

/** An exchange of a refresh token for the next one. */
export interface Exchange {
  readonly refreshToken: string
  /** Time after an exchange in which the same token still returns the same successor; 0 to disable. */
  readonly repeatMs: number
}

/** Starts a session. */
export async function beginSession(
  { catalog, clock, key }: SessionPorts,
  { customerId, method, identity, factorMs = 0 }: SessionStart,
): Promise<RefreshSession> {
  const nowMs = clock.nowMs()
  const sessionId = randomUUID()
  const refreshToken = writeToken(sessionId, { key, random: randomBytes(RANDOM_BYTES) })
  await catalog.deleteFrom('refresh_sessions').where('expires_ms', '<=', nowMs).execute()
  await catalog
    .insertInto('refresh_sessions')
    .values({
      id: sessionId,
      customer_id: customerId,
      sha256: digest(refreshToken),
      method,
      identity_id: identity?.id ?? '',
      provider_session: identity?.providerSession ?? '',
      factor_ms: factorMs,
      created_ms: nowMs,
      exchanged_ms: 0,
      expires_ms: nowMs + LIFETIME_MS,
    })
    .execute()
  await endSurplus(catalog, customerId)
  return { sessionId, customerId, signedInMs: nowMs, refreshToken }
}

async function endSurplus(catalog: Catalog, customerId: CustomerId): Promise<void> {
  const surplus = await catalog
    .selectFrom('refresh_sessions')
    .select('id')
    .where('customer_id', '=', customerId)
    // The expiry follows the last use by a constant time.
    .orderBy('expires_ms', 'desc')
    .orderBy('created_ms', 'desc')
    .offset(SESSIONS_PER_CUSTOMER_MAX)
    .limit(SESSIONS_PER_CUSTOMER_MAX)
    .execute()
  if (surplus.length === 0) return
  const ids = surplus.map(({ id }) => id)
  await catalog.deleteFrom('refresh_sessions').where('id', 'in', ids).execute()
}

/**
 * Exchanges a refresh token for the next one. If a token is exchanged a second time, it or its successor was stolen: the
 * session ends. Returns `undefined` for every invalid token.
 */
export async function continueSession(
  ports: SessionPorts,
  { refreshToken, repeatMs }: Exchange,
): Promise<RefreshSession | undefined> {
  const { catalog, clock, key } = ports
  const sessionId = sessionIdIn(refreshToken)
  if (sessionId === undefined) return undefined
  const nowMs = clock.nowMs()
  const next = writeToken(sessionId, { key, random: randomAfter(refreshToken, key) })
  const exchanged = await catalog
    .updateTable('refresh_sessions')
    .set({ sha256: digest(next), exchanged_ms: nowMs, expires_ms: nowMs + LIFETIME_MS })
    .where('id', '=', sessionId)
    .where('sha256', '=', digest(refreshToken))
    .where('expires_ms', '>', nowMs)
    .returning(['customer_id', 'created_ms'])
    .executeTakeFirst()
  const row =
    exchanged ??
    (repeatMs > 0 ? await readExchanged(catalog, { sessionId, next, sinceMs: nowMs - repeatMs }) : undefined)
  if (row) {
    const { customer_id, created_ms } = row
    return {
      sessionId,
      customerId: asCustomerId(customer_id),
      signedInMs: created_ms,
      refreshToken: next,
    }
  }
  await endSession(ports, refreshToken)
  return undefined
}

/** The session whose current token is `next`, if it was exchanged since then. */
async function readExchanged(
  catalog: Catalog,
  { sessionId, next, sinceMs }: { sessionId: string; next: string; sinceMs: number },
): Promise<{ readonly customer_id: string; readonly created_ms: number } | undefined> {
  return await catalog
    .selectFrom('refresh_sessions')
    .select(['customer_id', 'created_ms'])
    .where('id', '=', sessionId)
    .where('sha256', '=', digest(next))
    .where('exchanged_ms', '>', sinceMs)
    .executeTakeFirst()
}

/**
 * Ends the session of a refresh token, including one that was exchanged already. Session ids are not secret, so a token that
 * the service did not issue has no effect.
 */
export async function endSession({ catalog, key }: SessionPorts, refreshToken: string): Promise<void> {
  const sessionId = sessionIdIn(refreshToken)
  if (sessionId === undefined) return
  const ending = catalog.deleteFrom('refresh_sessions').where('id', '=', sessionId)
  // Older releases issued tokens without a proof; these are recognised while they are current.
  const isIssued = hasProof(refreshToken, key)
  await (isIssued ? ending : ending.where('sha256', '=', digest(refreshToken))).execute()
}

/** Deterministic, so that concurrent exchanges of one token return the same successor without storing it. */
function randomAfter(token: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`refresh token after ${token}`).digest().subarray(0, RANDOM_BYTES)
}

function writeToken(
  sessionId: string,
  { key, random }: { readonly key: Uint8Array; readonly random: Buffer },
): string {
  const secret = Buffer.concat([random, proofOf(sessionId, { key, random })])
  return `${sessionId}.${secret.toString('base64url')}`
}

function proofOf(
  sessionId: string,
  { key, random }: { readonly key: Uint8Array; readonly random: Buffer },
): Buffer {
  const proof = createHmac('sha256', key).update(`refresh token of ${sessionId}\n`).update(random).digest()
  return proof.subarray(0, PROOF_BYTES)
}

function hasProof(refreshToken: string, key: Uint8Array): boolean {
  const [, sessionId = '', secret = ''] = TOKEN.exec(refreshToken) ?? []
  const bytes = Buffer.from(secret, 'base64url')
  const random = bytes.subarray(0, RANDOM_BYTES)
  const shown = bytes.subarray(RANDOM_BYTES)
  return shown.length === PROOF_BYTES && timingSafeEqual(shown, proofOf(sessionId, { key, random }))
}

function sessionIdIn(refreshToken: string): string | undefined {
  return TOKEN.exec(refreshToken)?.[1]
}

function digest(refreshToken: string): string {
  return createHash('sha256').update(refreshToken).digest('hex')
}
