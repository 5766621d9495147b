import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../contract/ids.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'

/** Remembered anonymous ids; an entry is below 1 KB. */
const CLAIMS_MAX = 10_000

/** Recent claims of anonymous ids in one worker: finds calls that change nothing. */
export class RecentClaims {
  readonly #owners = new LRUCache<string, string>(entriesUpTo(CLAIMS_MAX))

  /** Whether another external id has claimed the anonymous id. */
  isTaken(projectId: ProjectId, anonymousId: string, externalId: string): boolean {
    const key = `${projectId} ${anonymousId}`
    const owner = this.#owners.get(key)
    if (owner === undefined) this.#owners.set(key, externalId)
    return owner !== undefined && owner !== externalId
  }
}

/** Claims that one worker has stored lately; an entry is below 3 KB, and mostly below 200 bytes. */
const IMPLIED_CLAIMS_MAX = 10_000

/** How long an implied claim is not stored again, in milliseconds. If its first copy was lost, a later event makes it again. */
const IMPLIED_CLAIM_MS = 10 * 60 * 1000

/**
 * Claims that events imply by having two ids. SDKs repeat them with every event of a signed-in user, and each row of a claim
 * would make the query process load the merged users again.
 */
export class ImpliedClaims {
  readonly #stored = new LRUCache<string, true>({ ...entriesUpTo(IMPLIED_CLAIMS_MAX), ttl: IMPLIED_CLAIM_MS })

  /** Whether a claim must be stored: remembers it. */
  add(projectId: ProjectId, anonymousId: string, externalId: string): boolean {
    const key = `${projectId}\0${anonymousId}\0${externalId}`
    if (this.#stored.has(key)) return false
    this.#stored.set(key, true)
    return true
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
