import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'
import { type KeyLimits, parseLimits } from './key-limits.ts'
import { parseDomains, parseKinds } from './projects.ts'
import type { ApiKeyTable } from './schema/project-tables.ts'

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
  /** Absent for a key that works always and from everywhere. */
  readonly limits?: KeyLimits | undefined
}

/** The limits of a key, as stored. */
export interface StoredLimits {
  /** The end of its use; `undefined` for a key that works until it is revoked. */
  readonly expiresMs: number | undefined
  /** Addresses and ranges; empty for every address. */
  readonly allowedAddresses: readonly string[]
}

/** A key in a list. */
export interface ApiKeyRow extends StoredLimits {
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
  return PREFIX[kind] + randomLetters()
}

/** Letters and digits of 190 random bits, which cannot be guessed. */
export function randomLetters(): string {
  return Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
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
  } & Partial<StoredLimits>,
): Promise<ApiKeyRow> {
  const row = {
    id: randomUUID(),
    project_id: key.projectId,
    kind: key.kind,
    display_name: key.displayName,
    sha256: digestOf(key.text),
    masked: maskApiKey(key.text),
    ...toColumns({ expiresMs: key.expiresMs, allowedAddresses: key.allowedAddresses ?? [] }),
    created_ms: clock.nowMs(),
  }
  await catalog.insertInto('api_keys').values(row).execute()
  return toRow(row)
}

/** The grant of a key; `undefined` when it is unknown or revoked. */
export async function findApiKey(catalog: Catalog, text: string): Promise<ApiKeyGrant | undefined> {
  return await createFindApiKey(catalog)(text)
}

/** {@link findApiKey} for many keys: building its statement takes longer than running it. */
export function createFindApiKey(catalog: Catalog): (text: string) => Promise<ApiKeyGrant | undefined> {
  const compiled = selectGrant(catalog).where('api_keys.sha256', '=', '').compile()
  return async (text) => {
    if (!API_KEY_PATTERN.test(text)) return undefined
    const { rows } = await catalog.executeQuery<GrantRow>({ ...compiled, parameters: [digestOf(text)] })
    return rows[0] && toGrant(rows[0])
  }
}

function selectGrant(catalog: Catalog) {
  return catalog
    .selectFrom('api_keys')
    .leftJoin('projects', 'projects.id', 'api_keys.project_id')
    .select([
      'api_keys.id',
      'api_keys.project_id',
      'api_keys.kind',
      'api_keys.expires_ms',
      'api_keys.allowed_addresses',
      'projects.domains',
      'projects.blocked_kinds',
    ])
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrant>['executeTakeFirstOrThrow']>>

function toGrant(row: GrantRow): ApiKeyGrant {
  return {
    keyId: row.id,
    projectId: asProjectId(row.project_id),
    kind: row.kind,
    domains: parseDomains(row.domains ?? ''),
    blockedKinds: parseKinds(row.blocked_kinds ?? ''),
    limits: parseLimits(row),
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

/** One key of a project; `undefined` for an unknown id. */
export async function findProjectKey(
  catalog: Catalog,
  { projectId, id }: { readonly projectId: ProjectId; readonly id: string },
): Promise<ApiKeyRow | undefined> {
  const row = await catalog
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row && toRow(row)
}

/** Replaces the limits of a key of one project; `undefined` for an unknown id. */
export async function updateKeyLimits(
  catalog: Catalog,
  { projectId, id, ...limits }: { readonly projectId: ProjectId; readonly id: string } & StoredLimits,
): Promise<ApiKeyRow | undefined> {
  const row = await catalog
    .updateTable('api_keys')
    .set(toColumns(limits))
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  return row && toRow(row)
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

/** The digest under which a key or a token is stored. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function toColumns({ expiresMs, allowedAddresses }: StoredLimits) {
  return { expires_ms: expiresMs ?? null, allowed_addresses: allowedAddresses.join(' ') }
}

function toRow(row: Omit<Selectable<ApiKeyTable>, 'sha256'>): ApiKeyRow {
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    kind: row.kind,
    displayName: row.display_name,
    masked: row.masked,
    createdMs: Number(row.created_ms),
    expiresMs: row.expires_ms ?? undefined,
    allowedAddresses: row.allowed_addresses === '' ? [] : row.allowed_addresses.split(' '),
  }
}
