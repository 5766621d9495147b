import type { ClickHouse } from './client.ts'
import { localTable, onEveryNode } from './cluster.ts'

/** Mutations of a table, or those whose statement has a text in it. */
export type MutationsOf = { readonly table: string } | { readonly text: string }

/** The mutations that are not done, on whatever node: why each of them failed last, or an empty text. */
export async function listUnfinishedMutations(
  clickhouse: ClickHouse,
  of: MutationsOf,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const isMeant = 'table' in of ? 'table = {of:String}' : 'position(command, {of:String}) > 0'
  const result = await clickhouse.query({
    query: `
      SELECT latest_fail_reason AS reason
      FROM ${onEveryNode(clickhouse, 'system.mutations')}
      WHERE database = currentDatabase() AND ${isMeant} AND NOT is_done`,
    query_params: {
      of: 'table' in of ? localTable(clickhouse, of.table) : of.text,
    },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  return (await result.json<{ readonly reason: string }>()).map(({ reason }) => reason)
}
