import { randomUUID } from 'node:crypto'
import type { ClickHouseSettings } from '@clickhouse/client'
import { sleep } from '../../kernel/clock.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster, toClusterStatement } from './cluster.ts'
import { SETTLE_MS } from './migrations/fold-visits.ts'
import { FOLD_ID_PREFIX } from './running-folds.ts'

/** A replica that lags further behind is not queried, so that from then on every question finds what was written before. */
const REPLICATED_MS = 45_000

/** A statement goes on when its client leaves. */
const STATEMENT_SECONDS_MAX = 150

const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  max_partitions_per_insert_block: '0',
  max_bytes_before_external_group_by: '500000000',
  do_not_merge_across_partitions_select_final: 1,
  max_execution_time: STATEMENT_SECONDS_MAX,
}

type Params = Readonly<Record<string, number>>

/** The statements of one round of folding visits. `settleMs` is how long {@link FoldStore.settle} waits, which tests shorten. */
export class FoldStore {
  readonly #clickhouse: ClickHouse
  readonly #signal: AbortSignal
  readonly #settleMs: number
  #waitedMs = 0

  constructor(clickhouse: ClickHouse, signal: AbortSignal, settleMs?: number) {
    this.#clickhouse = clickhouse
    this.#signal = signal
    this.#settleMs = settleMs ?? (this.#isReplicated ? REPLICATED_MS : SETTLE_MS)
  }

  /** Time in which nothing was computed. */
  get waitedMs(): number {
    return this.#waitedMs
  }

  /** Only a cluster with a Keeper has replicas. */
  get #isReplicated(): boolean {
    return this.#clickhouse.cluster?.nodes.length === 0
  }

  async read(query: string, params: Params = {}): Promise<Readonly<Record<string, unknown>>[]> {
    const result = await this.#clickhouse.query({
      query: toClusterStatement(this.#clickhouse, query),
      query_params: params,
      format: 'JSONEachRow',
      abort_signal: this.#signal,
    })
    return await result.json<Record<string, unknown>>()
  }

  async write(query: string, params: Params): Promise<void> {
    await this.#clickhouse.command({
      query: toClusterStatement(this.#clickhouse, query),
      query_params: params,
      query_id: `${FOLD_ID_PREFIX}${randomUUID()}`,
      abort_signal: this.#signal,
      clickhouse_settings: SETTINGS,
    })
  }

  /** Resolves when each question that has not found the latest arrivals has ended, or is answered from events. */
  async settle(): Promise<void> {
    await this.#wait(this.#settleMs)
  }

  /** Resolves when questions read what was written before, on any replica. */
  async untilReplicated(): Promise<void> {
    if (this.#isReplicated) await this.#wait(REPLICATED_MS)
  }

  /** The coverage first: questions that have read it end before the rows go. */
  async empty(): Promise<void> {
    await this.#truncate('visit_coverage')
    await this.settle()
    await this.#truncate('visits')
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, this.#signal)
    this.#waitedMs += ms
  }

  async #truncate(table: string): Promise<void> {
    const name = `${localTable(this.#clickhouse, table)}${onCluster(this.#clickhouse)}`
    await commandEverywhere(this.#clickhouse, `TRUNCATE TABLE ${name}`, { abort_signal: this.#signal })
  }
}
