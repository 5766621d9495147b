import type { CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { RefreshSessionTable } from '../../store/catalog/schema/account-tables.ts'

/** A session and its customer. */
export interface SessionKey {
  readonly customerId: CustomerId
  readonly sessionId: string
}

/** A session, as presented to its owner. */
export interface AccountSession {
  readonly id: string
  readonly method: RefreshSessionTable['method']
  readonly createdMs: number
  /** The time of its latest access token. */
  readonly lastUsedMs: number
  /** The issuer of the identity that began it; empty for other methods. */
  readonly issuer: string
  /** When it last proved the second factor; 0 if it never did. */
  readonly factorMs: number
}

/** Whether a session is active. */
export async function isSessionActive(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  { customerId, sessionId }: SessionKey,
): Promise<boolean> {
  const row = await catalog
    .selectFrom('refresh_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('customer_id', '=', customerId)
    .where('expires_ms', '>', clock.nowMs())
    .executeTakeFirst()
  return row !== undefined
}

/** The method that began a session; `undefined` for an unknown session. */
export async function findSessionMethod(
  catalog: Catalog,
  { customerId, sessionId }: SessionKey,
): Promise<AccountSession['method'] | undefined> {
  const row = await catalog
    .selectFrom('refresh_sessions')
    .select('method')
    .where('id', '=', sessionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.method
}

/** The active sessions of a customer, the most recently used first. */
export async function listSessions(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  customerId: CustomerId,
): Promise<AccountSession[]> {
  const rows = await catalog
    .selectFrom('refresh_sessions')
    .leftJoin('identities', 'identities.id', 'refresh_sessions.identity_id')
    .select(['refresh_sessions.id', 'method', 'refresh_sessions.created_ms', 'exchanged_ms', 'issuer'])
    .select('factor_ms')
    .where('refresh_sessions.customer_id', '=', customerId)
    .where('expires_ms', '>', clock.nowMs())
    .orderBy('expires_ms', 'desc')
    .orderBy('refresh_sessions.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    method: row.method,
    createdMs: row.created_ms,
    lastUsedMs: row.exchanged_ms || row.created_ms,
    issuer: row.issuer ?? '',
    factorMs: row.factor_ms,
  }))
}

/** Ends one session of a customer. Throws `not_found` for an unknown session. */
export async function endSessionOf(catalog: Catalog, { customerId, sessionId }: SessionKey): Promise<void> {
  const ended = await catalog
    .deleteFrom('refresh_sessions')
    .where('id', '=', sessionId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (ended.numDeletedRows > 0n) return
  throw new ServiceError({
    code: 'not_found',
    reason: 'SESSION_NOT_FOUND',
    message: 'the account has no such session',
  })
}

/** Ends every other session of a customer. */
export async function endOtherSessions(
  catalog: Catalog,
  { customerId, sessionId }: SessionKey,
): Promise<void> {
  await catalog
    .deleteFrom('refresh_sessions')
    .where('customer_id', '=', customerId)
    .where('id', '!=', sessionId)
    .execute()
}
