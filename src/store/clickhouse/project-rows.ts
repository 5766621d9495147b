import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster } from './cluster.ts'
import { untilMutated } from './mutations.ts'
import { untilFoldsEnd } from './running-folds.ts'

/** A sweep misses rows that arrive while it runs: maximum immediate repetitions. */
const SWEEPS_MAX = 5

/**
 * Every table with rows of projects, read from the schema, so that later tables are included. Views have no rows of their
 * own. No alias may be named `table`: the conditions would refer to it.
 */
const TABLES = `
SELECT replaceRegexpOne(table, '_local$', '') AS reader FROM system.columns
WHERE database = currentDatabase() AND name = 'project' AND table IN (
  SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
)
ORDER BY reader`

/** The tables with rows of projects, under the names that queries use. */
export async function listProjectTables(clickhouse: ClickHouse): Promise<string[]> {
  const result = await clickhouse.query({ query: TABLES, format: 'JSONEachRow' })
  return (await result.json<{ readonly reader: string }>()).map(({ reader }) => reader)
}

/** Rows of a project per table, copies included. Tables without rows are omitted. */
export async function countProjectRows(
  clickhouse: ClickHouse,
  projectId: ProjectId,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const table of await listProjectTables(clickhouse)) {
    const result = await clickhouse.query({
      query: 'SELECT count() AS rows FROM {table:Identifier} WHERE project = {project:UInt32}',
      query_params: { table, project: projectId },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ readonly rows: string }>()
    if (Number(row?.rows) > 0) counts.set(table, Number(row?.rows))
  }
  return counts
}

/**
 * Deletes every row of a project and resolves when none is left. Idempotent: it may be interrupted at any point and called
 * again. Throws when rows keep arriving, or when ClickHouse does not finish in time.
 */
export async function eraseProjectRows(
  clickhouse: ClickHouse,
  { projectId, signal }: { readonly projectId: ProjectId; readonly signal: AbortSignal },
): Promise<void> {
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    for (const table of await listProjectTables(clickhouse)) await untilMutated(clickhouse, { table, signal })
    const left = await countProjectRows(clickhouse, projectId)
    if (left.size === 0) return
    for (const table of left.keys()) {
      const statement = `ALTER TABLE {table:Identifier}${onCluster(clickhouse)} DELETE WHERE project = {project:UInt32}`
      await commandEverywhere(clickhouse, statement, {
        query_params: { table: localTable(clickhouse, table), project: projectId },
        clickhouse_settings: { mutations_sync: '0' },
        abort_signal: signal,
      })
      await untilMutated(clickhouse, { table, signal })
    }
    // They may have read events of the project; the next sweep finds what they have stored.
    await untilFoldsEnd(clickhouse, signal)
  }
  throw new Error('rows of a deleted project keep arriving')
}
