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
