import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { DAYS_BEFORE, FILL_NAMES, FILL_STATE, MARK_FILLED } from './migrations/012-names.ts'

const RETRY_MS = 30_000

/** A day of the largest projects takes less. */
const STATEMENT_SECONDS_MAX = 300

/**
 * Adds the names in events from before the tables of names, the latest day first. It may be interrupted and repeated at any point.
 * Resolves with the number of days.
 */
export async function fillNames(clickhouse: ClickHouse, signal: AbortSignal): Promise<number> {
  const read = async <T>(query: string, query_params: Record<string, unknown> = {}): Promise<T[]> => {
    const result = await clickhouse.query({
      query,
      query_params,
      format: 'JSONEachRow',
      abort_signal: signal,
    })
    return await result.json<T>()
  }
  const write = async (query: string, query_params: Record<string, unknown> = {}): Promise<void> => {
    await clickhouse.command({
      query,
      query_params,
      abort_signal: signal,
      clickhouse_settings: {
        async_insert: 0,
        insert_deduplicate: 0,
        wait_end_of_query: 1,
        max_threads: 1,
        max_bytes_before_external_group_by: '500000000',
        max_execution_time: STATEMENT_SECONDS_MAX,
      },
    })
  }
  const [state] = await read<{ readonly before: string; readonly isFilled: number }>(FILL_STATE)
  if (!state || state.isFilled === 1) return 0
  const { before } = state
  const days = await read<{ readonly day: string }>(DAYS_BEFORE, { before })
  for (const { day } of days) await write(FILL_NAMES, { before, day })
  await write(MARK_FILLED)
  return days.length
}

/** Dependencies of the {@link NameFiller}. */
export interface NameFillerOptions {
  /** Connects as a user that may write; may throw while the store is unreachable. */
  readonly connect: () => ClickHouse
  readonly log: Logger
  /** Runs a round while no other process does; throws when one does. */
  readonly alone: (round: () => Promise<void>) => Promise<void>
}

/** Fills the tables of names in the background, once in the life of a store (docs/adr/0018). */
export class NameFiller {
  readonly #options: NameFillerOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: NameFillerOptions) {
    this.#options = options
  }

  /** Starts filling. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when filling has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { alone, log } = this.#options
    while (!signal.aborted) {
      try {
        await alone(async () => await this.#fill(signal))
        return
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'names of earlier events could not be added; retrying')
      }
      await sleep(RETRY_MS, signal).catch(() => undefined)
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { connect, log } = this.#options
    const days = await fillNames(connect(), signal)
    if (days > 0) log.info({ days }, 'the names of earlier events are in the data dictionary')
  }
}
