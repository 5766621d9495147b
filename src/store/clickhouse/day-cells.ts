import type { ClickHouse } from './client.ts'
import { localTable, onEveryNode } from './cluster.ts'

/** Disk space in bytes: of stored cells, on the node with most of them, and free, on the disk with least. */
export interface CellSpace {
  readonly storedBytes: number
  readonly freeBytes: number
}

/** Reads how much disk space the cells of days take, and how much is left. */
export async function readCellSpace(clickhouse: ClickHouse, signal: AbortSignal): Promise<CellSpace> {
  const result = await clickhouse.query({
    query: `SELECT toFloat64(max(bytes)) AS storedBytes,
      (SELECT toFloat64(min(free_space)) FROM ${onEveryNode(clickhouse, 'system.disks')}) AS freeBytes
    FROM (
      SELECT hostName() AS node, sum(bytes_on_disk) AS bytes FROM ${onEveryNode(clickhouse, 'system.parts')}
      WHERE database = currentDatabase() AND table = '${localTable(clickhouse, 'day_cells')}' AND active
      GROUP BY node
    )`,
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  const [row] = await result.json<CellSpace>()
  return row ?? { storedBytes: 0, freeBytes: 0 }
}
