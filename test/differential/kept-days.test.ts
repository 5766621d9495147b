import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/contract/ids.ts'
import { PersonTables } from '../../src/query/people/erasure/person-tables.ts'
import { createDeleteRows, createExecute } from '../../src/query/sql/execute.ts'
import { listUnfinishedMutations } from '../../src/store/clickhouse/mutations.ts'
import { untilFoldsEnd } from '../../src/store/clickhouse/running-folds.ts'
import { KeptWorlds } from './kept-worlds.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

const START_MS_MAX = 180_000

let store: WorldStore
let kept: KeptWorlds
/** Cells with persons who were erased. */
let cellsBefore = 0

beforeAll(async () => {
  store = await openWorldStore('one engine')
  kept = await KeptWorlds.open(store, { seed: 2300, worldCount: 2, requestCount: 8 })
}, START_MS_MAX)

afterAll(async () => {
  await kept?.stop()
  await store?.close()
})

async function erase(projectId: ProjectId, distinctId: string): Promise<void> {
  const { clickhouse } = store
  const tables = new PersonTables(
    {
      run: store.run,
      execute: createExecute(clickhouse),
      deleteRows: createDeleteRows(clickhouse),
      listUnfinished: async (text, signal) => await listUnfinishedMutations(clickhouse, { text }, signal),
      untilFoldsEnd: async (signal) => await untilFoldsEnd(clickhouse, signal),
      questionMsMax: 0,
    },
    AbortSignal.timeout(60_000),
  )
  const scope = { projectId, requestId: crypto.randomUUID(), cutMs: undefined }
  await tables.collectIds(scope, distinctId)
  await tables.collectSessions(scope)
  cellsBefore += await countCells(projectId, distinctId)
  await tables.erase(scope)
  expect(await countCells(projectId, distinctId)).toBe(0)
}

/** Stored cells with the hash of an id. */
async function countCells(projectId: ProjectId, distinctId: string): Promise<number> {
  const answer = await store.clickhouse.query({
    query: `SELECT toUInt32(count()) AS cells FROM day_cells
      WHERE project = {project:UInt32} AND arrayExists(ids -> has(ids, sipHash64({project:UInt32}, {id:String})), users)`,
    query_params: { project: projectId, id: distinctId },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ readonly cells: number }>()
  return row?.cells ?? 0
}

/** Asks, and returns how many answers read kept days. */
async function ask(): Promise<number> {
  const before = kept.keptReads
  expect(await kept.findDifferences()).toEqual([])
  expect(kept.failures).toEqual([])
  return kept.keptReads - before
}

describe('kept days answer as the reference does', { timeout: START_MS_MAX }, () => {
  test('before and after they are kept, and while later events arrive', async () => {
    await kept.arrive(0.5)
    await ask()
    await kept.cover()
    expect(await ask()).toBeGreaterThan(5)
    await kept.arrive(0.05)
    expect(await ask()).toBeGreaterThan(10)
    await kept.cover()
    await kept.arrive(0.02)
    expect(await ask()).toBeGreaterThan(10)
  })

  test('when copies arrive, and people are merged', async () => {
    await kept.cover()
    await ask()
    await kept.arriveAgain()
    await ask()
    await kept.merge()
    expect(await ask()).toBeGreaterThan(10)
  })

  test('when persons are erased, whose hashes are kept no longer', async () => {
    await kept.erase(erase)
    expect(cellsBefore).toBeGreaterThan(0)
    await ask()
    await kept.arrive(1)
    await kept.cover()
    expect(await ask()).toBeGreaterThan(10)
  })
})
