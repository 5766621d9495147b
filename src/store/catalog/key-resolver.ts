import { LRUCache } from 'lru-cache'
import type { ServiceError } from '../../contract/service-error.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import { API_KEY_PATTERN, type ApiKeyGrant, createFindApiKey } from './api-keys.ts'
import type { Catalog } from './catalog.ts'
import { isPersonalToken } from './personal-tokens.ts'
import { findTokenGrant, TOKEN_USE_PATTERN } from './token-grants.ts'

/** Maximum cached keys, including unknown ones; a key costs about 200 bytes. Malformed keys are not cached. */
const CACHED_KEYS_MAX = 50_000

/** Milliseconds until a revoked key stops working, and until a new key that was tried too early starts working. */
const CACHED_MS = 4000

/** `null` stands for a key without a grant, so that misses are cached too. */
type Cached = ApiKeyGrant | null

/** What the catalog has for a key, or for a token in a project. */
interface Found {
  readonly grant: Cached
  /** The reason why a known token grants nothing in the project. */
  readonly refusal?: ServiceError
}

/** Whether a text may be a key, or a token in a project; others are rejected without a lookup. */
function isWellFormed(key: string): boolean {
  return API_KEY_PATTERN.test(key) || TOKEN_USE_PATTERN.test(key)
}

/**
 * Resolves keys, and personal access tokens with the project that a call names, in the catalog through a short-lived cache, with one lookup per key in flight.
 */
export class KeyResolver {
  readonly #find: (key: string) => Promise<Found>
  readonly #cache: LRUCache<string, Found>

  constructor(catalog: Catalog, noteTokenUse: (id: string) => void = () => undefined) {
    const findKey = createFindApiKey(catalog)
    this.#find = async (key) =>
      isPersonalToken(key)
        ? await findToken(catalog, key, noteTokenUse)
        : { grant: (await findKey(key)) ?? null }
    this.#cache = new LRUCache({
      ...entriesUpTo(CACHED_KEYS_MAX),
      ttl: CACHED_MS,
      // A finer clock costs a timer for every millisecond of load.
      ttlResolution: 100,
      // While the catalog is unreadable, recently valid keys stay valid, so that ingestion continues.
      noDeleteOnStaleGet: true,
      noDeleteOnFetchRejection: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: async (key) => await this.#find(key),
    })
  }

  /** The cached result, without a promise: `undefined` on a cache miss. */
  peek(key: string): Cached | undefined {
    if (!isWellFormed(key)) return null
    const found = this.#cache.get(key)
    return found?.refusal ? undefined : found?.grant
  }

  /** Whether a key was valid when it was last looked up, however long ago that was. */
  hasGranted(key: string): boolean {
    const found = this.#cache.peek(key, { allowStale: true })
    return found !== undefined && (found.grant !== null || found.refusal !== undefined)
  }

  /**
   * The grant of a key; `null` when it has none. Throws on a cache miss while the catalog is unreadable, and the refusal of a
   * token that is valid but grants nothing.
   */
  async resolve(key: string): Promise<Cached> {
    if (!isWellFormed(key)) return null
    // A failed lookup leaves no entry: look up again, so that the caller gets the error.
    const found = (await this.#cache.fetch(key)) ?? (await this.#find(key))
    if (found.refusal) throw found.refusal
    return found.grant
  }
}

async function findToken(catalog: Catalog, key: string, noteTokenUse: (id: string) => void): Promise<Found> {
  const found = await findTokenGrant(catalog, key)
  if (found.kind === 'unknown') return { grant: null }
  if (found.kind === 'refused') return { grant: null, refusal: found.refusal }
  noteTokenUse(found.grant.keyId)
  return { grant: found.grant }
}
