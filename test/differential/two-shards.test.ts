import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDifferential } from './differ.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

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
    requestsPerWorld: 40,
    accepts: () => true,
  })
  expect(requestCount).toBe(80)
  expect(differences).toEqual([])
})
