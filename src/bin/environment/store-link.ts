import { ServiceError } from '../../contract/service-error.ts'
import { Backoff, type BackoffBounds } from '../../kernel/backoff.ts'
import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import { type ClickHouse, type ClickHouseOptions, openClickHouse } from '../../store/clickhouse/client.ts'
import { readSchemaVersion, SCHEMA_VERSION } from '../../store/clickhouse/migrate.ts'
import { type ClickHouseUser, findClickHouse } from './clickhouse-endpoint.ts'

const LOOK: BackoffBounds = { firstMs: 100, maxMs: 5000 }

/** A role's connection to a store that may come later than the role. */
export class StoreLink {
  readonly #settings: Settings
  readonly #user: ClickHouseUser
  readonly #options: ClickHouseOptions
  #clickhouse: ClickHouse | undefined
  #isPrepared = false

  constructor(settings: Settings, user: ClickHouseUser, options: ClickHouseOptions) {
    this.#settings = settings
    this.#user = user
    this.#options = options
  }

  /** The connection. Throws `unavailable` until the embedded engine has published its endpoint. */
  get clickhouse(): ClickHouse {
    this.#clickhouse ??= openClickHouse(this.#find(), this.#options)
    return this.#clickhouse
  }

  /**
   * Resolves when the store has at least this release's schema, after which rows fit: before, an INSERT could lose
   * columns. Rejects only when the signal is aborted.
   */
  async untilPrepared(log: Logger, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(LOOK)
    if (await this.#look()) return
    log.warn('ClickHouse cannot take events yet; they wait in the journal')
    do await sleep(backoff.next(), signal)
    while (!(await this.#look()))
    log.info('ClickHouse takes events now')
  }

  /** Throws when the store cannot be used now. */
  async check(): Promise<void> {
    if (!this.#isPrepared && !(await this.#look())) throw unavailable()
    const ping = await this.clickhouse.ping()
    if (!ping.success) throw ping.error
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    await this.#clickhouse?.close()
  }

  async #look(): Promise<boolean> {
    try {
      this.#isPrepared = (await readSchemaVersion(this.clickhouse)) >= SCHEMA_VERSION
    } catch {
      // No server, no database, no table of migrations: all of it means "not yet".
      this.#isPrepared = false
    }
    return this.#isPrepared
  }

  #find(): ReturnType<typeof findClickHouse> {
    try {
      return findClickHouse(this.#settings, this.#user)
    } catch (error) {
      throw unavailable(error)
    }
  }
}

function unavailable(cause?: unknown): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
    message: 'the store cannot be reached; try again',
    cause,
    retryAfterSeconds: 1,
  })
}
