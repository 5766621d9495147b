import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, onCluster } from './cluster.ts'

/** How often it is looked whether people were merged. */
const LOOK_EVERY_MS = 3000

/** Loading the dictionary takes this share of the time at most, however many people are merged. */
const LOAD_SHARE_MAX = 0.1

/** Different whenever rows came or went. */
const STATE = `SELECT concat(
  toString((SELECT count() FROM identity_claims)), ' ', toString((SELECT count() FROM profiles))
) AS state`

/**
 * Loads the dictionary of merged users again when people were merged. The embedded engine never does that by itself; a
 * server does, but later.
 */
export class IdentityRefresher {
  readonly #connect: () => ClickHouse
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #state: string | undefined
  #running: Promise<void> = Promise.resolve()

  /** `connect` gives a connection that may load dictionaries; it may throw while the store is away. */
  constructor(connect: () => ClickHouse, log: Logger) {
    this.#connect = connect
    this.#log = log
  }

  /** Begins to look. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when it looks no more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startMs = monotonicMs()
      await this.#look(signal).catch((error: unknown) => {
        if (!signal.aborted) this.#log.debug({ err: error }, 'merged users could not be loaded; tried again')
      })
      const tookMs = monotonicMs() - startMs
      await sleep(Math.max(LOOK_EVERY_MS, tookMs / LOAD_SHARE_MAX), signal).catch(() => undefined)
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const clickhouse = this.#connect()
    const answer = await clickhouse.query({ query: STATE, format: 'JSONEachRow', abort_signal: signal })
    const [row] = await answer.json<{ readonly state: string }>()
    if (row?.state === this.#state) return
    await commandEverywhere(clickhouse, `SYSTEM RELOAD DICTIONARY${onCluster(clickhouse)} identities`, {
      abort_signal: signal,
    })
    this.#state = row?.state
  }
}
