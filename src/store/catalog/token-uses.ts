import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from './catalog.ts'

/** How often uses are written, and so the precision of the time of the last use. */
const FLUSH_MS = 60_000

/** Tokens per statement and in memory; the uses of further ones within a minute are not recorded. */
const TOKENS_MAX = 500

/** Gathers the uses of personal access tokens and of assistants, and writes them once a minute: no call waits for it. */
export class TokenUses {
  readonly #catalog: Catalog
  readonly #clock: Clock
  readonly #log: Logger
  readonly #used = new Set<string>()
  readonly #timer: NodeJS.Timeout

  constructor(catalog: Catalog, clock: Clock, log: Logger) {
    this.#catalog = catalog
    this.#clock = clock
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Notes a use of a token now. */
  note(id: string): void {
    if (this.#used.size < TOKENS_MAX) this.#used.add(id)
  }

  /** Writes the uses that were noted. A failure loses them: the next use is noted again. */
  async flush(): Promise<void> {
    const ids = [...this.#used]
    this.#used.clear()
    if (ids.length === 0) return
    try {
      for (const table of ['personal_tokens', 'oauth_grants'] as const)
        await this.#catalog
          .updateTable(table)
          .set({ last_used_ms: this.#clock.nowMs() })
          .where('id', 'in', ids)
          .execute()
    } catch (error) {
      this.#log.warn({ err: error }, 'the last use of tokens was not recorded')
    }
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
