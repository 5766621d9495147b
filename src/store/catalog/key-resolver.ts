import { LRUCache } from 'lru-cache'
import { API_KEY_PATTERN, type ApiKeyGrant, findApiKey } from './api-keys.ts'
import type { Catalog } from './catalog.ts'

/** Keys whose grant, or absence, is remembered; a key costs about 200 bytes. What has another form is no key, and is not kept. */
const CACHED_KEYS_MAX = 50_000

/** Milliseconds until a revoked key stops working, and a new one that was tried too early starts. */
const CACHED_MS = 4000

/** `null` stands for a key that grants nothing, so that it too is remembered. */
type Cached = ApiKeyGrant | null

/** Looks keys up in the catalog through a short cache, with one look-up per key under way. */
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
      // While the catalog cannot be read, keys that were good a moment ago stay good: ingestion goes on.
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: async (key) => ({ grant: (await findApiKey(catalog, key)) ?? null }),
    })
  }

  /** The cached answer, without a promise: `undefined` when the key must be looked up. */
  peek(key: string): Cached | undefined {
    if (!API_KEY_PATTERN.test(key)) return null
    return this.#cache.get(key)?.grant
  }

  /** What the key grants; `null` when nothing. Throws when it is not known here and the catalog cannot be read. */
  async resolve(key: string): Promise<Cached> {
    if (!API_KEY_PATTERN.test(key)) return null
    const found = await this.#cache.fetch(key)
    // The cache has nothing to tell when it could not look up: whoever asks gets to know why.
    return found ? found.grant : ((await findApiKey(this.#catalog, key)) ?? null)
  }
}
