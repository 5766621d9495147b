import { createHash, randomInt, randomUUID } from 'node:crypto'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'
import { parseDomains, parseKinds } from './projects.ts'

/** Public keys ingest; private keys also read. */
export type ApiKeyKind = 'public' | 'private'

/** The grant of a valid key. */
export interface ApiKeyGrant {
  readonly keyId: string
  readonly projectId: ProjectId
  readonly kind: ApiKeyKind
  /** The own domains of the project. */
  readonly domains: readonly string[]
  /** The event kinds of the project that are dropped on arrival. */
  readonly blockedKinds: readonly string[]
}

/** A key in a list. */
export interface ApiKeyRow {
  readonly id: string
  readonly projectId: ProjectId
  readonly kind: ApiKeyKind
  readonly displayName: string
  readonly masked: string
  readonly createdMs: number
}

const PREFIX = { public: 'pub_', private: 'prv_' } as const satisfies Record<ApiKeyKind, string>
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 32 characters of a 62-character alphabet: 190 bits. */
const KEY_LENGTH = 32

/** The form of every key; other texts are rejected without a lookup. */
export const API_KEY_PATTERN = /^(pub|prv)_[A-Za-z0-9]{20,64}$/

/** A new random key, to be shown once and never stored. */
export function generateApiKey(kind: ApiKeyKind): string {
  const letters = Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return PREFIX[kind] + letters.join('')
}

/** A key as lists show it: the prefix and the last four characters. */
export function maskApiKey(text: string): string {
  return `${text.slice(0, 4)}…${text.slice(-4)}`
}

/** Stores a key's digest; only the caller has the key itself. */
export async function insertApiKey(
  catalog: Catalog,
  clock: Clock,
  key: {
    readonly projectId: ProjectId
    readonly kind: ApiKeyKind
    readonly displayName: string
    readonly text: string
  },
): Promise<ApiKeyRow> {
  const row = {
    id: randomUUID(),
    project_id: key.projectId,
    kind: key.kind,
    display_name: key.displayName,
    sha256: digest(key.text),
    masked: maskApiKey(key.text),
    created_ms: clock.nowMs(),
  }
  await catalog.insertInto('api_keys').values(row).execute()
  return toRow(row)
}

/** The grant of a key; `undefined` when it is unknown or revoked. */
export async function findApiKey(catalog: Catalog, text: string): Promise<ApiKeyGrant | undefined> {
  if (!API_KEY_PATTERN.test(text)) return undefined
  const row = await catalog
    .selectFrom('api_keys')
    .leftJoin('projects', 'projects.id', 'api_keys.project_id')
    .select([
      'api_keys.id',
      'api_keys.project_id',
      'api_keys.kind',
      'projects.domains',
      'projects.blocked_kinds',
    ])
    .where('api_keys.sha256', '=', digest(text))
    .executeTakeFirst()
  if (!row) return undefined
  return {
    keyId: row.id,
    projectId: asProjectId(row.project_id),
    kind: row.kind,
    domains: parseDomains(row.domains ?? ''),
    blockedKinds: parseKinds(row.blocked_kinds ?? ''),
  }
}

/** Every key, oldest first. */
export async function listApiKeys(catalog: Catalog): Promise<ApiKeyRow[]> {
  const rows = await catalog.selectFrom('api_keys').selectAll().orderBy('created_ms').orderBy('id').execute()
  return rows.map(toRow)
}

/** The keys of one project, oldest first. */
export async function listProjectKeys(catalog: Catalog, projectId: ProjectId): Promise<ApiKeyRow[]> {
  const rows = await catalog
    .selectFrom('api_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(toRow)
}

/** Deletes a key of one project; false for an unknown id. */
export async function revokeProjectKey(
  catalog: Catalog,
  { projectId, id }: { readonly projectId: ProjectId; readonly id: string },
): Promise<boolean> {
  const result = await catalog
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes a key; false for an unknown id. */
export async function revokeApiKey(catalog: Catalog, id: string): Promise<boolean> {
  const result = await catalog.deleteFrom('api_keys').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function toRow(row: {
  readonly id: string
  readonly project_id: number
  readonly kind: ApiKeyKind
  readonly display_name: string
  readonly masked: string
  readonly created_ms: number
}): ApiKeyRow {
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    kind: row.kind,
    displayName: row.display_name,
    masked: row.masked,
    createdMs: Number(row.created_ms),
  }
}
