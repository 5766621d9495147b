import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { prepareInsight } from '../insight-types.ts'
import { computedCells } from '../sql/day-cells.ts'
import type { CompiledQuery } from '../sql/select.ts'
import { render } from '../sql/sql.ts'

type Spec = NonNullable<Parameters<typeof create<typeof QueryRequestSchema>>[1]>['spec']

function requestOf(spec: Spec): QueryRequest {
  return create(QueryRequestSchema, {
    spec: { insightType: InsightType.TRENDS, ...spec },
    timeRange: { from: timestampFromMs(Date.UTC(2026, 2, 1)), to: timestampFromMs(Date.UTC(2026, 2, 9)) },
    granularity: Granularity.DAY,
  })
}

/** The statements of a question over the cells of its days. */
async function statementsOf(request: QueryRequest): Promise<readonly string[]> {
  const found: string[] = []
  const project = { projectId: asProjectId(1), projectTimeZone: 'UTC' }
  await prepareInsight(request, project).answer(async <R>({ days }: CompiledQuery<R>) => {
    if (days) found.push(render(days.over(computedCells(days))).text)
    return await Promise.resolve([])
  })
  return found
}

/** Whether each statement of a question can be answered from kept days. */
async function areKeepable(spec: Spec): Promise<readonly boolean[]> {
  const found: boolean[] = []
  const project = { projectId: asProjectId(1), projectTimeZone: 'UTC' }
  await prepareInsight(requestOf(spec), project).answer(async <R>({ days }: CompiledQuery<R>) => {
    found.push(days !== undefined)
    return await Promise.resolve([])
  })
  return found
}

const counted = (aggregation: AggregationType, aggregationProperty = '') => ({
  event: { kind: 'page_view' },
  aggregation,
  aggregationProperty,
})

const filtered = (source: PropertySource): Spec => ({
  filterGroups: [{ filters: [{ property: 'plan', operator: FilterOperator.EQUALS, value: 'pro', source }] }],
})

test.each<[string, Spec]>([
  ['totals', {}],
  ['users', { events: [counted(AggregationType.UNIQUE_USERS), counted(AggregationType.PER_USER_AVG)] }],
  ['numbers', { events: [counted(AggregationType.MAX, 'amount')] }],
  ['breakdowns', { breakdowns: [{ property: '$browser' }] }],
  ['filters by a property of the event', filtered(PropertySource.CUSTOM)],
  ['one number', { insightType: InsightType.SEGMENTATION }],
])('%s can be kept', async (_, spec) => {
  expect(await areKeepable(spec)).toEqual([true])
})

test.each<[string, Spec]>([
  ['filters by a trait', filtered(PropertySource.PROFILE)],
  ['filters by the first event of the session', filtered(PropertySource.SESSION_ENTRY)],
  ['filters by the first event of the user', filtered(PropertySource.FIRST_TOUCH)],
  ['a breakdown by a trait', { breakdowns: [{ property: 'plan', source: PropertySource.PROFILE }] }],
  ['percentiles', { events: [counted(AggregationType.MEDIAN, 'amount')] }],
  ['sessions', { events: [counted(AggregationType.UNIQUE_SESSIONS)] }],
])('%s cannot be kept', async (_, spec) => {
  expect(await areKeepable(spec)).toEqual([false])
})

describe('the users of kept days', () => {
  const MAPPED = "arrayMap(hash -> dictGetOrDefault('identities', 'user_hash', hash, hash), "
  const users = { events: [counted(AggregationType.UNIQUE_USERS)] }

  test('are gathered in an array for the one or two days of a bucket', async () => {
    const [text] = await statementsOf(requestOf(users))
    expect(text).toContain('arrayUniq(groupArrayArray(state0))')
    expect(text).toContain(`${MAPPED}groupUniqArrayIf(user_hash, NOT cookieless)) AS state0`)
  })

  test('are a set for longer buckets, in which most are several times', async () => {
    const [text] = await statementsOf({ ...requestOf(users), granularity: Granularity.WEEK })
    expect(text).toContain('uniqExactArray(state0)')
  })

  test('are looked up once for all days of a ranking', async () => {
    const topK = {
      dimension: TopKQuery_Dimension.PROPERTY,
      property: '$browser',
      metric: AggregationType.UNIQUE_USERS,
    }
    const [text] = await statementsOf(requestOf({ insightType: InsightType.TOP_K, topK }))
    expect(text).toContain(`${MAPPED}groupUniqArrayArray(state0)) AS state0`)
    expect(text).toContain('groupUniqArray(user_hash) AS state0')
  })
})
