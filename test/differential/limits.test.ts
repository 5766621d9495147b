import { create, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  QueryRequestSchema,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../src/contract/ids.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import { openSharedWorldStore } from './shared-world-store.ts'
import type { WorldStore } from './world-store.ts'

const PROJECT = asProjectId(9102)
const FROM_MS = Date.parse('2026-01-05T00:00:00Z')
const COHORT = '00000000-0000-4000-8000-000000009102'
const USERS = 200

let store: WorldStore

/** Each of 200 users goes through twelve kinds in turn, ten times; the first hundred of them are among a million ids. */
beforeAll(async () => {
  store = await openSharedWorldStore()
  const params = { project: PROJECT, from: FROM_MS, cohort: COHORT }
  const events = `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
    SELECT {project:UInt32}, concat('k', toString(intDiv(number, 200) % 12)), fromUnixTimestamp64Milli({from:Int64} + 1000 * number, 'UTC'),
      concat('u', toString(number % 200)), toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number % 200), 12, '0'))),
      toUUID(concat('00000000-0000-4000-9000-', leftPad(toString(number), 12, '0')))
    FROM numbers(24000)`
  const members = `INSERT INTO cohort_members (project, cohort, distinct_id, is_member, version)
    SELECT {project:UInt32}, {cohort:UUID}, concat(if(number < 100, 'u', 'x'), toString(number)), true, 1 FROM numbers(1000000)`
  await store.clickhouse.command({ query: events, query_params: params })
  await store.clickhouse.command({ query: members, query_params: params })
}, 60_000)

afterAll(async () => await store.close())

async function ask(spec: JsonObject): Promise<QueryResponse['result']> {
  const request = fromJson(QueryRequestSchema, {
    spec,
    timeRange: { from: '2026-01-05T00:00:00Z', to: '2026-01-06T00:00:00Z' },
    granularity: 'GRANULARITY_DAY',
  })
  const insight = prepareInsight(request, {
    projectId: PROJECT,
    projectTimeZone: 'UTC',
    cohorts: (cohortId) => ({ kind: 'listed', cohortId }),
  })
  const answer = await insight.answer(async (query) => await store.run(query, AbortSignal.timeout(55_000)))
  return create(QueryResponseSchema, answer).result
}

const step = (kind: number, filters: JsonObject[] = []) => ({ event: { kind: `k${kind % 12}`, filters } })
const TWENTY = Array.from({ length: 20 }, (_, index) => step(index))
const FIVE = ['$country', '$browser', '$os', '$language', 'plan'].map((property) => ({ property }))
const FIFTY = Array.from({ length: 5 }, (_group, group) => ({
  filters: Array.from({ length: 10 }, (_filter, index) => ({
    property: `p${group}-${index}`,
    operator: 'FILTER_OPERATOR_NOT_EQUALS',
    value: 'x',
  })),
}))
const EXCLUSIONS = Array.from({ length: 20 }, (_, index) => ({
  event: { kind: 'never' },
  afterStep: 1 + (index % 19),
  beforeStep: 2 + (index % 19),
}))

test.each<readonly [name: string, spec: JsonObject]>([
  ['in any order', { events: TWENTY, funnel: { order: 'ORDER_ANY' } }],
  ['of one kind in any order', { events: Array(20).fill(step(0)), funnel: { order: 'ORDER_ANY' } }],
  ['in sequence, with 20 exclusions', { events: TWENTY, funnel: { exclusions: EXCLUSIONS } }],
  [
    'in strict order, with 20 exclusions',
    { events: TWENTY, funnel: { order: 'ORDER_STRICT', exclusions: EXCLUSIONS } },
  ],
])(
  'a funnel of 20 steps by five properties under 50 filters is answered: %s',
  async (_, spec) => {
    const result = await ask({
      insightType: 'INSIGHT_TYPE_FUNNEL',
      breakdowns: FIVE,
      filterGroups: FIFTY,
      ...spec,
    })
    const totals =
      result.case === 'funnel' ? result.value.series.map(({ steps }) => steps.map(({ total }) => total)) : []
    // Users have ten events of a kind.
    const isOneKind = JSON.stringify(spec.events).includes('k1') ? USERS : 0
    expect(totals).toEqual([Array.from({ length: 20 }, (_step, index) => (index < 10 ? USERS : isOneKind))])
  },
  120_000,
)

test('a formula of 26 series is answered', async () => {
  const events = Array.from({ length: 26 }, (_, index) => step(index))
  const expression = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].join(' + ')
  const result = await ask({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events, formulas: [{ expression }] })
  expect(result.case === 'segmentation' ? result.value.values.at(-1) : 0).toBe(26 * 2000)
})

test.each([
  ['in', false, 100],
  ['outside', true, 100],
])('the users %s a cohort of a million ids are counted', async (_, negate, users) => {
  const events = [{ ...step(0), aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }]
  const cohorts = [{ cohortId: COHORT, negate }]
  const result = await ask({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events, cohorts })
  expect(result.case === 'segmentation' ? result.value.total : 0).toBe(users)
})

test('a funnel that takes too long to plan is rejected before it reaches the engine', async () => {
  const events = Array.from({ length: 20 }, (_, index) =>
    step(0, [{ property: '$pathname', operator: 'FILTER_OPERATOR_CONTAINS', value: `x${index}` }]),
  )
  const funnel = {
    exclusions: EXCLUSIONS,
    optionalSteps: [2, 3, 4, 5, 6, 7],
    holdConstant: ['a', 'b', 'c'],
    stepWindows: Array(20).fill('60s'),
    view: 'VIEW_TIME_TO_CONVERT',
  }
  await expect(
    ask({ insightType: 'INSIGHT_TYPE_FUNNEL', events, funnel, breakdowns: FIVE, filterGroups: FIFTY }),
  ).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('too complex to plan'),
  })
})
