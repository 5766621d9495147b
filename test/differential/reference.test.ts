import { clone, create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { RetentionOptions_Value } from '../../src/contract/gen/millrace/insights/v1/retention_options_pb.js'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { UserFlowResult } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import { TopKQuery_Dimension } from '../../src/contract/gen/shared/insights/v1/top_k_query_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { compareResponses } from './compare.ts'
import { type GeneratedWorld, generateRequest, generateWorld, INSIGHT_TYPES } from './generate.ts'
import { answer } from './reference.ts'
import { resultOf } from './sample.ts'

const WORLDS = Array.from({ length: 15 }, (_, index) => generateWorld(1000 + index))

/** The answer to another spec over the events, filters and range of a generated request. */
function answerVariant(
  { generated, base }: { readonly generated: GeneratedWorld; readonly base: QueryRequest },
  spec: MessageInitShape<typeof InsightQuerySpecSchema>,
): QueryResponse {
  const request = clone(QueryRequestSchema, base)
  const conditions = {
    filterGroups: base.spec?.filterGroups ?? [],
    filterGroupsOperator: base.spec?.filterGroupsOperator ?? 0,
    includeCookieless: base.spec?.includeCookieless ?? false,
    excludeBots: base.spec?.excludeBots ?? false,
  }
  const { timeRange, granularity, timezone } = request
  return answer(
    generated.world,
    create(QueryRequestSchema, {
      spec: { ...conditions, ...spec },
      ...(timeRange === undefined ? {} : { timeRange }),
      granularity,
      timezone,
    }),
  )
}

const BASES = WORLDS.map((generated) => ({
  generated,
  base: generateRequest(new Prng(generated.seed), generated, InsightType.TRENDS),
}))

type Base = (typeof BASES)[number]

/** Seeds of the worlds in which two numbers differ. */
function differing(
  ...[left, right]: readonly [(base: Base) => number, (base: Base) => number]
): readonly unknown[] {
  return BASES.map((base) => ({ seed: base.generated.seed, left: left(base), right: right(base) })).filter(
    (row) => Math.abs(row.left - row.right) > 1e-9,
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const anyKind = { event: { kind: 'alpha' } }

const segmentation = (base: Base, spec: MessageInitShape<typeof InsightQuerySpecSchema> = {}): number =>
  resultOf(answerVariant(base, { ...spec, insightType: InsightType.SEGMENTATION }), 'segmentation').total

const sumOfTrends = (base: Base, spec: MessageInitShape<typeof InsightQuerySpecSchema>): number =>
  sumOf(
    resultOf(answerVariant(base, { ...spec, insightType: InsightType.TRENDS }), 'trends').series.flatMap(
      ({ points }) => points.map(({ value }) => value),
    ),
  )

describe('two ways to one number', () => {
  test('buckets and series add up to the total', () => {
    const total = (base: Base): number => segmentation(base)
    expect(differing(total, (base) => sumOfTrends(base, {}))).toEqual([])
    const breakdowns = [{ property: 'plan' }, { property: 'mixed' }]
    expect(differing(total, (base) => sumOfTrends(base, { breakdowns, breakdownLimit: 3 }))).toEqual([])
  })

  test('a ranking of kinds adds up to the total', () => {
    const topK = { dimension: TopKQuery_Dimension.EVENT_KIND, limit: 2 }
    const ranked = (base: Base): number =>
      sumOf(
        resultOf(answerVariant(base, { insightType: InsightType.TOP_K, topK }), 'topK').rows.map(
          ({ value }) => value,
        ),
      )
    expect(differing((base) => segmentation(base), ranked)).toEqual([])
  })

  test('cohorts, a funnel of one step and unique users count the same people', () => {
    const users = (base: Base): number =>
      segmentation(base, { events: [{ ...anyKind, aggregation: AggregationType.UNIQUE_USERS }] })
    const cohorts = (base: Base): number => {
      const answered = answerVariant(base, { insightType: InsightType.RETENTION, events: [anyKind] })
      return sumOf(
        resultOf(answered, 'retention').series.flatMap((each) =>
          each.cohorts.map(({ cohortSize }) => cohortSize),
        ),
      )
    }
    const funnel = (base: Base): number => {
      const answered = answerVariant(base, { insightType: InsightType.FUNNEL, events: [anyKind] })
      return sumOf(
        resultOf(answered, 'funnel').series.flatMap(({ steps }) => steps.map(({ total }) => total)),
      )
    }
    expect(differing(users, cohorts)).toEqual([])
    expect(differing(users, funnel)).toEqual([])
  })

  test('sessions by bucket, by entry and by exit add up to the sessions', () => {
    const session = { metric: SessionMetric.SESSIONS }
    const total = (base: Base): number => segmentation(base, { session })
    expect(differing(total, (base) => sumOfTrends(base, { session }))).toEqual([])
    const entries = (metric: SessionMetric) => (base: Base) =>
      sumOfTrends(base, { session: { metric }, breakdowns: [{ property: 'plan' }], breakdownLimit: 2 })
    expect(differing(total, entries(SessionMetric.ENTRY))).toEqual([])
    expect(differing(total, entries(SessionMetric.EXIT))).toEqual([])
  })

  test('a range holds the events from its start until before its end', () => {
    const counted = ({ generated, base: { timeRange } }: Base): number => {
      if (timeRange?.from === undefined || timeRange.to === undefined) throw new Error('no range')
      const [from, to] = [timestampMs(timeRange.from), timestampMs(timeRange.to)]
      return generated.world.events.filter(({ occurMs }) => occurMs >= from && occurMs < to).length
    }
    expect(
      differing(counted, (base) => segmentation(base, { filterGroups: [], excludeBots: false })),
    ).toEqual([])
  })
})

function drawAnswers(types: readonly (typeof INSIGHT_TYPES)[number][], count: number) {
  return WORLDS.flatMap((generated) => {
    const rng = new Prng(generated.seed)
    return Array.from({ length: count }, () => types)
      .flat()
      .map((insightType) => {
        const request = generateRequest(rng, generated, insightType)
        return { generated, request, response: answer(generated.world, request) }
      })
  })
}

const ANSWERS = drawAnswers(INSIGHT_TYPES, 4)

/** Each option of funnels is rare. */
const FUNNELS = drawAnswers([InsightType.FUNNEL], 16)

/** Whether every number in a message, at any depth, is finite. */
function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(isFiniteThroughout)
}

describe('every answer', () => {
  test('does not depend on the order in which events came', () => {
    const changed = ANSWERS.filter(({ generated: { world }, request, response }) => {
      const reversed = answer({ ...world, events: world.events.toReversed() }, request)
      return compareResponses({ expected: response, actual: reversed }).length > 0
    })
    expect(changed.map(({ generated }) => generated.seed)).toEqual([])
  })

  test('has finite numbers only', () => {
    const broken = ANSWERS.filter(({ response }) => !isFiniteThroughout(response))
    expect(broken.map(({ generated }) => generated.seed)).toEqual([])
  })

  test('is about the case of its type', () => {
    const cases = new Set(
      ANSWERS.map(({ request, response }) => `${request.spec?.insightType} ${response.result.case}`),
    )
    expect([...cases].sort()).toEqual([
      '1 trends',
      '1001 lifecycle',
      '1002 stickiness',
      '2 segmentation',
      '3 funnel',
      '4 retention',
      '5 userFlow',
      '6 topK',
      '7 topK',
    ])
  })
})

test('no step of a funnel has more users than the required one before, and its distribution counts them', () => {
  const funnels = FUNNELS.flatMap(({ request: { spec }, response: { result } }) =>
    result.case === 'funnel'
      ? result.value.series.map(({ steps }) => ({ steps, optional: spec?.funnel?.optionalSteps ?? [] }))
      : [],
  )
  expect(funnels.length).toBeGreaterThan(30)
  expect(funnels.some(({ optional }) => optional.length > 0)).toBe(true)
  const growing = funnels.filter(({ steps, optional }) =>
    steps.some(({ total }, index) => {
      const before = steps.findLast((_, step) => step < index && !optional.includes(step + 1))
      return before !== undefined && total > before.total
    }),
  )
  expect(growing).toEqual([])
  const timed = funnels.flatMap(({ steps }) => steps).filter(({ timing }) => timing !== undefined)
  expect(timed.length).toBeGreaterThan(50)
  const uncounted = timed.filter(
    ({ total, timing }) => sumOf((timing?.distribution ?? []).map(({ count }) => Number(count))) !== total,
  )
  expect(uncounted).toEqual([])
})

test('a cohort has one point less than the one before, and those of users are percentages', () => {
  const retentions = ANSWERS.flatMap(({ request: { spec }, response: { result } }) =>
    result.case === 'retention'
      ? result.value.series.map(({ cohorts }) => ({ cohorts, value: spec?.retention?.value }))
      : [],
  )
  expect(retentions.length).toBeGreaterThan(50)
  expect(
    retentions.filter(({ cohorts }) =>
      cohorts.some(({ points }, index) => points.length !== cohorts.length - index),
    ),
  ).toEqual([])
  const shares = retentions
    .filter(({ value = RetentionOptions_Value.USERS }) => value === RetentionOptions_Value.USERS)
    .flatMap(({ cohorts }) => cohorts.flatMap(({ points }) => points.map(({ value }) => value)))
  expect(shares.length).toBeGreaterThan(50)
  expect(shares.filter((share) => share < 0 || share > 100)).toEqual([])
})

test('a link leads one node deeper, and every node has a link', () => {
  const flows = ANSWERS.flatMap(({ response: { result } }) =>
    result.case === 'userFlow' ? [result.value] : [],
  )
  expect(sumOf(flows.map(({ links }) => links.length))).toBeGreaterThan(100)
  expect(flows.filter((flow) => !isLayered(flow))).toEqual([])
})

function isLayered({ nodes, links }: UserFlowResult): boolean {
  const depthOf = new Map(nodes.map(({ id, depth }) => [id, depth]))
  const ends = new Set(links.flatMap(({ source, target }) => [source, target]))
  return (
    ends.size === nodes.length &&
    links.every(({ source, target }) => (depthOf.get(source) ?? -1) + 1 === depthOf.get(target))
  )
}

test('a request without a spec, a range or a granularity is a mistake', () => {
  const world = generateWorld(1).world
  const valid = BASES[0]?.base
  if (valid === undefined) throw new Error('no request')
  const without = (change: (request: QueryRequest) => void): (() => QueryResponse) => {
    const request = clone(QueryRequestSchema, valid)
    change(request)
    return () => answer(world, request)
  }
  expect(
    without((request) => {
      request.spec = undefined
    }),
  ).toThrow('without a spec')
  expect(
    without((request) => {
      request.timeRange = undefined
    }),
  ).toThrow('without both ends')
  expect(
    without((request) => {
      request.granularity = Granularity.UNSPECIFIED
    }),
  ).toThrow('without a granularity')
})
