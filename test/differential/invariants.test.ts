import { clone, create, fromJson } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TimeRange, TimeRangeSchema } from '../../src/contract/gen/common/v1/time_range_pb.js'
import { CohortFilterSchema } from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import { ComparisonSchema } from '../../src/contract/gen/millrace/insights/v1/comparison_pb.js'
import { FormulaSchema } from '../../src/contract/gen/millrace/insights/v1/formula_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpec,
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
import { compareResponses, compareValues } from './compare.ts'
import { type GeneratedWorld, generateRequest, generateWorld, INSIGHT_TYPES } from './generate.ts'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'
import { projectOf } from './project-of.ts'
import { answer as answerOfReference } from './reference.ts'
import { resultOf } from './sample.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

const QUERIES = 3

let store: WorldStore
let projectId: ProjectId
const generated: GeneratedWorld = generateWorld(91)

beforeAll(async () => {
  store = await openSharedWorldStore()
  projectId = await store.load(generated)
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

async function answer(request: QueryRequest): Promise<QueryResponse> {
  const insight = prepareInsight(request, projectOf(generated.world, projectId))
  const answered = await insight.answer(async (query) => await store.run(query, AbortSignal.timeout(60_000)))
  return create(QueryResponseSchema, answered)
}

/** Requests of a type that a condition accepts, without a comparison. */
function drawRequests(
  seed: number,
  type: (typeof INSIGHT_TYPES)[number],
  accepts: (request: QueryRequest) => boolean = () => true,
): readonly QueryRequest[] {
  const rng = new Prng(seed)
  const drawn = Array.from({ length: 40 * QUERIES }, () => generateRequest(rng, generated, type))
  return drawn
    .filter(accepts)
    .slice(0, QUERIES)
    .map((request) => {
      const { compareTo: _, ...rest } = request
      return create(QueryRequestSchema, rest)
    })
}

test('the formula of one series is that series', { timeout: 120_000 }, async () => {
  const requests = drawRequests(1, InsightType.TRENDS, ({ spec }) => (spec?.events.length ?? 0) > 0)
  expect(requests).toHaveLength(QUERIES)
  for (const request of requests) {
    const withFormula = clone(QueryRequestSchema, request)
    withFormula.spec?.formulas.splice(0, Infinity, create(FormulaSchema, { expression: 'A' }))
    const { series } = resultOf(await answer(withFormula), 'trends')
    const ofFormula = series.filter(({ formula }) => formula === 'A')
    const ofSeries = series.slice(0, ofFormula.length)
    const [actual, expected] = [ofFormula, ofSeries].map((all) =>
      all.map(({ breakdown, points }) => ({ breakdown, points })),
    )
    expect(compareValues({ expected, actual })).toEqual([])
  }
})

describe('the previous period is the same query asked for it', () => {
  test.each(INSIGHT_TYPES.map((type) => ({ name: InsightType[type], type })))(
    '$name',
    { timeout: 120_000 },
    async ({ type }) => {
      // Trends keep the breakdown values of the main range.
      const requests = drawRequests(
        2,
        type,
        ({ spec }) => type !== InsightType.TRENDS || spec?.breakdowns.length === 0,
      )
      expect(requests).toHaveLength(QUERIES)
      for (const request of requests) {
        const compared = clone(QueryRequestSchema, request)
        compared.compareTo = create(ComparisonSchema, { with: { case: 'previousPeriod', value: true } })
        const earlier = clone(QueryRequestSchema, request)
        earlier.timeRange = previousOf(request)
        const alone = await answer(earlier)
        expect(compareResponses({ expected: alone, actual: earlierOf(await answer(compared)) })).toEqual([])
      }
    },
  )
})

test('a split by cohorts has the formulas and the comparison of each cohort', {
  timeout: 120_000,
}, async () => {
  const ids = (generated.world.cohorts ?? []).slice(0, 3).map(({ id }) => id)
  const requests = drawRequests(
    3,
    InsightType.TRENDS,
    ({ spec }) => spec !== undefined && spec.events.length > 0 && spec.breakdowns.length === 0,
  )
  for (const request of requests.slice(0, 2)) {
    const about = async (change: Pick<InsightQuerySpec, 'cohorts' | 'breakdownCohortIds'>) => {
      const asked = clone(QueryRequestSchema, request)
      asked.compareTo = create(ComparisonSchema, { with: { case: 'previousPeriod', value: true } })
      const formulas = [create(FormulaSchema, { expression: '2 * A - 1' })]
      if (asked.spec) asked.spec = { ...asked.spec, formulas, ...change }
      return resultOf(await answer(asked), 'trends').series
    }
    const { cohorts = [] } = request.spec ?? {}
    const split = await about({ cohorts, breakdownCohortIds: ids })
    const lines = split.length / ids.length
    expect(split.map(({ breakdown }) => breakdown.$cohort)).toEqual(
      Array.from({ length: lines }, () => ids).flat(),
    )
    expect(split.filter(({ isComparison }) => isComparison)).toHaveLength(split.length / 2)
    for (const id of ids) {
      const filter = create(CohortFilterSchema, { cohortId: id })
      const expected = await about({ cohorts: [...cohorts, filter], breakdownCohortIds: [] })
      const actual = split
        .filter(({ breakdown }) => breakdown.$cohort === id)
        .map((one) => ({ ...one, breakdown: {} }))
      expect(compareValues({ expected, actual })).toEqual([])
    }
  }
})

test.each(INSIGHT_TYPES.map((type) => ({ name: InsightType[type], type })))(
  'an earlier range of $name that a shift leaves empty is answered',
  async ({ type }) => {
    const request = fromJson(QueryRequestSchema, {
      spec: { ...INSIGHT_TYPE_ENTRIES[type].smallest, insightType: type },
      timeRange: { from: '2026-03-30T00:00:00Z', to: '2026-03-31T00:00:00Z' },
      granularity: 'GRANULARITY_DAY',
      timezone: 'UTC',
      compareTo: { shift: { unit: 'CALENDAR_UNIT_MONTH', count: 1 } },
    })
    const expected = answerOfReference(generated.world, request)
    expect(compareResponses({ expected, actual: await answer(request) })).toEqual([])
  },
)

function previousOf({ timeRange }: QueryRequest): TimeRange {
  const [fromMs, toMs] = [timeRange?.from, timeRange?.to].map((end) => (end ? timestampMs(end) : Number.NaN))
  if (fromMs === undefined || toMs === undefined) throw new RangeError('a range without both ends')
  return create(TimeRangeSchema, { from: timestampFromMs(2 * fromMs - toMs), to: timestampFromMs(fromMs) })
}

/** The answer for the earlier range, as if it were asked alone. */
function earlierOf(response: QueryResponse): QueryResponse {
  const { result, comparison } = response
  if (result.case !== 'trends') return comparison ?? response
  const earlier = result.value.series.filter(({ isComparison }) => isComparison)
  const series = earlier.map((one) => ({ ...one, isComparison: false }))
  return create(QueryResponseSchema, { result: { case: 'trends', value: { series } } })
}

test('the rolling users of whole weeks are the unique users of the weeks', async () => {
  const { anchorMs } = generated.scene
  const mondayMs =
    anchorMs - (anchorMs % 86_400_000) - ((new Date(anchorMs).getUTCDay() + 6) % 7) * 86_400_000
  const { UNIQUE_USERS, ROLLING_7_DAY_USERS } = AggregationType
  const request = create(QueryRequestSchema, {
    spec: {
      insightType: InsightType.TRENDS,
      events: [{ aggregation: UNIQUE_USERS }, { aggregation: ROLLING_7_DAY_USERS }],
    },
    timeRange: {
      from: timestampFromMs(mondayMs - 14 * 86_400_000),
      to: timestampFromMs(mondayMs + 14 * 86_400_000),
    },
    granularity: Granularity.WEEK,
    timezone: 'UTC',
  })
  const [unique, rolling] = resultOf(await answer(request), 'trends').series
  expect(unique?.points.some(({ value }) => value > 0)).toBe(true)
  expect(rolling?.points).toEqual(unique?.points)
})
