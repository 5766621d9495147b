import { afterAll, beforeAll, expect, test } from 'vitest'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { foldAllVisits } from '../harness/fold-visits.ts'
import { runDifferential } from './differ.ts'
import { FoldedWorlds } from './folded-worlds.ts'
import { KeptWorlds } from './kept-worlds.ts'
import { compareLists } from './visit-lists.ts'
import { generateWebWorld } from './web-world.ts'
import type { LoadedWebWorld } from './web-worlds.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

/** The share of the random questions that is asked, as in differential.test.ts. */
const SHARE = Number(process.env.MILLRACE_TEST_WORLDS ?? 5) / 5
const REQUESTS_PER_WORLD = Math.ceil(40 * SHARE)
const LISTS_PER_WORLD = Math.ceil(7 * SHARE)
const SEEDS = (process.env.MILLRACE_TEST_SEEDS ?? '433').split(',').map(Number)
const START_MS_MAX = 180_000

let store: WorldStore

beforeAll(async () => {
  store = await openWorldStore('two shards')
}, START_MS_MAX)

afterAll(async () => {
  await store?.close()
})

test('two shards answer every insight type as the reference does', { timeout: 300_000 }, async () => {
  const { requestCount, differences } = await runDifferential(store, {
    seed: 11,
    worldCount: 2,
    requestsPerWorld: REQUESTS_PER_WORLD,
    accepts: () => true,
  })
  expect(requestCount).toBe(2 * REQUESTS_PER_WORLD)
  expect(differences).toEqual([])
})

test('two shards list visits as the reference does', { timeout: 300_000 }, async () => {
  const worlds: LoadedWebWorld[] = []
  for (const web of [421, 422].map(generateWebWorld)) worlds.push({ web, projectId: await store.load(web) })
  await store.settle()
  const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(60_000))
  const { visitCount, differences } = await compareLists(worlds, { listsPerWorld: LISTS_PER_WORLD }, run)
  expect(differences).toEqual([])
  expect(visitCount).toBeGreaterThan(LISTS_PER_WORLD)
})

test('two shards answer from the table of visits as the reference does', { timeout: 300_000 }, async () => {
  const folded = await FoldedWorlds.open(store, SEEDS)
  await folded.arrive(0.6)
  await foldAllVisits(store.clickhouse)
  await folded.arrive(1)
  await folded.arriveAgain()
  expect(await folded.findSomeDifferences()).toEqual([])
  await folded.moveTwo()
  await foldAllVisits(store.clickhouse)
  const before = folded.tableReads
  expect(await folded.findDifferences()).toEqual([])
  expect(folded.tableReads).toBeGreaterThan(before + 10)
})

test('two shards answer from kept days as the reference does', { timeout: 300_000 }, async () => {
  const kept = await KeptWorlds.open(store, { seed: 2310, worldCount: 2, requestCount: 2 })
  await kept.arrive(0.8)
  await kept.cover()
  expect(await kept.findDifferences()).toEqual([])
  const before = kept.keptReads
  await kept.arrive(0.05)
  await kept.arriveAgain()
  await kept.merge()
  expect(await kept.findDifferences()).toEqual([])
  expect(kept.failures).toEqual([])
  expect(kept.keptReads).toBeGreaterThan(before + 3)
  await kept.stop()
})
