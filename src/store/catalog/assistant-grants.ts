import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  asCustomerId,
  asProjectId,
  type CustomerId,
  type OrganisationId,
  type ProjectId,
} from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { digestOf } from './api-keys.ts'
import type { Catalog } from './catalog.ts'
import type { PersonalToken } from './personal-tokens.ts'
import type { OauthGrantTable } from './schema/assistant-tables.ts'

const PREFIX = 'oat_'

/** The form of every access token; other texts are rejected without a lookup. */
const ACCESS_TOKEN = /^oat_[A-Za-z0-9]{32}$/

/** Whether a credential is meant to be the access token of an assistant. */
export function isAssistantToken(text: string): boolean {
  return text.startsWith(PREFIX)
}

/** The consent of a member to an assistant, as it is stored. */
export interface AssistantGrant {
  readonly id: string
  readonly customerId: CustomerId
  readonly projectId: ProjectId
  readonly clientId: string
  readonly clientName: string
  readonly redirectHost: string
  readonly scope: OauthGrantTable['scope']
  readonly createdMs: number
  readonly expiresMs: number
  /** `undefined` before the first use. */
  readonly lastUsedMs: number | undefined
}

/** Stores a consent. */
export async function insertGrant(
  catalog: Catalog,
  clock: Clock,
  grant: Omit<AssistantGrant, 'id' | 'createdMs' | 'lastUsedMs'>,
): Promise<AssistantGrant> {
  const row = {
    id: randomUUID(),
    customer_id: grant.customerId,
    project_id: grant.projectId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    redirect_host: grant.redirectHost,
    scope: grant.scope,
    created_ms: clock.nowMs(),
    expires_ms: grant.expiresMs,
    last_used_ms: 0,
  }
  await catalog.insertInto('oauth_grants').values(row).execute()
  return toGrant(row)
}

/** The consents of an account that have not expired, the newest first. */
export async function listGrants(
  catalog: Catalog,
  clock: Clock,
  customerId: CustomerId,
): Promise<AssistantGrant[]> {
  const rows = await catalog
    .selectFrom('oauth_grants')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('expires_ms', '>', clock.nowMs())
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toGrant)
}

/** The consent with an id. */
export async function findGrant(catalog: Catalog, id: string): Promise<AssistantGrant | undefined> {
  const row = await catalog.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toGrant(row)
}

/** Ends a consent of an account with its codes and tokens; false for an unknown id. */
export async function endGrant(
  catalog: Catalog,
  { customerId, id }: { readonly customerId: CustomerId; readonly id: string },
): Promise<boolean> {
  const result = await catalog
    .deleteFrom('oauth_grants')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends every consent of an account. */
export async function endGrantsOf(catalog: Catalog, customerId: CustomerId): Promise<void> {
  await catalog.deleteFrom('oauth_grants').where('customer_id', '=', customerId).execute()
}

/** Ends the consents of somebody who leaves an organisation, for its projects. */
export async function endGrantsOfMember(
  catalog: Catalog,
  {
    customerId,
    organisationId,
  }: { readonly customerId: CustomerId; readonly organisationId: OrganisationId },
): Promise<void> {
  await catalog
    .deleteFrom('oauth_grants')
    .where('customer_id', '=', customerId)
    .where('project_id', 'in', (query) =>
      query.selectFrom('projects').select('projects.id').where('organisation_id', '=', organisationId),
    )
    .execute()
}

/**
 * The rights of an access token, in the form of a personal access token for one project; `undefined` when it is unknown or revoked.
 * Its expiry is not checked. The scope is that of the token, which may have less than the consent.
 */
export async function findAccessToken(catalog: Catalog, text: string): Promise<TokenRights | undefined> {
  if (!ACCESS_TOKEN.test(text)) return undefined
  const row = await catalog
    .selectFrom('oauth_records')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_records.grant_id')
    .select([
      'oauth_grants.id',
      'oauth_grants.customer_id',
      'oauth_grants.project_id',
      'oauth_grants.scope',
      'oauth_records.payload',
      'oauth_records.expires_ms',
    ])
    .where('oauth_records.sha256', '=', digestOf(text))
    .where('oauth_records.kind', '=', 'AccessToken')
    .executeTakeFirst()
  if (!row) return undefined
  const asked: unknown = Reflect.get(JSON.parse(row.payload), 'scope')
  const isWriting = row.scope === 'write' && typeof asked === 'string' && asked.split(' ').includes('write')
  return {
    id: row.id,
    customerId: asCustomerId(row.customer_id),
    scope: isWriting ? 'write' : 'read',
    projectIds: [asProjectId(row.project_id)],
    expiresMs: row.expires_ms,
  }
}

/** What a token allows. */
export type TokenRights = Pick<PersonalToken, 'id' | 'customerId' | 'scope' | 'projectIds' | 'expiresMs'>

function toGrant(row: Selectable<OauthGrantTable>): AssistantGrant {
  return {
    id: row.id,
    customerId: asCustomerId(row.customer_id),
    projectId: asProjectId(row.project_id),
    clientId: row.client_id,
    clientName: row.client_name,
    redirectHost: row.redirect_host,
    scope: row.scope,
    createdMs: row.created_ms,
    expiresMs: row.expires_ms,
    lastUsedMs: row.last_used_ms === 0 ? undefined : row.last_used_ms,
  }
}
