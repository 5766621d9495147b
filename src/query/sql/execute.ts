import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { startStatementSpan } from '../../store/clickhouse/statement-span.ts'
import { render, type Sql } from './sql.ts'

/** Runs a statement that changes rows; resolves when ClickHouse has taken it. */
export type Execute = (statement: Sql, signal: AbortSignal) => Promise<void>

/** Creates the one way in which background work changes rows in ClickHouse. */
export function createExecute(clickhouse: ClickHouse): Execute {
  return async (statement, signal) => {
    const { text, params } = render(statement)
    const span = startStatementSpan('COMMAND')
    const command = clickhouse.command({
      query: text,
      query_params: params,
      abort_signal: signal,
      clickhouse_settings: {
        async_insert: 0,
        // Rows that are put back may be the same as once before.
        insert_deduplicate: 0,
        wait_end_of_query: 1,
        mutations_sync: '0',
        // Conditions look up ids that an erasure does not change while it runs.
        allow_nondeterministic_mutations: 1,
        do_not_merge_across_partitions_select_final: 1,
        max_execution_time: 0,
      },
    })
    await command.then(
      () => span?.end('ok'),
      (error: unknown) => {
        span?.end('internal')
        throw error
      },
    )
  }
}
