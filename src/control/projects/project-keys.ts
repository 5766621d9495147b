import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import {
  type ApiKeyKind,
  type ApiKeyRow,
  findProjectKey,
  generateApiKey,
  insertApiKey,
  listProjectKeys,
  revokeProjectKey,
  type StoredLimits,
  updateKeyLimits,
} from '../../store/catalog/api-keys.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { readProject } from './projects.ts'

/** Bounds lists of keys, which have no pages. */
const KEYS_PER_PROJECT_MAX = 100

/** A new key; its text is stored nowhere. */
export interface CreatedKey {
  readonly row: ApiKeyRow
  readonly text: string
}

/** A key of a project, by its id. */
interface KeyName {
  readonly projectId: ProjectId
  readonly id: string
}

/** Creates a key of a project. Throws `not_found` for an unknown project, and `failed_precondition` at the limit. */
export async function createProjectKey(
  catalog: Catalog,
  clock: Clock,
  key: {
    readonly projectId: ProjectId
    readonly kind: ApiKeyKind
    readonly displayName: string
  } & StoredLimits,
): Promise<CreatedKey> {
  const text = generateApiKey(key.kind)
  return await inTransaction(catalog, async (transaction) => {
    await readProject(transaction, key.projectId)
    const keys = await listProjectKeys(transaction, key.projectId)
    if (keys.length >= KEYS_PER_PROJECT_MAX) throw tooManyKeys()
    return { row: await insertApiKey(transaction, clock, { ...key, text }), text }
  })
}

/** Replaces the limits of a key. Throws `not_found` for an unknown key. */
export async function limitProjectKey(catalog: Catalog, key: KeyName & StoredLimits): Promise<ApiKeyRow> {
  const row = await updateKeyLimits(catalog, key)
  if (!row) throw keyNotFound()
  return row
}

/**
 * Creates a key like another one, which from now on expires at `oldExpiresMs` or, if that is sooner, as before. Throws `not_found` for
 * an unknown key, and `failed_precondition` at the limit.
 */
export async function rotateProjectKey(
  catalog: Catalog,
  clock: Clock,
  {
    projectId,
    id,
    oldExpiresMs,
    expiresMs,
  }: KeyName & {
    readonly oldExpiresMs: number
    readonly expiresMs: number | undefined
  },
): Promise<{ readonly created: CreatedKey; readonly replaced: ApiKeyRow }> {
  return await inTransaction(catalog, async (transaction) => {
    const old = await findProjectKey(transaction, { projectId, id })
    if (!old) throw keyNotFound()
    const { kind, displayName, allowedAddresses } = old
    const endMs = Math.min(oldExpiresMs, old.expiresMs ?? oldExpiresMs)
    const replaced = await limitProjectKey(transaction, { projectId, id, expiresMs: endMs, allowedAddresses })
    const key = { projectId, kind, displayName, expiresMs, allowedAddresses }
    return { created: await createProjectKey(transaction, clock, key), replaced }
  })
}

/** Revokes a key of a project. Throws `not_found` for an unknown key. */
export async function deleteProjectKey(catalog: Catalog, key: KeyName): Promise<void> {
  if (!(await revokeProjectKey(catalog, key))) throw keyNotFound()
}

function keyNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'API_KEY_NOT_FOUND',
    message: 'the project has no such key',
  })
}

function tooManyKeys(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `a project has at most ${KEYS_PER_PROJECT_MAX} keys; delete one first`,
  })
}
