import { LRUCache } from 'lru-cache'
import { API_KEY_PATTERN, type ApiKeyGrant, findApiKey } from './api-keys.ts'
import type { Catalog } from './catalog.ts'

/** Maximum cached keys, including unknown ones; a key costs about 200 bytes. Malformed keys are not cached. */
const CACHED_KEYS_MAX = 50_000

/** Milliseconds until a revoked key stops working, and until a new key that was tried too early starts working. */
const CACHED_MS = 4000

/** `null` stands for a key without a grant, so that misses are cached too. */
type Cached = ApiKeyGrant | null

/** Resolves keys in the catalog through a short-lived cache, with one lookup per key in flight. */
export class KeyResolver {
  readonly #catalog: Catalog
  readonly #cache: LRUCache<string, { readonly grant: Cached }>

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#cache = new LRUCache({
      max: CACHED_KEYS_MAX,
      ttl: CACHED_MS,
      // A finer clock costs a timer for every millisecond of load.
      ttlResolution: 100,
      // While the catalog is unreadable, recently valid keys stay valid, so that ingestion continues.
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: async (key) => ({ grant: (await findApiKey(catalog, key)) ?? null }),
    })
  }

  /** The cached result, without a promise: `undefined` on a cache miss. */
  peek(key: string): Cached | undefined {
    if (!API_KEY_PATTERN.test(key)) return null
    return this.#cache.get(key)?.grant
  }

  /** The grant of a key; `null` when it has none. Throws on a cache miss while the catalog is unreadable. */
  async resolve(key: string): Promise<Cached> {
    if (!API_KEY_PATTERN.test(key)) return null
    const found = await this.#cache.fetch(key)
    // A failed lookup leaves no entry: look up again, so that the caller gets the error.
    return found ? found.grant : ((await findApiKey(this.#catalog, key)) ?? null)
  }
}
