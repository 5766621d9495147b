import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster } from './cluster.ts'

/** The import that numbers belong to. */
export interface ImportKey {
  readonly projectId: ProjectId
  readonly importId: string
}

/** The numbers of one value on one day; `null` for one that the other product does not have. */
export interface ImportedNumbers {
  /** As `2026-01-31`. */
  readonly day: string
  /** Number of the dimension in the interface; 0 for the whole day. */
  readonly dimension: number
  readonly value: string
  readonly visitors: number
  readonly visits: number | null
  readonly pageViews: number | null
  readonly bounces: number | null
  readonly visitSeconds: number | null
  readonly events: number | null
}

/** One batch of an import. */
export interface ImportedBatch extends ImportKey {
  readonly batch: number
  /** Each day, dimension and value once. */
  readonly rows: readonly ImportedNumbers[]
}

/** Stores a batch durably, as of the next query; a batch that is stored already is replaced. */
export async function insertImportedBatch(
  clickhouse: ClickHouse,
  { projectId, importId, batch, rows }: ImportedBatch,
): Promise<void> {
  await clickhouse.insert({
    table: 'imported_days',
    values: rows.map((row) => ({
      project: projectId,
      import_id: importId,
      dimension: row.dimension,
      day: row.day,
      value: row.value,
      batch,
      visitors: row.visitors,
      visits: row.visits,
      page_views: row.pageViews,
      bounces: row.bounces,
      visit_seconds: row.visitSeconds,
      events: row.events,
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  })
}

/** Deletes the numbers of an import in the background; resolves when ClickHouse has accepted it. */
export async function deleteImportedDays(
  clickhouse: ClickHouse,
  { projectId, importId }: ImportKey,
): Promise<void> {
  const table = `${localTable(clickhouse, 'imported_days')}${onCluster(clickhouse)}`
  await commandEverywhere(
    clickhouse,
    `ALTER TABLE ${table} DELETE WHERE project = {project:UInt32} AND import_id = {import:UUID}`,
    { query_params: { project: projectId, import: importId }, clickhouse_settings: { mutations_sync: '0' } },
  )
}
