import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, onCluster } from './cluster.ts'
import type { RecentArrivals } from './recent-arrivals.ts'

/** Interval of the check for merged users. */
const CHECK_INTERVAL_MS = 3000

/** Maximum share of time spent on loading the dictionary, however often users are merged. */
const LOAD_SHARE_MAX = 0.1

/** Each changes whenever rows are added or removed: those that the dictionary reads, and those that every INSERT of events adds. */
const STATE = `SELECT
  concat(toString((SELECT count() FROM identity_claims)), ' ', toString((SELECT count() FROM profiles))) AS identities,
  concat(toString((SELECT count() FROM session_arrivals)), ' ', toString((SELECT count() FROM day_arrivals))) AS arrivals`

/** Dependencies of the {@link IdentityRefresher}. */
export interface IdentityRefresherOptions {
  /** A connection that may load dictionaries; may throw while the store is unreachable. */
  readonly connect: () => ClickHouse
  readonly log: Pick<Logger, 'debug'>
  /** Told what each check finds, which spares others a statement of their own. */
  readonly arrivals: RecentArrivals
}

/**
 * Reloads the dictionary of merged users after users were merged. The embedded engine never does that by itself; a server
 * does, but later.
 */
export class IdentityRefresher {
  readonly #options: IdentityRefresherOptions
  readonly #stopping = new AbortController()
  #state: string | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: IdentityRefresherOptions) {
    this.#options = options
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
          this.#options.log.debug(
            { err: error },
            'the dictionary of merged users could not be reloaded; retrying',
          )
      })
      const tookMs = monotonicMs() - startMs
      await sleep(Math.max(CHECK_INTERVAL_MS, tookMs / LOAD_SHARE_MAX), signal).catch(() => undefined)
    }
  }

  async #reloadIfChanged(signal: AbortSignal): Promise<void> {
    const { connect, arrivals } = this.#options
    const clickhouse = connect()
    const result = await clickhouse.query({ query: STATE, format: 'JSONEachRow', abort_signal: signal })
    const [row] = await result.json<{ readonly identities: string; readonly arrivals: string }>()
    if (row) arrivals.note(row.arrivals)
    if (row?.identities === this.#state) return
    await commandEverywhere(clickhouse, `SYSTEM RELOAD DICTIONARY${onCluster(clickhouse)} identities`, {
      abort_signal: signal,
    })
    this.#state = row?.identities
  }
}
