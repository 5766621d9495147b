import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type RequestSample,
  resultOf,
  sampleProfile,
  sampleRequest,
  sampleWorld,
} from '../../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../../test/differential/world-store.ts'
import { CalendarUnit, ComparisonSchema } from '../../../contract/gen/millrace/insights/v1/comparison_pb.js'
import { AggregationType } from '../../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryResponse,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import type { CohortRule } from '../../../domain/insights/cohort-rule.ts'
import { ALWAYS } from '../../../domain/insights/condition.ts'
import { prepareInsight } from '../../insight-types.ts'

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>
type CompareTo = MessageInitShape<typeof ComparisonSchema>

const { TOTAL, SUM, MEDIAN, P75, UNIQUE_USERS, ROLLING_7_DAY_USERS, ROLLING_30_DAY_USERS } = AggregationType

const of = (aggregation: AggregationType, kind = '', aggregationProperty = '') => ({
  event: { kind },
  aggregation,
  aggregationProperty,
})

/** The number of statements of a spec whose results are empty. */
async function countStatements(spec: Spec): Promise<number> {
  let statementCount = 0
  const project = { projectId: asProjectId(9), projectTimeZone: 'UTC' }
  await prepareInsight(sampleRequest(spec), project).answer(async () => {
    statementCount += 1
    return []
  })
  return statementCount
}

test.each([
  ['without a breakdown', []],
  ['by value', [{ property: 'plan' }]],
])('series %s, their formulas and percentiles are one statement', async (_, breakdowns) => {
  const spec = {
    insightType: InsightType.TRENDS,
    events: [of(TOTAL), of(MEDIAN, 'buy', 'n'), of(UNIQUE_USERS, 'view')],
    formulas: [{ expression: 'A / C' }, { expression: 'B - 1' }],
    breakdowns,
  }
  expect(await countStatements(spec)).toBe(1)
})

test('metrics of one event by value are one statement, those of two events are two', async () => {
  const count = async (kind: string): Promise<number> => {
    const events = [of(UNIQUE_USERS, 'view'), of(MEDIAN, kind, 'n')]
    const spec = { insightType: InsightType.TRENDS, events, breakdowns: [{ property: 'plan' }] }
    return await countStatements(spec)
  }
  expect([await count('view'), await count('buy')]).toEqual([1, 2])
})

test('rolling users by value are one statement each, beside that of another metric', async () => {
  const rolling = [of(ROLLING_7_DAY_USERS, 'view'), of(ROLLING_30_DAY_USERS, 'view')]
  const count = async (events: NonNullable<Spec['events']>): Promise<number> =>
    await countStatements({ insightType: InsightType.TRENDS, events, breakdowns: [{ property: 'plan' }] })
  expect([await count(rolling), await count([...rolling, of(TOTAL, 'view')])]).toEqual([2, 3])
})

const BOB_ID = '01930000-0000-7000-8000-0000000000b0'

const world = sampleWorld(
  [
    { at: '2025-12-29T23:59:59.999Z', by: 'old', properties: { plan: 'free' } },
    { at: '2025-12-30T00:00:00Z', by: 'anon-bob', properties: { plan: 'pro' } },
    { at: '2026-01-04T10:00:00Z', by: 'carl', kind: 'buy', properties: { plan: 'gone', n: 7n } },
    { at: '2026-01-04T11:00:00Z', by: 'anna', properties: { plan: 'pro' } },
    { at: '10:00', by: 'anna', properties: { plan: 'pro' } },
    { at: '10:01', by: 'anna', kind: 'buy', properties: { plan: 'pro', n: 10n } },
    { at: '10:02', by: 'bob', properties: { plan: 'pro' } },
    { at: '10:03', by: 'dora', properties: { plan: 'free' } },
    { at: '10:04', by: 'dora', kind: 'buy', properties: { plan: 'free', n: 4n } },
    { at: '10:05', by: 'emil', kind: 'buy', properties: { plan: 'team', n: 1n } },
    { at: '10:06', by: 'cookieless-x', properties: { plan: 'free' } },
  ],
  [{ ...sampleProfile('bob', { anonymousIds: ['anon-bob'] }), profileId: BOB_ID }],
)

const BUYERS: CohortRule = {
  kind: 'performed',
  event: { kind: 'buy', condition: ALWAYS },
  count: { operator: 'at_least', value: 1n },
  window: { fromMs: 0, toMs: Date.UTC(2100, 0, 1) },
}

describe('answers', () => {
  let store: WorldStore
  let projectId: ProjectId

  beforeAll(async () => {
    store = await openSharedWorldStore()
    const scene = { timeZone: 'UTC', anchorMs: 0 }
    projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
    await store.settle()
  })

  afterAll(async () => {
    await store.close()
  })

  async function ask(spec: Spec, sample: RequestSample, compareTo?: CompareTo): Promise<QueryResponse> {
    const request = sampleRequest({ insightType: InsightType.TRENDS, ...spec }, sample)
    const compared = compareTo ? { ...request, compareTo: create(ComparisonSchema, compareTo) } : request
    const cohorts = (id: string): CohortRule => (id === 'buyers' ? BUYERS : { kind: 'not', of: BUYERS })
    const insight = prepareInsight(compared, { projectId, projectTimeZone: 'UTC', cohorts })
    const answer = await insight.answer(async (query) => await store.run(query, AbortSignal.timeout(30_000)))
    return create(QueryResponseSchema, answer)
  }

  /** Series as `name [value]: points`; an undefined point is `-`, and a series to compare with begins with `<`. */
  async function series(
    spec: Spec,
    sample: RequestSample = {},
    compareTo?: CompareTo,
  ): Promise<readonly string[]> {
    const { series: all } = resultOf(await ask(spec, sample, compareTo), 'trends')
    return all.map(({ eventKind, formula, breakdown, points, isComparison }) => {
      const values = Object.values(breakdown).map((value) => `[${value}]`)
      const shown = points.map(({ value, isUndefined }) => (isUndefined ? '-' : `${value}`))
      return `${isComparison ? '< ' : ''}${formula || eventKind}${values.join('')}: ${shown.join(' ')}`
    })
  }

  test('a formula is computed per bucket, and undefined where it divides by zero', async () => {
    const events = [of(UNIQUE_USERS, 'view'), of(SUM, 'buy', 'n')]
    const spec = { events, formulas: [{ expression: 'B / A' }, { expression: '-2 * A' }] }
    expect(await series(spec, { from: '2026-01-03T00:00:00Z' })).toEqual([
      'view: 0 1 3',
      'buy: 0 7 15',
      'B / A: - 7 5',
      '-2 * A: 0 -2 -6',
    ])
  })

  test('a formula has the values of all series that it names, ranks them, and computes the rest anew', async () => {
    const events = [of(TOTAL, 'view'), of(TOTAL, 'buy')]
    const spec = { events, breakdowns: [{ property: 'plan' }], formulas: [{ expression: 'B / A' }] }
    expect(await series(spec)).toEqual([
      'view[free]: 2',
      'view[pro]: 2',
      'buy[free]: 1',
      'buy[pro]: 1',
      'buy[team]: 1',
      'B / A[free]: 0.5',
      'B / A[pro]: 0.5',
      'B / A[team]: -',
    ])
    expect((await series({ ...spec, breakdownLimit: 1 })).slice(-2)).toEqual([
      'B / A[free]: 0.5',
      'B / A[$others]: 1',
    ])
  })

  test.each([
    ['of 26 series', [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].join('+'), 78],
    ['of 500 characters', `A${'+A'.repeat(249)}`, 750],
    ['of many divisions', `A${'/A'.repeat(249)}`, 3 ** -248],
    ['of nested minima', `${'min(A,'.repeat(20)}A${')'.repeat(20)}`, 3],
  ])('a formula %s is answered', async (_, expression, expected) => {
    const events = Array.from({ length: 26 }, () => of(TOTAL))
    const spec = { events, breakdowns: [{ property: 'plan' }], formulas: [{ expression }] }
    const { series: all } = resultOf(await ask(spec, {}), 'trends')
    const free = all.find(({ formula, breakdown }) => formula !== '' && breakdown.plan === 'free')
    expect(free?.points[0]?.value).toBeCloseTo(expected, 12)
  })

  test('a percentile is a value, the median the mean of the two in the middle', async () => {
    const events = [of(P75, 'buy', 'n'), of(MEDIAN, 'buy', 'n'), of(MEDIAN, 'view', 'n')]
    const sample = { from: '2026-01-04T00:00:00Z', granularity: Granularity.MONTH }
    expect(await series({ events }, sample)).toEqual(['buy: 7', 'buy: 5.5', 'view: 0'])
  })

  test('rolling users are those of seven days, days before the range included', async () => {
    const events = [of(ROLLING_7_DAY_USERS)]
    const days = { from: '2026-01-04T00:00:00Z' }
    expect(await series({ events }, days)).toEqual([': 4 5'])
    const byPlan = { events, breakdowns: [{ property: 'plan' }] }
    expect(await series(byPlan, days)).toEqual(['[pro]: 2 2', '[free]: 1 1', '[gone]: 1 1', '[team]: 0 1'])
    expect(await series({ ...byPlan, breakdownLimit: 1 })).toEqual(['[pro]: 2', '[$others]: 2'])
  })

  test('a comparison has the values of the main range, in its order, with their earlier points', async () => {
    const spec = { events: [of(TOTAL)], breakdowns: [{ property: 'plan' }], breakdownLimit: 2 }
    expect(await series(spec, {}, { with: { case: 'previousPeriod', value: true } })).toEqual([
      '[free]: 3',
      '[pro]: 3',
      '[$others]: 1',
      '< [free]: 0',
      '< [pro]: 1',
      '< [$others]: 1',
    ])
  })

  test('cohorts split events, formulas and both ranges', async () => {
    const spec = {
      events: [of(TOTAL, 'view')],
      formulas: [{ expression: '2 * A' }],
      breakdownCohortIds: ['buyers', 'lookers'],
    }
    expect(await series(spec, {}, { with: { case: 'previousPeriod', value: true } })).toEqual([
      'view[buyers]: 2',
      'view[lookers]: 1',
      '2 * A[buyers]: 4',
      '2 * A[lookers]: 2',
      '< view[buyers]: 1',
      '< view[lookers]: 0',
      '< 2 * A[buyers]: 2',
      '< 2 * A[lookers]: 0',
    ])
  })

  test('a comparison of another insight type is a result of its own', async () => {
    const events = [of(TOTAL)]
    const shift = { case: 'shift', value: { unit: CalendarUnit.DAY, count: 1 } } as const
    const { comparison } = await ask({ insightType: InsightType.SEGMENTATION, events }, {}, { with: shift })
    expect(comparison && resultOf(comparison, 'segmentation').total).toBe(2)
  })

  test('a range that a shift leaves empty has no buckets', async () => {
    const shift = { case: 'shift', value: { unit: CalendarUnit.MONTH, count: 1 } } as const
    const lastOfMarch = { from: '2026-03-30T00:00:00Z', to: '2026-03-31T00:00:00Z' }
    const spec = { events: [of(TOTAL)], formulas: [{ expression: 'A' }] }
    expect(await series(spec, lastOfMarch, { with: shift })).toEqual([': 0', 'A: 0', '< : ', '< A: '])
    const retention = { insightType: InsightType.RETENTION, events: [of(TOTAL)] }
    const { comparison } = await ask(retention, lastOfMarch, { with: shift })
    expect(comparison && resultOf(comparison, 'retention').series).toMatchObject([{ cohorts: [] }])
  })
})
