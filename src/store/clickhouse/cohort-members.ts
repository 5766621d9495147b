import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster } from './cluster.ts'

/** The static cohort that a change is about. */
export interface CohortKey {
  readonly projectId: ProjectId
  readonly cohortId: string
}

/** Ids that a static cohort gains or loses. */
export interface MembersChange extends CohortKey {
  readonly ids: readonly string[]
  readonly isMember: boolean
  /** Greater than that of every earlier change of the cohort. */
  readonly version: number
}

/** Changes the ids of a static cohort durably, as of the next query. */
export async function changeCohortMembers(
  clickhouse: ClickHouse,
  { projectId, cohortId, ids, isMember, version }: MembersChange,
): Promise<void> {
  await clickhouse.insert({
    table: 'cohort_members',
    columns: ['project', 'cohort', 'distinct_id', 'is_member', 'version'],
    values: ids.map((id) => [projectId, cohortId, id, isMember, version]),
    format: 'JSONCompactEachRow',
    clickhouse_settings: { async_insert: 0, wait_end_of_query: 1 },
  })
}

/** Deletes the ids of a cohort in the background; resolves when ClickHouse has accepted it. */
export async function deleteCohortMembers(
  clickhouse: ClickHouse,
  { projectId, cohortId }: CohortKey,
): Promise<void> {
  const table = `${localTable(clickhouse, 'cohort_members')}${onCluster(clickhouse)}`
  await commandEverywhere(
    clickhouse,
    `ALTER TABLE ${table} DELETE WHERE project = {project:UInt32} AND cohort = {cohort:UUID}`,
    { query_params: { project: projectId, cohort: cohortId }, clickhouse_settings: { mutations_sync: '0' } },
  )
}
