import { LRUCache } from 'lru-cache'
import type { AccessRule } from '../../domain/role-rules.ts'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { Clock } from '../../kernel/clock.ts'
import { findAccessToken, isAssistantToken, type TokenRights } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { findToken } from '../../store/catalog/personal-tokens.ts'
import { tokenExpired, unknownAccessToken, unknownToken } from '../../store/catalog/token-refusals.ts'

const CACHED_MAX = 20_000

/** Milliseconds until a revoked token is refused by methods that only read. */
const CACHED_MS = 4000

/** Time for which a token that was valid is no guess, so that guesses of others in its network do not hold it up. */
const KNOWN_MS = 24 * 3_600_000

/** Limits guesses of tokens by network, in all processes together. */
export interface TokenGuesses {
  /** Throws `resource_exhausted` for a network that guessed too often. */
  require(network: string): Promise<void>
  /** Counts a guess. Throws `resource_exhausted` when there were too many. */
  count(network: string): Promise<void>
}

/** Dependencies of the reader. */
export interface TokenReaderPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly guesses: TokenGuesses
  /** Notes that a token was used. */
  readonly noteUse: (id: string) => void
  /** Whether assistants may connect through OAuth; when they may not, those of before count no longer. */
  readonly assistants: 'on' | 'off'
}

/** A token as a call brings it. */
export interface PresentedToken {
  readonly text: string
  readonly network: string
  /** Whether the catalog is asked with every call. */
  readonly check: AccessRule['session']
}

/** Finds personal access tokens and those of assistants, for methods that only read through a short-lived cache. */
export class TokenReader {
  readonly #ports: TokenReaderPorts
  readonly #cache = new LRUCache<string, TokenRights>({ ...entriesUpTo(CACHED_MAX), ttl: CACHED_MS })
  readonly #known = new LRUCache<string, true>({ ...entriesUpTo(CACHED_MAX), ttl: KNOWN_MS })
  #generation = 0

  constructor(ports: TokenReaderPorts) {
    this.#ports = ports
  }

  /** The token. Throws `unauthenticated` for one that is unknown, revoked or expired, and `resource_exhausted`. */
  async read(presented: PresentedToken): Promise<TokenRights> {
    const { text, check } = presented
    const token = (check === 'cached' && this.#cache.get(text)) || (await this.#lookUp(presented))
    if (this.#ports.clock.nowMs() >= token.expiresMs) throw tokenExpired()
    return token
  }

  /** Clears the cache, so that a token that this process revoked is refused immediately. */
  forget(): void {
    // A lookup in flight may have read the old row: its result must not be cached.
    this.#generation++
    this.#cache.clear()
  }

  async #lookUp({ text, network }: PresentedToken): Promise<TokenRights> {
    const { catalog, guesses, noteUse, assistants } = this.#ports
    const isGuess = !this.#known.has(text)
    if (isGuess) await guesses.require(network)
    const generation = this.#generation
    const isAssistant = isAssistantToken(text)
    if (isAssistant && assistants === 'off') throw unknownAccessToken()
    const token = await (isAssistant ? findAccessToken : findToken)(catalog, text)
    if (!token) {
      this.#known.delete(text)
      await guesses.count(network)
      throw isAssistant ? unknownAccessToken() : unknownToken()
    }
    this.#known.set(text, true)
    if (generation === this.#generation) this.#cache.set(text, token)
    noteUse(token.id)
    return token
  }
}
