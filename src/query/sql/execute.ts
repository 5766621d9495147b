import { randomUUID } from 'node:crypto'
import type { ClickHouseSettings } from '@clickhouse/client'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import {
  commandEverywhere,
  localTable,
  onCluster,
  toClusterStatement,
} from '../../store/clickhouse/cluster.ts'
import { startStatementSpan } from '../../store/clickhouse/statement-span.ts'
import { type QueryLimits, querySettings, translateFailure } from './run.ts'
import { render, type Sql } from './sql.ts'
import { checkStatement } from './statement-size.ts'

/** Runs a statement that changes rows; resolves when ClickHouse has accepted it. */
export type Execute = (statement: Sql, signal: AbortSignal) => Promise<void>

/** Deletes rows of a table, on all shards of a cluster; resolves when ClickHouse has accepted it. */
export type DeleteRows = (
  rows: { readonly table: string; readonly where: Sql },
  signal: AbortSignal,
) => Promise<void>

const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  mutations_sync: '0',
  // Conditions look up ids that an erasure does not change while it runs.
  allow_nondeterministic_mutations: 1,
  do_not_merge_across_partitions_select_final: 1,
  max_execution_time: 0,
}

/** Creates the only function by which background jobs change rows in ClickHouse. */
export function createExecute(clickhouse: ClickHouse): Execute {
  return async (statement, signal) => {
    const { text, params } = render(statement)
    const command = clickhouse.command({
      query: toClusterStatement(clickhouse, text),
      query_params: params,
      abort_signal: signal,
      clickhouse_settings: SETTINGS,
    })
    await traced(command)
  }
}

/** Optional behaviour of {@link createInsertFound}. */
export interface InsertFoundOptions {
  /** The beginning of the ids of its statements. */
  readonly idPrefix?: string
  /** Groups beyond which a statement fails. */
  readonly groupsMax?: number
}

/** Creates the function that runs a call's INSERT of rows that a query finds, within the bounds of a query. */
export function createInsertFound(
  clickhouse: ClickHouse,
  limits: QueryLimits,
  { idPrefix, groupsMax }: InsertFoundOptions = {},
): Execute {
  return async (statement, signal) => {
    const rendered = render(statement)
    const { params } = rendered
    const text = toClusterStatement(clickhouse, rendered.text)
    checkStatement({ text, params })
    const { readonly: _, ...bounds } = querySettings(limits)
    try {
      await traced(
        clickhouse.command({
          query: text,
          query_params: params,
          abort_signal: signal,
          ...(idPrefix === undefined ? {} : { query_id: `${idPrefix}${randomUUID()}` }),
          clickhouse_settings: {
            ...SETTINGS,
            ...bounds,
            ...(groupsMax === undefined ? {} : { max_rows_to_group_by: String(groupsMax) }),
          },
        }),
      )
    } catch (error) {
      throw translateFailure(error, signal, limits)
    }
  }
}

/** Creates the only function by which background jobs delete rows. */
export function createDeleteRows(clickhouse: ClickHouse): DeleteRows {
  return async ({ table, where }, signal) => {
    const { text, params } = render(where)
    const statement = `ALTER TABLE ${localTable(clickhouse, table)}${onCluster(clickhouse)} DELETE WHERE ${text}`
    const command = commandEverywhere(clickhouse, statement, {
      query_params: params,
      abort_signal: signal,
      clickhouse_settings: SETTINGS,
    })
    await traced(command)
  }
}

async function traced(command: Promise<unknown>): Promise<void> {
  const span = startStatementSpan('COMMAND')
  try {
    await command
    span?.end('ok')
  } catch (error) {
    span?.end('internal')
    throw error
  }
}
