import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'

/** Anonymous ids that are remembered; an entry is below 1 KB. */
const CLAIMS_MAX = 10_000

/** Who claimed which anonymous id lately, as far as one worker has seen; tells claims that change nothing. */
export class RecentClaims {
  readonly #owners = new LRUCache<string, string>({ max: CLAIMS_MAX })

  /** Whether somebody else claimed the anonymous id before. */
  isTaken(projectId: ProjectId, anonymousId: string, externalId: string): boolean {
    const key = `${projectId} ${anonymousId}`
    const owner = this.#owners.get(key)
    if (owner === undefined) this.#owners.set(key, externalId)
    return owner !== undefined && owner !== externalId
  }
}

/**
 * External ids that a client sends when it has none: many people would become one. Such an id makes a profile like any
 * other, but nobody's anonymous activity is merged into it. Compared in lower case.
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

/** Whether an external id cannot be one person's. */
export function isUnmergeable(externalId: string): boolean {
  return UNMERGEABLE.has(externalId.trim().toLowerCase())
}
