import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { runDifferential } from './differ.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

const WORLDS = 6

let store: WorldStore

beforeAll(async () => {
  store = await openWorldStore()
})

afterAll(async () => {
  await store.close()
})

// Fixed seeds: a test tells what is wrong with the change, and not with the day. `run.ts` draws others.
describe('the engine answers as the reference does', () => {
  test.each([
    { name: 'trends', type: InsightType.TRENDS, isSession: false, seed: 1000, requestsPerWorld: 12 },
    {
      name: 'segmentation',
      type: InsightType.SEGMENTATION,
      isSession: false,
      seed: 2000,
      requestsPerWorld: 6,
    },
  ])('$name', { timeout: 300_000 }, async ({ type, isSession, seed, requestsPerWorld }) => {
    const { requestCount, differences } = await runDifferential(store, {
      seed,
      worldCount: WORLDS,
      requestsPerWorld,
      accepts: ({ spec }) => spec?.insightType === type && (spec.session !== undefined) === isSession,
    })
    expect(requestCount).toBe(WORLDS * requestsPerWorld)
    expect(differences).toEqual([])
  })
})
