import { sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { type ClickHouse, isTooMuch } from './client.ts'
import {
  DAYS_BEFORE,
  FILL_NAMES,
  FILL_STATE,
  MARK_FILLED,
  NAMES_OF_HOUR,
  SLICES_OF_DAY,
} from './migrations/012-names.ts'

const RETRY_MS = 30_000

/** A day that takes longer is read by hours, and an hour that takes longer is left out. */
const STATEMENT_SECONDS_MAX = 300

/** The parts of a fill. */
export interface FillParts {
  readonly clickhouse: ClickHouse
  readonly log: Logger
  readonly signal: AbortSignal
}

/** A row of `name_days`. Times of the same format compare as texts. */
interface NameDay {
  readonly project: number
  readonly kind: string
  readonly property: string
  readonly types: number
  readonly first: string
  readonly last: string
  readonly found: number
}

/**
 * Adds the names in events from before the tables of names, the latest day first. It may be interrupted and repeated at any point.
 * Resolves with the number of days.
 */
export async function fillNames(parts: FillParts): Promise<number> {
  const [state] = await read<{ readonly before: string; readonly isFilled: number }>(parts, FILL_STATE)
  if (!state || state.isFilled === 1) return 0
  const { before } = state
  const days = await read<{ readonly day: string }>(parts, DAYS_BEFORE, { before })
  for (const { day } of days)
    if (!(await succeeds(write(parts, FILL_NAMES, { before, day }))))
      await fillByHours(parts, { before, day })
  await write(parts, MARK_FILLED)
  return days.length
}

async function fillByHours(
  parts: FillParts,
  of: { readonly before: string; readonly day: string },
): Promise<void> {
  const slices = await read<{ readonly slice: number; readonly hours: readonly number[] }>(
    parts,
    SLICES_OF_DAY,
    of,
  )
  for (const { slice, hours } of slices) {
    const names = new Map<string, NameDay>()
    for (const hour of hours) {
      const reading = read<NameDay>(parts, NAMES_OF_HOUR, { ...of, hour, slice })
      if (!(await succeeds(reading.then((rows) => addHour(names, rows)))))
        parts.log.warn(
          { day: of.day, hour },
          'an hour of earlier events is too large for the data dictionary',
        )
    }
    await insertNames(parts, [...names.values()])
  }
}

async function insertNames({ clickhouse, signal }: FillParts, values: readonly NameDay[]): Promise<void> {
  if (values.length === 0) return
  await clickhouse.insert({
    table: 'name_days',
    columns: ['project', 'day', 'kind', 'property', 'types', 'first', 'last', 'found'],
    values,
    format: 'JSONEachRow',
    abort_signal: signal,
    clickhouse_settings: { async_insert: 0 },
  })
}

function addHour(names: Map<string, NameDay>, rows: readonly NameDay[]): void {
  for (const row of rows) {
    const key = JSON.stringify([row.project, row.kind, row.property])
    const sum = names.get(key) ?? { ...row, found: 0 }
    names.set(key, {
      ...sum,
      types: sum.types | row.types,
      first: sum.first < row.first ? sum.first : row.first,
      last: sum.last > row.last ? sum.last : row.last,
      found: sum.found + row.found,
    })
  }
}

/** False when ClickHouse has given the statement up. Throws other errors. */
async function succeeds(statement: Promise<void>): Promise<boolean> {
  try {
    await statement
    return true
  } catch (error) {
    if (isTooMuch(error)) return false
    throw error
  }
}

async function read<T>(
  { clickhouse, signal }: FillParts,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<T[]> {
  const result = await clickhouse.query({
    query,
    query_params,
    format: 'JSONEachRow',
    abort_signal: signal,
    clickhouse_settings: LIMITS,
  })
  return await result.json<T>()
}

async function write(
  { clickhouse, signal }: FillParts,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<void> {
  await clickhouse.command({
    query,
    query_params,
    abort_signal: signal,
    clickhouse_settings: { ...LIMITS, async_insert: 0, wait_end_of_query: 1 },
  })
}

const LIMITS = {
  max_threads: 1,
  max_bytes_before_external_group_by: '500000000',
  max_execution_time: STATEMENT_SECONDS_MAX,
} as const

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
    const days = await fillNames({ clickhouse: connect(), log, signal })
    if (days > 0) log.info({ days }, 'the names of earlier events are in the data dictionary')
  }
}
