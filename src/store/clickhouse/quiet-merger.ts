import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { durationHistogram } from '../../kernel/metrics.ts'
import type { ClickHouse } from './client.ts'

const LOOK_EVERY_MS = 10_000

/** A partition is quiet when its newest part, of an INSERT or of a merge, is older. */
const QUIET_SECONDS_MIN = 20

/**
 * A second of quiet for each so many rows: a merge takes about three microseconds of CPU time per row, so that it takes at most
 * six hundredths of a core, however the events of a month arrive.
 */
const ROWS_PER_QUIET_SECOND = 20_000

/** A larger partition is left to the engine, which merges it after an hour. Before compression: about eight million events. */
const BYTES_MAX = 2 * 1024 ** 3

/** Events that `FINAL` compares with others, as a share of all: with fewer, as when only those of today are fresh, a merge saves little. */
const COMPARED_SHARE_MIN = 0.1

/**
 * Rows outside of the largest merged part, as a share of all: with fewer, events that arrive one by one would have the month rewritten
 * each time. So each event is rewritten about a hundred times at most.
 */
const FRESH_SHARE_MIN = 0.01

/** Maximum share of time spent on merges. */
const MERGE_SHARE_MAX = 0.25

/** The bounds of {@link listQuiet}. */
export interface QuietBounds {
  readonly secondsMin: number
  readonly rowsPerSecond: number
  readonly comparedShareMin: number
  readonly freshShareMin: number
  readonly bytesMax: number
}

const BOUNDS: QuietBounds = {
  secondsMin: QUIET_SECONDS_MIN,
  rowsPerSecond: ROWS_PER_QUIET_SECOND,
  comparedShareMin: COMPARED_SHARE_MIN,
  freshShareMin: FRESH_SHARE_MIN,
  bytesMax: BYTES_MAX,
}

const seconds = durationHistogram(
  'millrace_quiet_merge_seconds',
  'Merges of the parts of a month whose events stopped arriving a moment ago.',
)

/**
 * Events that are not in the largest merged part are fresh: a query with `FINAL` compares them with all others of their time, also
 * those of a single INSERT. `shared` is the share of the merged part's time that lies between the first and the last fresh event.
 */
const QUIET_PARTITIONS = `WITH
  toInt64(toUnixTimestamp(min_time)) AS first,
  toInt64(toUnixTimestamp(max_time)) AS last,
  sumIf(rows, NOT merged) AS fresh,
  least(maxIf(last, NOT merged), maxIf(last, merged)) - greatest(minIf(first, NOT merged), minIf(first, merged)) + 1 AS shared_seconds,
  greatest(0, shared_seconds) / (maxIf(last, merged) - minIf(first, merged) + 1) AS shared
SELECT partition_id AS id FROM (
  SELECT *, level > 0 AND row_number() OVER (PARTITION BY partition_id ORDER BY level > 0 DESC, rows DESC) = 1 AS merged
  FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events'
)
WHERE partition_id NOT IN (SELECT partition_id FROM system.merges WHERE database = currentDatabase() AND table = 'events')
GROUP BY partition_id
HAVING fresh > 0 AND fresh >= sum(rows) * {freshShareMin:Float64}
  AND fresh + sumIf(rows, merged) * shared >= sum(rows) * {comparedShareMin:Float64}
  AND sum(data_uncompressed_bytes) <= {bytesMax:UInt64}
  AND max(modification_time) <= now() - greatest({secondsMin:UInt32}, intDiv(sum(rows), {rowsPerSecond:UInt32}))
ORDER BY sum(rows), id`

/** The partitions of `events` that a merge makes cheaper to read, and in which nothing has changed for a moment; the smallest first. */
export async function listQuiet(
  clickhouse: ClickHouse,
  signal: AbortSignal,
  bounds: QuietBounds = BOUNDS,
): Promise<readonly string[]> {
  const result = await clickhouse.query({
    query: QUIET_PARTITIONS,
    query_params: { ...bounds },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  return (await result.json<{ readonly id: string }>()).map(({ id }) => id)
}

/** Merges a partition of `events` into a single part. */
export async function mergePartition(clickhouse: ClickHouse, id: string, signal: AbortSignal): Promise<void> {
  const query = 'OPTIMIZE TABLE events PARTITION ID {id:String} FINAL'
  await clickhouse.command({ query, query_params: { id }, abort_signal: signal })
}

/** Dependencies of the {@link QuietMerger}. */
export interface QuietMergerOptions {
  /** Connects as a user that may write; may throw while the store is unreachable. */
  readonly connect: () => ClickHouse
  readonly log: Pick<Logger, 'debug'>
  /** Runs a merge while no other process does; throws when one does. */
  readonly alone: (merge: () => Promise<void>) => Promise<void>
  /** Without arrivals, no month becomes quiet, and nothing is looked for once nothing was found. */
  readonly hasArrivals: () => boolean
  /** Shortened by tests. */
  readonly lookEveryMs?: number
}

/**
 * Merges the parts of a month soon after its last events have arrived: questions then read one part, which needs no `FINAL`
 * (docs/adr/0024). The engine does the same after an hour, for months of any size and on a cluster.
 */
export class QuietMerger {
  readonly #options: QuietMergerOptions
  readonly #stopping = new AbortController()
  #hasFound = true
  #running: Promise<void> = Promise.resolve()

  constructor(options: QuietMergerOptions) {
    this.#options = options
  }

  /** Starts merging. */
  start(): void {
    this.#running = this.#run(this.#stopping.signal)
  }

  /** Resolves when merging has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  /** Never rejects. */
  async #run(signal: AbortSignal): Promise<void> {
    const { hasArrivals, lookEveryMs = LOOK_EVERY_MS } = this.#options
    while (!signal.aborted) {
      const startMs = monotonicMs()
      if (!this.#hasFound && !hasArrivals()) {
        await sleep(lookEveryMs, signal).catch(() => undefined)
        continue
      }
      await this.#mergeOne(signal).catch((error: unknown) => {
        if (!signal.aborted)
          this.#options.log.debug({ err: error }, 'a quiet month could not be merged; retrying')
      })
      const tookMs = monotonicMs() - startMs
      await sleep(Math.max(lookEveryMs, tookMs / MERGE_SHARE_MAX - tookMs), signal).catch(() => undefined)
    }
  }

  async #mergeOne(signal: AbortSignal): Promise<void> {
    const clickhouse = this.#options.connect()
    if (clickhouse.cluster) return
    const [id] = await listQuiet(clickhouse, signal)
    this.#hasFound = id !== undefined
    if (id === undefined) return
    await this.#options.alone(async () => {
      const startMs = monotonicMs()
      await mergePartition(clickhouse, id, signal)
      seconds.observe((monotonicMs() - startMs) / 1000)
    })
  }
}
