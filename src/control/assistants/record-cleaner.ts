import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Interval of the cleanup per process. */
const INTERVAL_MS = 60_000

/** An expired access token stays known for this long, so that its assistant, which still has it, is no guesser of tokens. */
const KEPT_MS = 24 * 3_600_000

/** A client without a consent, or whose consents have all ended, is deleted after this time. */
const UNUSED_CLIENT_MS = 24 * 3_600_000

/** Registered clients of the service; beyond, the oldest ones without a consent are deleted. */
const CLIENTS_MAX = 10_000

/** Requests for consent and other records without one; beyond, the oldest are deleted. */
export const REQUESTS_MAX = 10_000

/** Deletes what has expired, and what exceeds the limits. */
export class RecordCleaner {
  readonly #catalog: Catalog
  readonly #clock: Clock
  #cleanedMs = 0

  constructor(catalog: Catalog, clock: Clock) {
    this.#catalog = catalog
    this.#clock = clock
  }

  /** Cleans up, unless this process has done so within a minute. */
  async clean(): Promise<void> {
    const nowMs = this.#clock.nowMs()
    if (Math.abs(nowMs - this.#cleanedMs) < INTERVAL_MS) return
    this.#cleanedMs = nowMs
    await this.cleanNow()
  }

  /** Cleans up. */
  async cleanNow(): Promise<void> {
    const nowMs = this.#clock.nowMs()
    await this.#catalog
      .deleteFrom('oauth_records')
      .where('expires_ms', '<', nowMs - KEPT_MS)
      .execute()
    await this.#catalog
      .deleteFrom('oauth_grants')
      .where('expires_ms', '<', nowMs - KEPT_MS)
      .execute()
    await this.#catalog
      .deleteFrom('oauth_clients')
      .where('created_ms', '<', nowMs - UNUSED_CLIENT_MS)
      .where('id', 'not in', (query) => query.selectFrom('oauth_grants').select('client_id'))
      .execute()
    await this.#deleteExcess()
  }

  async #deleteExcess(): Promise<void> {
    const catalog = this.#catalog
    const requests = await catalog
      .selectFrom('oauth_records')
      .select('created_ms')
      .where('grant_id', 'is', null)
      .orderBy('created_ms', 'desc')
      .offset(REQUESTS_MAX)
      .limit(1)
      .executeTakeFirst()
    if (requests)
      await catalog
        .deleteFrom('oauth_records')
        .where('grant_id', 'is', null)
        .where('created_ms', '<=', requests.created_ms)
        .execute()
    const clients = await catalog
      .selectFrom('oauth_clients')
      .select('created_ms')
      .where('id', 'not in', (query) => query.selectFrom('oauth_grants').select('client_id'))
      .orderBy('created_ms', 'desc')
      .offset(CLIENTS_MAX)
      .limit(1)
      .executeTakeFirst()
    if (clients)
      await catalog
        .deleteFrom('oauth_clients')
        .where('created_ms', '<=', clients.created_ms)
        .where('id', 'not in', (query) => query.selectFrom('oauth_grants').select('client_id'))
        .execute()
  }
}
