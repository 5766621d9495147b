import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/contract/ids.ts'
import { KeptWorlds } from './kept-worlds.ts'
import { collectRows, countCells } from './person-rows.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

const START_MS_MAX = 180_000

let store: WorldStore
let kept: KeptWorlds
/** Cells with persons who were erased. */
let cellsBefore = 0

beforeAll(async () => {
  store = await openWorldStore('one engine')
  kept = await KeptWorlds.open(store, { seed: 2300, worldCount: 2, requestCount: 4 })
}, START_MS_MAX)

afterAll(async () => {
  await kept?.stop()
  await store?.close()
})

async function erase(projectId: ProjectId, distinctId: string): Promise<void> {
  const rows = await collectRows(store, { projectId, distinctId, requestId: crypto.randomUUID() })
  cellsBefore += await countCells(store, projectId, distinctId)
  await rows.erase()
  expect(await countCells(store, projectId, distinctId)).toBe(0)
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
    // Days that have changed are kept by hours, as today is.
    await kept.cover()
    await ask()
    await kept.arrive(0.02)
    const before = kept.hourReads
    expect(await ask()).toBeGreaterThan(10)
    expect(kept.hourReads).toBeGreaterThan(before + 10)
  })

  test('when people are merged, and copies arrive', async () => {
    await kept.cover()
    await ask()
    await kept.merge()
    expect(await ask()).toBeGreaterThan(10)
    await kept.arriveAgain()
    await ask()
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
