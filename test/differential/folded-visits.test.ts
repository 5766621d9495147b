import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyVisits, foldVisits } from '../../src/store/clickhouse/visit-fold.ts'
import { foldAllVisits, untilSessionsFolded } from '../harness/fold-visits.ts'
import { type ArrivingWorld, FoldedWorlds } from './folded-worlds.ts'
import { collectRows } from './person-rows.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

const SEEDS = (process.env.MILLRACE_TEST_SEEDS ?? '433').split(',').map(Number)
const START_MS_MAX = 180_000

let store: WorldStore
let folded: FoldedWorlds

beforeAll(async () => {
  store = await openWorldStore('one engine')
  folded = await FoldedWorlds.open(store, SEEDS)
}, START_MS_MAX)

afterAll(async () => {
  await store?.close()
})

async function erase({ projectId }: ArrivingWorld, distinctId: string): Promise<void> {
  const rows = await collectRows(store, { projectId, distinctId, requestId: crypto.randomUUID() })
  await rows.erase()
  expect(await rows.countLeft()).toBe(0)
}

/** Stored rows of visits with the id, of any version. */
async function countRows({ projectId }: ArrivingWorld, distinctId: string): Promise<number> {
  const answer = await store.clickhouse.query({
    query: `SELECT toUInt32(count()) AS rows FROM visits WHERE has(user_hashes, sipHash64({project:UInt32}, {id:String}))`,
    query_params: { project: projectId, id: distinctId },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<{ readonly rows: number }>()
  return row?.rows ?? 0
}

describe('the table of visits answers as the reference does', { timeout: START_MS_MAX }, () => {
  test('when it is filled with the events of before, and while later ones arrive', async () => {
    await folded.arrive(0.5)
    expect(await folded.findSomeDifferences()).toEqual([])
    await foldAllVisits(store.clickhouse)
    await folded.arrive(0.8)
    const before = folded.tableReads
    // Sessions with new arrivals are read from events.
    expect(await folded.findDifferences()).toEqual([])
    expect(folded.tableReads).toBeGreaterThan(before + 10 * SEEDS.length)
    await foldAllVisits(store.clickhouse)
    expect(await folded.findDifferences()).toEqual([])
  })

  test('when the questions of a page are asked at once', async () => {
    const tableReads: number[] = []
    for (let pages = 0; pages < 12; pages++) {
      const before = folded.tableReads
      expect(await folded.findDifferencesTogether()).toEqual([])
      tableReads.push(folded.tableReads - before)
    }
    // Half of the pages have conditions, most of which keep them from the table; any other page needs few statements.
    expect(tableReads.filter((count) => count > 0).length).toBeGreaterThan(3)
  })

  test('when a process dies at any statement of a fold', async () => {
    await folded.arrive(1)
    await untilSessionsFolded(store.clickhouse)
    let survived = 0
    for (let isAlive = false; !isAlive; survived++) {
      let left = survived
      const dying = new Proxy(store.clickhouse, {
        get: (client, name) =>
          name === 'command' && left-- <= 0
            ? () => Promise.reject(new Error('killed'))
            : Reflect.get(client, name),
      })
      isAlive = await foldVisits(dying, AbortSignal.timeout(60_000), { settleMs: 0 }).then(
        () => true,
        () => false,
      )
      expect(await folded.findSomeDifferences()).toEqual([])
    }
    expect(survived).toBeGreaterThan(4)
    await foldAllVisits(store.clickhouse)
    expect(await folded.findDifferences()).toEqual([])
  })

  test('when copies arrive', async () => {
    await folded.arriveAgain()
    expect(await folded.findSomeDifferences()).toEqual([])
    await foldAllVisits(store.clickhouse)
    expect(await folded.findSomeDifferences()).toEqual([])
  })

  test('when a person is erased', async () => {
    for (const world of folded.worlds) {
      const { profiles } = world.whole.world.people
      const claimed = new Set(profiles.flatMap(({ anonymousIds }) => anonymousIds))
      const named = new Set(profiles.map(({ externalId }) => externalId))
      const erased = world.order.find(
        ({ distinctId, cookieless }) => !cookieless && !claimed.has(distinctId) && !named.has(distinctId),
      )
      if (!erased) throw new Error('a world has an unidentified person')
      expect(await countRows(world, erased.distinctId)).toBeGreaterThan(0)
      await erase(world, erased.distinctId)
      world.order = world.order.filter(({ distinctId }) => distinctId !== erased.distinctId)
      world.arrived = world.order.length
      expect(await countRows(world, erased.distinctId)).toBe(0)
    }
    expect(await folded.findSomeDifferences()).toEqual([])
    await foldAllVisits(store.clickhouse)
    expect(await folded.findSomeDifferences()).toEqual([])
  })

  test('when copies move events to other sessions', async () => {
    await folded.moveTwo()
    // A session that lost an event has its row until the next fold.
    await foldAllVisits(store.clickhouse)
    expect(await folded.findDifferences()).toEqual([])
  })

  test('when it is emptied, and filled again', async () => {
    await emptyVisits(store.clickhouse, AbortSignal.timeout(60_000), { settleMs: 0 })
    const before = folded.tableReads
    expect(await folded.findSomeDifferences()).toEqual([])
    expect(folded.tableReads).toBe(before)
    await foldAllVisits(store.clickhouse)
    expect(await folded.findSomeDifferences()).toEqual([])
    expect(folded.tableReads).toBeGreaterThan(before)
  })
})
