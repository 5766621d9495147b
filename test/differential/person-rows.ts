import type { ProjectId } from '../../src/contract/ids.ts'
import { type ErasureStore, PersonTables } from '../../src/query/people/erasure/person-tables.ts'
import { createDeleteRows, createExecute } from '../../src/query/sql/execute.ts'
import { listUnfinishedMutations } from '../../src/store/clickhouse/mutations.ts'
import { untilFoldsEnd } from '../../src/store/clickhouse/running-folds.ts'
import type { WorldStore } from './world-store.ts'

const ERASE_MS_MAX = 60_000

/** A person of a world who is erased, as a job does. */
export interface PersonRows {
  readonly projectId: ProjectId
  readonly distinctId: string
  readonly requestId: string
}

/** Prepares the deletion, which then runs with `erase`; an attempt that is interrupted is made again with the same request. */
export async function collectRows(
  store: Pick<WorldStore, 'run' | 'clickhouse'>,
  { projectId, distinctId, requestId }: PersonRows,
  deleteRows: ErasureStore['deleteRows'] = createDeleteRows(store.clickhouse),
): Promise<{ readonly erase: () => Promise<void>; readonly countLeft: () => Promise<number> }> {
  const { clickhouse, run } = store
  const tables = new PersonTables(
    {
      run,
      execute: createExecute(clickhouse),
      deleteRows,
      listUnfinished: async (texts, signal) => await listUnfinishedMutations(clickhouse, { texts }, signal),
      untilFoldsEnd: async (signal) => await untilFoldsEnd(clickhouse, signal),
      questionMsMax: 0,
    },
    AbortSignal.timeout(ERASE_MS_MAX),
  )
  const scope = { projectId, requestIds: [requestId], cutMs: undefined }
  await tables.collectIds({ projectId, id: requestId, externalId: distinctId }, undefined)
  await tables.collectSessions(scope)
  return {
    erase: async () => await tables.erase(scope),
    countLeft: async () => (await tables.countLeft(scope)).size,
  }
}

/** Stored cells of days with the hash of an id. */
export async function countCells(
  { clickhouse }: Pick<WorldStore, 'clickhouse'>,
  projectId: ProjectId,
  distinctId: string,
): Promise<number> {
  const answer = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS cells FROM day_cells
      WHERE project = {project:UInt32} AND arrayExists(ids -> has(ids, sipHash64({project:UInt32}, {id:String})), users)`,
    query_params: { project: projectId, id: distinctId },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ readonly cells: number }>()
  return row?.cells ?? 0
}
