import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeleteRows } from '../../src/query/sql/execute.ts'
import { backUpDatabase, refillViews, restoreDatabase } from '../../src/store/clickhouse/database-backup.ts'
import { DATABASE } from '../../src/store/embedded/engine.ts'
import { KeptWorlds } from './kept-worlds.ts'
import { KillableStore } from './killable-store.ts'
import { collectRows, countCells } from './person-rows.ts'

const SEED = 2311
/** Statements that store the cells of a question, or which days these are; the next one is lost. */
const STORED_BEFORE_KILL = [1, 2, 3] as const
const WORK_MS_MAX = 600_000

let killable: KillableStore
let kept: KeptWorlds

beforeAll(async () => {
  killable = await KillableStore.open()
  kept = await KeptWorlds.open(killable.store, { seed: SEED, worldCount: 2, requestCount: 2 })
  await kept.arrive(0.3)
}, WORK_MS_MAX)

afterAll(async () => {
  await kept?.stop()
  await killable?.destroy()
})

/** Asks while the days may be kept and again when they are; returns how many answers read kept days. */
async function ask(): Promise<number> {
  const before = kept.keptReads
  expect(await kept.findDifferences(), `seed ${SEED}`).toEqual([])
  expect(kept.failures).toEqual([])
  return kept.keptReads - before
}

async function startAgain(): Promise<void> {
  await killable.start()
  await kept.moveTo(killable.store)
  await killable.store.settle()
}

/** Kills the engine while events arrive and days are stored; the events are sent again afterwards. */
async function killAfter(stored: number, share: number): Promise<void> {
  let killed: Promise<void> | undefined
  kept.afterStored(stored, () => {
    killed = killable.kill()
  })
  const work = [kept.findDifferences(), kept.arrive(share)]
  await Promise.allSettled(work)
  expect(killed, 'statements that stored days').toBeDefined()
  await killed
  await startAgain()
  await kept.arrive(share)
}

/** The first person of each world who is erased is erased while the engine is killed. */
async function eraseKilled(): Promise<void> {
  await kept.erase(async (projectId, distinctId) => {
    const person = { projectId, distinctId, requestId: crypto.randomUUID() }
    const { clickhouse } = killable.store
    const deleteAndDie: Parameters<typeof collectRows>[2] = async (rows, signal) => {
      await createDeleteRows(clickhouse)(rows, signal)
      if (rows.table === 'events') await killable.kill()
    }
    const interrupted = await collectRows(killable.store, person, deleteAndDie)
    await expect(interrupted.erase()).rejects.toThrow()
    await startAgain()
    const rows = await collectRows(killable.store, person)
    await rows.erase()
    expect(await rows.countLeft()).toBe(0)
    expect(await countCells(killable.store, projectId, distinctId)).toBe(0)
  })
}

describe('answers from kept days are those from events', { timeout: WORK_MS_MAX }, () => {
  test('when the engine is killed while events arrive and days are stored', async () => {
    for (const stored of STORED_BEFORE_KILL) {
      await kept.cover()
      await killAfter(stored, 0.05)
      await ask()
    }
    await kept.cover()
    expect(await ask()).toBeGreaterThan(0)
  })

  test('when people are merged, or erased while the engine is killed', async () => {
    await kept.merge()
    expect(await ask()).toBeGreaterThan(0)
    await eraseKilled()
    await ask()
    await kept.cover()
    expect(await ask()).toBeGreaterThan(0)
  })

  test('when a backup is restored whose tables are not of one moment', async () => {
    const { clickhouse } = killable.store
    await backUpDatabase(clickhouse, { database: DATABASE, path: 'earlier' })
    await kept.arrive(0.1)
    await backUpDatabase(clickhouse, { database: DATABASE, path: 'later' })
    const restored = await KillableStore.open('empty')
    try {
      for (const name of ['earlier', 'later']) killable.copyBackup(name, restored)
      const to = restored.store.clickhouse
      await restoreDatabase(to, { database: DATABASE, path: 'later' })
      for (const table of ['day_arrivals', 'day_cells', 'day_fills']) {
        await to.command({ query: `TRUNCATE TABLE ${table}` })
        await to.command({
          query: `RESTORE TABLE ${DATABASE}.${table} FROM File('earlier') SETTINGS allow_non_empty_tables = 1`,
        })
      }
      await refillViews(to, 0)
      await kept.moveTo(restored.store)
      await restored.store.settle()
      await ask()
      await kept.cover()
      expect(await ask()).toBeGreaterThan(0)
      await kept.arrive(0.05)
      await ask()
    } finally {
      await restored.destroy()
    }
  })
})
