import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { runDifferential } from './differ.ts'
import { openWorldStore, type WorldStore } from './world-store.ts'

/** Generated projects; the gate of a change asks fewer. */
const WORLDS = Number(process.env.MILLRACE_TEST_WORLDS ?? 5)

let store: WorldStore

beforeAll(async () => {
  store = await openWorldStore()
})

afterAll(async () => {
  await store.close()
})

// Fixed seeds: a failure comes from the change, not from the day. `run.ts` draws others.
describe('the engine answers as the reference does', () => {
  test.each([
    { name: 'trends', type: InsightType.TRENDS, seed: 1000, requestsPerWorld: 14 },
    {
      name: 'session metrics over time',
      type: InsightType.TRENDS,
      ofSessions: true,
      seed: 1100,
      requestsPerWorld: 8,
    },
    { name: 'segmentation', type: InsightType.SEGMENTATION, seed: 2000, requestsPerWorld: 5 },
    {
      name: 'one session metric',
      type: InsightType.SEGMENTATION,
      ofSessions: true,
      seed: 2100,
      requestsPerWorld: 4,
    },
    { name: 'funnels', type: InsightType.FUNNEL, seed: 3000, requestsPerWorld: 10 },
    { name: 'retention', type: InsightType.RETENTION, seed: 4000, requestsPerWorld: 8 },
    { name: 'user flow', type: InsightType.USER_FLOW, seed: 5000, requestsPerWorld: 11 },
    { name: 'top-K', type: InsightType.TOP_K, seed: 6000, requestsPerWorld: 9 },
    { name: 'map', type: InsightType.MAP, seed: 7000, requestsPerWorld: 4 },
    { name: 'lifecycle', type: InsightType.LIFECYCLE, seed: 8000, requestsPerWorld: 8 },
    { name: 'stickiness', type: InsightType.STICKINESS, seed: 9000, requestsPerWorld: 6 },
  ])('$name', { timeout: 300_000 }, async ({ type, ofSessions = false, seed, requestsPerWorld }) => {
    const { requestCount, differences } = await runDifferential(store, {
      seed,
      worldCount: WORLDS,
      requestsPerWorld,
      accepts: ({ spec }) => spec?.insightType === type && (spec.session !== undefined) === ofSessions,
    })
    expect(requestCount).toBe(WORLDS * requestsPerWorld)
    expect(differences).toEqual([])
  })
})
