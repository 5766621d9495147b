import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import {
  type ApiKeyKind,
  type ApiKeyRow,
  generateApiKey,
  insertApiKey,
  listProjectKeys,
  revokeProjectKey,
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

/** Creates a key of a project. Throws `not_found` for an unknown project. */
export async function createProjectKey(
  catalog: Catalog,
  clock: Clock,
  key: { readonly projectId: ProjectId; readonly kind: ApiKeyKind; readonly displayName: string },
): Promise<CreatedKey> {
  const text = generateApiKey(key.kind)
  return await inTransaction(catalog, async (transaction) => {
    await readProject(transaction, key.projectId)
    const keys = await listProjectKeys(transaction, key.projectId)
    if (keys.length >= KEYS_PER_PROJECT_MAX) throw tooManyKeys()
    return { row: await insertApiKey(transaction, clock, { ...key, text }), text }
  })
}

/** Revokes a key of a project. Throws `not_found` for an unknown key. */
export async function deleteProjectKey(
  catalog: Catalog,
  key: { readonly projectId: ProjectId; readonly id: string },
): Promise<void> {
  if (await revokeProjectKey(catalog, key)) return
  throw new ServiceError({
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
