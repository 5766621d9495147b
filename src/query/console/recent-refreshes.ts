import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** How long a refresh that was made answers the same token again. */
const TTL_MS = 10_000

/** Refreshes that are remembered. */
const REFRESHES_MAX = 1000

/**
 * What refreshes came to, for some seconds. A browser sends one cookie from two tabs at once, and again when it left a page
 * before the new cookie came; a token that is used twice would end the session. Only for the cookie: the RPC knows no mercy.
 */
export class RecentRefreshes<T extends object> {
  readonly #answers = new LRUCache<string, Promise<T>>({ max: REFRESHES_MAX, ttl: TTL_MS })

  /** The answer to a token: the one of a moment ago, else that of `refresh`. A failure is not remembered. */
  async share(token: string, refresh: () => Promise<T>): Promise<T> {
    const key = createHash('sha256').update(token).digest('base64url')
    const known = this.#answers.get(key)
    if (known) return await known
    const answer = refresh()
    this.#answers.set(key, answer)
    answer.catch(() => this.#answers.delete(key))
    return await answer
  }
}
