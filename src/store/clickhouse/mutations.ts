import type { ClickHouse } from './client.ts'
import { localTable, onEveryNode } from './cluster.ts'

/** Selects the mutations of a table, or those whose statement contains a text. */
export type MutationFilter = { readonly table: string } | { readonly text: string }

/** The latest failure of each unfinished mutation on any node; an empty text without a failure. */
export async function listUnfinishedMutations(
  clickhouse: ClickHouse,
  of: MutationFilter,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const condition = 'table' in of ? 'table = {of:String}' : 'position(command, {of:String}) > 0'
  const result = await clickhouse.query({
    query: `
      SELECT latest_fail_reason AS reason
      FROM ${onEveryNode(clickhouse, 'system.mutations')}
      WHERE database = currentDatabase() AND ${condition} AND NOT is_done`,
    query_params: {
      of: 'table' in of ? localTable(clickhouse, of.table) : of.text,
    },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  return (await result.json<{ readonly reason: string }>()).map(({ reason }) => reason)
}
