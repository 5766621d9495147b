import type { ClickHouse } from './client.ts'
import { localTable, onEveryNode } from './cluster.ts'

/** The size of the stored cells of days on disk, on the node with most of them. */
export async function readCellBytes(clickhouse: ClickHouse, signal: AbortSignal): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toFloat64(max(bytes)) AS most FROM (
      SELECT hostName() AS node, sum(bytes_on_disk) AS bytes FROM ${onEveryNode(clickhouse, 'system.parts')}
      WHERE database = currentDatabase() AND table = '${localTable(clickhouse, 'day_cells')}' AND active
      GROUP BY node
    )`,
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  const [row] = await result.json<{ readonly most: number }>()
  return row?.most ?? 0
}
