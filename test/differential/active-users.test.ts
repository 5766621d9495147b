import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LifecycleState } from '../../src/contract/gen/millrace/insights/v1/lifecycle_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../src/contract/ids.ts'
import { Prng } from '../../src/kernel/prng.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { listBucketStarts } from './buckets.ts'
import { type GeneratedWorld, generateRequest, generateWorld } from './generate.ts'
import { projectOf } from './project-of.ts'
import { parseQuery } from './query.ts'
import { resultOf } from './sample.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

const SEEDS = [91, 92]
const QUERIES_PER_WORLD = 12

interface Loaded {
  readonly generated: GeneratedWorld
  readonly projectId: ProjectId
}

let store: WorldStore
const worlds: Loaded[] = []

beforeAll(async () => {
  store = await openSharedWorldStore()
  for (const generated of SEEDS.map((seed) => generateWorld(seed))) {
    worlds.push({ generated, projectId: await store.load(generated) })
  }
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

async function answer(request: QueryRequest, { generated, projectId }: Loaded): Promise<QueryResponse> {
  const insight = prepareInsight(request, projectOf(generated.world, projectId))
  const signal = AbortSignal.timeout(60_000)
  return create(QueryResponseSchema, await insight.answer(async (query) => await store.run(query, signal)))
}

/** The same question about the unique users of each event, over time or over the range. */
function asUsers(
  { spec, ...request }: QueryRequest,
  insightType: InsightType,
  timeRange: MessageInitShape<typeof QueryRequestSchema>['timeRange'] = request.timeRange,
): QueryRequest {
  const events = spec?.events.map(({ event, cohorts }) => ({
    ...(event && { event }),
    cohorts,
    aggregation: AggregationType.UNIQUE_USERS,
  }))
  const { cohorts, filterGroups, filterGroupsOperator, includeCookieless, excludeBots } =
    spec ?? create(InsightQuerySpecSchema)
  const { granularity, timezone } = request
  return create(QueryRequestSchema, {
    spec: {
      insightType,
      events: events ?? [],
      cohorts,
      filterGroups,
      filterGroupsOperator,
      includeCookieless,
      excludeBots,
    },
    granularity,
    timezone,
    ...(timeRange && { timeRange }),
  })
}

async function activeUsers(request: QueryRequest, world: Loaded): Promise<readonly number[]> {
  const [series] = resultOf(await answer(request, world), 'trends').series
  return series?.points.map(({ value }) => value) ?? []
}

/** The active users of the whole calendar bucket before the first one. */
async function activeBefore(request: QueryRequest, world: Loaded): Promise<number> {
  const { range, calendar } = parseQuery(world.generated.world, request)
  const [firstMs = range.fromMs] = listBucketStarts(range, calendar)
  const [beforeMs = firstMs] = listBucketStarts({ fromMs: firstMs - 1, toMs: firstMs }, calendar)
  const timeRange = { from: timestampFromMs(beforeMs), to: timestampFromMs(firstMs) }
  const [active = Number.NaN] = await activeUsers(asUsers(request, InsightType.TRENDS, timeRange), world)
  return active
}

test('new, returning and resurrected users are the active ones, and returning and dormant those before', async () => {
  const rng = new Prng(91)
  let counted = 0
  for (const world of worlds) {
    for (let drawn = 0; drawn < QUERIES_PER_WORLD; drawn++) {
      const request = generateRequest(rng, world.generated, InsightType.LIFECYCLE)
      const { series } = resultOf(await answer(request, world), 'lifecycle')
      const of = (state: LifecycleState): readonly number[] =>
        series.find((each) => each.state === state)?.points.map(({ value }) => value) ?? []
      const [fresh, back, again, gone] = [
        LifecycleState.NEW,
        LifecycleState.RETURNING,
        LifecycleState.RESURRECTED,
        LifecycleState.DORMANT,
      ].map(of)
      const active = await activeUsers(asUsers(request, InsightType.TRENDS), world)
      const before = [await activeBefore(request, world), ...active.slice(0, -1)]
      expect(active.map((_, at) => (fresh?.[at] ?? 0) + (back?.[at] ?? 0) + (again?.[at] ?? 0))).toEqual(
        active,
      )
      expect(active.map((_, at) => (back?.[at] ?? 0) + (gone?.[at] ?? 0))).toEqual(before)
      counted += active.reduce((sum, value) => sum + value, 0)
    }
  }
  expect(counted).toBeGreaterThan(100)
}, 300_000)

test('the users of all numbers of buckets are the unique users of the range', async () => {
  const rng = new Prng(92)
  let counted = 0
  for (const world of worlds) {
    for (let drawn = 0; drawn < QUERIES_PER_WORLD; drawn++) {
      const request = generateRequest(rng, world.generated, InsightType.STICKINESS)
      const { series } = resultOf(await answer(request, world), 'stickiness')
      const asked = asUsers(request, InsightType.SEGMENTATION)
      const { values } = resultOf(await answer(asked, world), 'segmentation')
      expect(series.map(({ points }) => points.reduce((sum, { users }) => sum + Number(users), 0))).toEqual(
        values,
      )
      expect(series.map(({ points }) => Number(points[0]?.cumulative))).toEqual(values)
      counted += values.reduce((sum, value) => sum + value, 0)
    }
  }
  expect(counted).toBeGreaterThan(100)
}, 300_000)
