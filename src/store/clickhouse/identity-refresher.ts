import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, onCluster } from './cluster.ts'

/** Interval of the check for merged users. */
const CHECK_INTERVAL_MS = 3000

/** Maximum share of time spent on loading the dictionary, however often users are merged. */
const LOAD_SHARE_MAX = 0.1

/** Changes whenever rows are added or removed. */
const STATE = `SELECT concat(
  toString((SELECT count() FROM identity_claims)), ' ', toString((SELECT count() FROM profiles))
) AS state`

/**
 * Reloads the dictionary of merged users after users were merged. The embedded engine never does that by itself; a server
 * does, but later.
 */
export class IdentityRefresher {
  readonly #connect: () => ClickHouse
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #state: string | undefined
  #running: Promise<void> = Promise.resolve()

  /** `connect` returns a connection that may load dictionaries; it may throw while the store is unreachable. */
  constructor(connect: () => ClickHouse, log: Logger) {
    this.#connect = connect
    this.#log = log
  }

  /** Starts checking. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when checking has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startMs = monotonicMs()
      await this.#reloadIfChanged(signal).catch((error: unknown) => {
        if (!signal.aborted)
          this.#log.debug({ err: error }, 'the dictionary of merged users could not be reloaded; retrying')
      })
      const tookMs = monotonicMs() - startMs
      await sleep(Math.max(CHECK_INTERVAL_MS, tookMs / LOAD_SHARE_MAX), signal).catch(() => undefined)
    }
  }

  async #reloadIfChanged(signal: AbortSignal): Promise<void> {
    const clickhouse = this.#connect()
    const result = await clickhouse.query({ query: STATE, format: 'JSONEachRow', abort_signal: signal })
    const [row] = await result.json<{ readonly state: string }>()
    if (row?.state === this.#state) return
    await commandEverywhere(clickhouse, `SYSTEM RELOAD DICTIONARY${onCluster(clickhouse)} identities`, {
      abort_signal: signal,
    })
    this.#state = row?.state
  }
}
