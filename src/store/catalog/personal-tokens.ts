import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asCustomerId, asProjectId, type CustomerId, type ProjectId } from '../../contract/ids.ts'
import type { TokenScope } from '../../contract/token-scope.ts'
import type { Clock } from '../../kernel/clock.ts'
import { digestOf, maskApiKey, randomLetters } from './api-keys.ts'
import type { Catalog } from './catalog.ts'
import type { PersonalTokenTable } from './schema/token-tables.ts'

const PREFIX = 'pat_'

/** The form of every token; other texts are rejected without a lookup. */
const TOKEN = /^pat_[A-Za-z0-9]{32}$/

/** A personal access token, as it is stored. */
export interface PersonalToken {
  readonly id: string
  readonly customerId: CustomerId
  readonly displayName: string
  readonly scope: TokenScope
  /** Empty for every project of its owner. */
  readonly projectIds: readonly ProjectId[]
  readonly masked: string
  readonly createdMs: number
  readonly expiresMs: number
  /** `undefined` before the first use. */
  readonly lastUsedMs: number | undefined
}

/** Whether a credential is meant to be a personal access token. */
export function isPersonalToken(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** A new random token, to be shown once and never stored. */
export function generateToken(): string {
  return PREFIX + randomLetters()
}

/** Stores a token's digest; only the caller has the token itself. */
export async function insertToken(
  catalog: Catalog,
  clock: Clock,
  token: Pick<PersonalToken, 'customerId' | 'displayName' | 'scope' | 'projectIds' | 'expiresMs'> & {
    readonly text: string
  },
): Promise<PersonalToken> {
  const row = {
    id: randomUUID(),
    customer_id: token.customerId,
    display_name: token.displayName,
    scope: token.scope,
    projects: token.projectIds.join(' '),
    sha256: digestOf(token.text),
    masked: maskApiKey(token.text),
    created_ms: clock.nowMs(),
    expires_ms: token.expiresMs,
    last_used_ms: 0,
  }
  await catalog.insertInto('personal_tokens').values(row).execute()
  return toToken(row)
}

/** The token with a text; `undefined` when it is unknown or revoked. Its expiry is not checked. */
export async function findToken(catalog: Catalog, text: string): Promise<PersonalToken | undefined> {
  if (!TOKEN.test(text)) return undefined
  const row = await catalog
    .selectFrom('personal_tokens')
    .selectAll()
    .where('sha256', '=', digestOf(text))
    .executeTakeFirst()
  return row && toToken(row)
}

/** The tokens of an account, the newest first. */
export async function listTokens(catalog: Catalog, customerId: CustomerId): Promise<PersonalToken[]> {
  const rows = await catalog
    .selectFrom('personal_tokens')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toToken)
}

/** Deletes a token of an account; false for an unknown id. */
export async function revokeToken(
  catalog: Catalog,
  { customerId, id }: { readonly customerId: CustomerId; readonly id: string },
): Promise<boolean> {
  const result = await catalog
    .deleteFrom('personal_tokens')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes all tokens of an account. */
export async function revokeTokensOf(catalog: Catalog, customerId: CustomerId): Promise<void> {
  await catalog.deleteFrom('personal_tokens').where('customer_id', '=', customerId).execute()
}

function toToken(row: Omit<Selectable<PersonalTokenTable>, 'sha256'>): PersonalToken {
  return {
    id: row.id,
    customerId: asCustomerId(row.customer_id),
    displayName: row.display_name,
    scope: row.scope,
    projectIds: row.projects === '' ? [] : row.projects.split(' ').map((id) => asProjectId(Number(id))),
    masked: row.masked,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    lastUsedMs: row.last_used_ms === 0 ? undefined : row.last_used_ms,
  }
}
