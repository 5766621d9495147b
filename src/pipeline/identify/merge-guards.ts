import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'

/** Remembered anonymous ids; an entry is below 1 KB. */
const CLAIMS_MAX = 10_000

/** Recent claims of anonymous ids in one worker: finds calls that change nothing. */
export class RecentClaims {
  readonly #owners = new LRUCache<string, string>({ max: CLAIMS_MAX })

  /** Whether another external id has claimed the anonymous id. */
  isTaken(projectId: ProjectId, anonymousId: string, externalId: string): boolean {
    const key = `${projectId} ${anonymousId}`
    const owner = this.#owners.get(key)
    if (owner === undefined) this.#owners.set(key, externalId)
    return owner !== undefined && owner !== externalId
  }
}

/**
 * Placeholders that clients send as external id when they have none: merging would turn many users into one. Such an id gets
 * a profile like any other, but no anonymous activity is merged into it. Compared in lower case.
 */
const UNMERGEABLE: ReadonlySet<string> = new Set([
  '',
  '""',
  "''",
  '-1',
  '0',
  '[object object]',
  'anon',
  'anonymous',
  'default',
  'distinct_id',
  'distinctid',
  'email',
  'external_id',
  'externalid',
  'false',
  'guest',
  'id',
  'nan',
  'nil',
  'none',
  'not_authenticated',
  'null',
  'test',
  'true',
  'undefined',
  'unknown',
  'user',
  'user_id',
  'userid',
  '{}',
  '[]',
])

/** Whether an external id is a placeholder, not a user's. */
export function isUnmergeable(externalId: string): boolean {
  return UNMERGEABLE.has(externalId.trim().toLowerCase())
}
