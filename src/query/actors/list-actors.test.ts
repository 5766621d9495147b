import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type EventSample,
  msOf,
  sampleId,
  sampleProfile,
  sampleWorld,
} from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { FunnelOptions_View } from '../../contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { LifecycleState } from '../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import {
  FunnelPoint_Outcome,
  ListRequestSchema,
  type ListResponse,
  ListResponseSchema,
  type PointSchema,
  RetentionPoint_Outcome,
} from '../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { QueryRunner } from '../sql/select.ts'
import { listActors } from './list-actors.ts'

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>
type Point = NonNullable<Exclude<MessageInitShape<typeof PointSchema>, { $typeName: string }>['kind']>
type Paging = { readonly pageSize?: number; readonly pageToken?: string; readonly search?: string }

const SCENE = { timeZone: 'UTC', anchorMs: 0 }
const BOB_ID = '01930000-0000-7000-8000-0000000000b0'
const bob = {
  ...sampleProfile('bob', {
    anonymousIds: ['anon-bob'],
    traits: { plan: 'team', email: 'Rob@mail.example' },
  }),
  profileId: BOB_ID,
}
const MONDAY = timestampFromMs(msOf('00:00'))
const TUESDAY = timestampFromMs(msOf('2026-01-06T00:00:00Z'))

const EVENTS: readonly EventSample[] = [
  { at: '10:00', by: 'anon-bob', session: 1, properties: { page: 'home' } },
  { at: '10:05', by: BOB_ID, session: 1, properties: { page: 'shop' } },
  { at: '10:09', by: 'bob', session: 2, kind: 'buy', properties: { page: 'shop' } },
  { at: '10:00', by: 'anna', session: 3, properties: { page: '$others' } },
  { at: '10:00', by: 'cookieless-x', session: 4, properties: { page: 'home' } },
  { at: '2026-01-06T10:00:00Z', by: 'anna', session: 5, properties: { page: 'about' } },
]

let store: WorldStore
let projectId: ProjectId
const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

beforeAll(async () => {
  store = await openSharedWorldStore()
  const world = sampleWorld(EVENTS, [bob])
  projectId = await store.load({ seed: 0, world, copies: world.events, scene: SCENE, instants: [] })
  await store.settle()
})

afterAll(async () => {
  await store.close()
})

async function list(
  spec: Spec,
  kind: Point,
  paging: Paging = {},
  project = projectId,
): Promise<ListResponse> {
  const request = create(ListRequestSchema, {
    query: {
      spec,
      timeRange: { from: MONDAY, to: timestampFromMs(msOf('2026-01-07T00:00:00Z')) },
      granularity: Granularity.DAY,
    },
    point: { kind },
    ...paging,
  })
  const answered = await listActors({ request, project: { projectId: project, projectTimeZone: 'UTC' }, run })
  return create(ListResponseSchema, answered)
}

/** `<total> <cookieless>: <ids>` */
async function seen(spec: Spec, kind: Point): Promise<string> {
  const { totalUsers, cookielessUsers, users } = await list(spec, kind)
  return `${totalUsers} ${cookielessUsers}: ${users.map(({ id }) => id).join(' ')}`
}

const VIEW = { event: { kind: 'view' } }
const VISITORS = { ...VIEW, aggregation: AggregationType.UNIQUE_USERS }
const BY_PAGE = { breakdowns: [{ property: 'page' }], breakdownLimit: 1 }
const trends: Spec = { insightType: InsightType.TRENDS, events: [VIEW] }

test('a user has a profile, traits, the counted events and their sessions', async () => {
  const spec: Spec = { insightType: InsightType.TRENDS, events: [{ event: {} }] }
  const { users } = await list(spec, { case: 'trends', value: { bucket: MONDAY } })
  expect(users).toMatchObject([
    {
      id: 'anna',
      profileId: '',
      events: 1n,
      firstEventTime: timestampFromMs(msOf('10:00')),
      sessionIds: [sampleId(3)],
    },
    {
      id: 'bob',
      profileId: BOB_ID,
      traits: { plan: 'team' },
      events: 3n,
      firstEventTime: timestampFromMs(msOf('10:00')),
      lastEventTime: timestampFromMs(msOf('10:09')),
      sessionIds: [sampleId(2), sampleId(1)],
    },
  ])
})

test.each([
  ['', ['anna', 'bob'], 2n],
  ['AN', ['anna'], 1n],
  ['  bob ', ['bob'], 1n],
  ['anon-bob', [], 0n],
  ['rob@mail', ['bob'], 1n],
  ['team', [], 0n],
])('a search for %j lists %j, and counts all people in the total', async (search, ids, matching) => {
  const { users, matchingUsers, totalUsers, cookielessUsers } = await list(
    trends,
    { case: 'trends', value: {} },
    { search },
  )
  expect(users.map(({ id }) => id)).toEqual(ids)
  expect([matchingUsers, totalUsers, cookielessUsers]).toEqual([matching, 3n, 1n])
})

test('the pages of a search follow each other, and a token belongs to its search', async () => {
  const point: Point = { case: 'trends', value: {} }
  const { nextPageToken } = await list(trends, point, { search: 'n', pageSize: 1 })
  expect(nextPageToken).toBe('')
  const first = await list(trends, point, { pageSize: 1 })
  await expect(
    list(trends, point, { pageSize: 1, search: 'bob', pageToken: first.nextPageToken }),
  ).rejects.toMatchObject({ reason: 'INVALID_PAGE_TOKEN' })
})

describe('a point of trends', () => {
  test('counts cookieless visitors as its metric does, and never lists them', async () => {
    const unique: Spec = { ...trends, events: [VISITORS] }
    expect(await seen(trends, { case: 'trends', value: {} })).toBe('3 1: anna bob')
    expect(await seen(unique, { case: 'trends', value: {} })).toBe('2 0: anna bob')
    const included: Spec = { ...unique, includeCookieless: true }
    expect(await seen(included, { case: 'trends', value: {} })).toBe('3 1: anna bob')
    expect(await seen(unique, { case: 'trends', value: { bucket: TUESDAY } })).toBe('1 0: anna')
  })

  test('tells a real value `$others` from the rest', async () => {
    const spec: Spec = { ...trends, events: [VISITORS], ...BY_PAGE, breakdownLimit: 2 }
    const real = { breakdown: { page: '$others' } }
    expect(await seen(spec, { case: 'trends', value: real })).toBe('1 0: anna')
    expect(await seen(spec, { case: 'trends', value: { others: true } })).toBe('1 0: bob')
  })
})

test('a point of a funnel has the users who reached the step, or stopped before it', async () => {
  const spec: Spec = { insightType: InsightType.FUNNEL, events: [VIEW, { event: { kind: 'buy' } }] }
  const reached = { step: 2, outcome: FunnelPoint_Outcome.REACHED }
  const dropped = { step: 2, outcome: FunnelPoint_Outcome.DROPPED }
  expect(await seen(spec, { case: 'funnel', value: reached })).toBe('1 0: bob')
  expect(await seen(spec, { case: 'funnel', value: dropped })).toBe('1 0: anna')
  const { users } = await list(spec, { case: 'funnel', value: reached })
  expect(users).toMatchObject([{ events: 2n, sessionIds: [sampleId(2), sampleId(1)] }])
})

test('a bucket of a funnel has the users of a breakdown value', async () => {
  const spec: Spec = {
    insightType: InsightType.FUNNEL,
    events: [VIEW, { event: { kind: 'buy' } }],
    funnel: { view: FunnelOptions_View.OVER_TIME },
    breakdowns: [{ property: 'page' }],
  }
  const value = { step: 1, outcome: FunnelPoint_Outcome.REACHED, bucket: MONDAY, breakdown: { page: 'home' } }
  expect(await seen(spec, { case: 'funnel', value })).toBe('1 0: bob')
})

test('a point of retention has the users who returned, or did not', async () => {
  const spec: Spec = { insightType: InsightType.RETENTION, events: [VIEW] }
  const cell = { cohort: MONDAY, period: 1 }
  const { RETURNED, DID_NOT_RETURN } = RetentionPoint_Outcome
  expect(await seen(spec, { case: 'retention', value: { ...cell, outcome: RETURNED } })).toBe('1 0: anna')
  expect(await seen(spec, { case: 'retention', value: { ...cell, outcome: DID_NOT_RETURN } })).toBe(
    '1 0: bob',
  )
})

test('a point of a lifecycle has the users in the state; the events of dormant ones are those before', async () => {
  const spec: Spec = { insightType: InsightType.LIFECYCLE, events: [VIEW] }
  const { NEW, RETURNING, DORMANT } = LifecycleState
  const at = (bucket: Timestamp, state: LifecycleState): Point => ({
    case: 'lifecycle',
    value: { bucket, state },
  })
  expect(await seen(spec, at(MONDAY, NEW))).toBe('2 0: anna bob')
  expect(await seen({ ...spec, includeCookieless: true }, at(MONDAY, NEW))).toBe('3 1: anna bob')
  expect(await seen(spec, at(TUESDAY, RETURNING))).toBe('1 0: anna')
  expect(await seen(spec, at(TUESDAY, DORMANT))).toBe('1 0: bob')
  const { users } = await list(spec, at(TUESDAY, DORMANT))
  expect(users).toMatchObject([{ events: 2n, lastEventTime: timestampFromMs(msOf('10:05')) }])
})

test('a point of stickiness has the users with that many active buckets, or with that many or more', async () => {
  const spec: Spec = { insightType: InsightType.STICKINESS, events: [{ event: { kind: 'buy' } }, VIEW] }
  const of = (value: Extract<Point, { case: 'stickiness' }>['value']): Point => ({
    case: 'stickiness',
    value,
  })
  expect(await seen(spec, of({ series: 1, buckets: 1 }))).toBe('1 0: bob')
  expect(await seen(spec, of({ series: 1, buckets: 1, cumulative: true }))).toBe('2 0: anna bob')
  expect(await seen(spec, of({ series: 1, buckets: 2 }))).toBe('1 0: anna')
  expect(await seen(spec, of({ buckets: 1 }))).toBe('1 0: bob')
})

test('a point of a user flow has the users of its events', async () => {
  const spec: Spec = {
    insightType: InsightType.USER_FLOW,
    userFlow: { nodeKind: 2, nodeProperty: 'page' },
  }
  const link = { case: 'link', value: { source: '0:home', target: '1:shop' } } as const
  expect(await seen(spec, { case: 'userFlow', value: { kind: link } })).toBe('1 0: bob')
  const node = { case: 'node', value: '0:home' } as const
  const { users } = await list(spec, { case: 'userFlow', value: { kind: node } })
  expect(users).toMatchObject([{ id: 'bob', events: 1n }])
})

test('a row of a ranking by user is that user', async () => {
  const spec: Spec = {
    insightType: InsightType.TOP_K,
    topK: { dimension: TopKQuery_Dimension.USER, limit: 1 },
  }
  expect(await seen(spec, { case: 'row', value: { value: 'bob' } })).toBe('1 0: bob')
  expect(await seen(spec, { case: 'row', value: { others: true } })).toBe('1 0: anna')
})

const FUNNEL: Spec = { insightType: InsightType.FUNNEL, events: [VIEW] }
const { REACHED, DROPPED } = FunnelPoint_Outcome
const { RETURNED } = RetentionPoint_Outcome
const RETENTION: Spec = { insightType: InsightType.RETENTION, events: [VIEW] }
const TOP_K: Spec = { insightType: InsightType.TOP_K, topK: { dimension: TopKQuery_Dimension.EVENT_KIND } }
const SEGMENTATION: Spec = { ...trends, insightType: InsightType.SEGMENTATION }
const FLOW: Spec = { insightType: InsightType.USER_FLOW, userFlow: {} }
const LIFECYCLE: Spec = { insightType: InsightType.LIFECYCLE, events: [VIEW] }
const STICKINESS: Spec = { insightType: InsightType.STICKINESS, events: [VIEW] }
const NOON = timestampFromMs(msOf('12:00'))

test.each<[name: string, spec: Spec, point: Point, field: string]>([
  ['of another insight type', trends, { case: 'row', value: {} }, 'point.row'],
  ['without a kind', trends, { case: undefined }, 'point.kind'],
  ['of a series that is not there', trends, { case: 'trends', value: { series: 1 } }, 'point.trends.series'],
  ['inside a bucket', trends, { case: 'trends', value: { bucket: NOON } }, 'point.trends.bucket'],
  [
    'with values where nothing is broken down',
    trends,
    { case: 'trends', value: { breakdown: { page: 'a' } } },
    'point.trends.breakdown',
  ],
  [
    'with others where nothing is broken down',
    trends,
    { case: 'trends', value: { others: true } },
    'point.trends.others',
  ],
  [
    'of a value beyond the limit',
    { ...trends, ...BY_PAGE, breakdownLimit: 3 },
    { case: 'trends', value: { breakdown: { page: 'shop' } } },
    'point.trends.breakdown',
  ],
  [
    'of another property',
    { ...trends, ...BY_PAGE },
    { case: 'trends', value: { breakdown: { $os: 'home' } } },
    'point.trends.breakdown',
  ],
  [
    'with values and others',
    { ...trends, ...BY_PAGE },
    { case: 'trends', value: { breakdown: { page: 'home' }, others: true } },
    'point.trends.breakdown',
  ],
  [
    'of others that are none',
    { ...trends, ...BY_PAGE, breakdownLimit: 100 },
    { case: 'trends', value: { others: true } },
    'point.trends.others',
  ],
  [
    'of a second segment',
    SEGMENTATION,
    { case: 'segmentation', value: { series: 1 } },
    'point.segmentation.series',
  ],
  [
    'of a broken-down segment',
    SEGMENTATION,
    { case: 'segmentation', value: { breakdown: { a: '' } } },
    'point.segmentation.breakdown',
  ],
  [
    'of a step that is not there',
    FUNNEL,
    { case: 'funnel', value: { step: 2, outcome: REACHED } },
    'point.funnel.step',
  ],
  [
    'who dropped before the first step',
    FUNNEL,
    { case: 'funnel', value: { step: 1, outcome: DROPPED } },
    'point.funnel.step',
  ],
  ['of a funnel without an outcome', FUNNEL, { case: 'funnel', value: { step: 1 } }, 'point.funnel.outcome'],
  [
    'of a bucket of a funnel',
    FUNNEL,
    { case: 'funnel', value: { step: 1, outcome: REACHED, bucket: MONDAY } },
    'point.funnel.bucket',
  ],
  [
    'of a cohort that is not there',
    RETENTION,
    { case: 'retention', value: { cohort: NOON, outcome: RETURNED } },
    'point.retention.cohort',
  ],
  [
    'beyond the last period',
    RETENTION,
    { case: 'retention', value: { cohort: TUESDAY, period: 1, outcome: RETURNED } },
    'point.retention.period',
  ],
  [
    'of retention without an outcome',
    RETENTION,
    { case: 'retention', value: { cohort: MONDAY } },
    'point.retention.outcome',
  ],
  [
    'of a bucket that a lifecycle does not have',
    LIFECYCLE,
    { case: 'lifecycle', value: { bucket: NOON, state: LifecycleState.NEW } },
    'point.lifecycle.bucket',
  ],
  [
    'of a lifecycle without a state',
    LIFECYCLE,
    { case: 'lifecycle', value: { bucket: MONDAY } },
    'point.lifecycle.state',
  ],
  [
    'of a lifecycle with an unknown state',
    LIFECYCLE,
    { case: 'lifecycle', value: { bucket: MONDAY, state: Number('9') } },
    'point.lifecycle.state',
  ],
  [
    'of more buckets than stickiness has',
    STICKINESS,
    { case: 'stickiness', value: { buckets: 3 } },
    'point.stickiness.buckets',
  ],
  [
    'of no bucket',
    STICKINESS,
    { case: 'stickiness', value: { buckets: 0, cumulative: true } },
    'point.stickiness.buckets',
  ],
  [
    'of a series that stickiness does not have',
    STICKINESS,
    { case: 'stickiness', value: { series: 1, buckets: 1 } },
    'point.stickiness.series',
  ],
  [
    'of a node that is not there',
    FLOW,
    { case: 'userFlow', value: { kind: { case: 'node', value: '9:a' } } },
    'point.userFlow.node',
  ],
  [
    'of a link that is not there',
    FLOW,
    { case: 'userFlow', value: { kind: { case: 'link', value: { source: '0:view', target: '1:view' } } } },
    'point.userFlow.link',
  ],
  ['of a row that is not there', TOP_K, { case: 'row', value: { value: 'click' } }, 'point.row.value'],
  ['of other rows that are none', TOP_K, { case: 'row', value: { others: true } }, 'point.row.others'],
  [
    'of a row and of the others',
    TOP_K,
    { case: 'row', value: { value: 'view', others: true } },
    'point.row.value',
  ],
  [
    'of an insight that is invalid',
    { ...trends, breakdownLimit: 1 },
    { case: 'trends', value: {} },
    'query.spec.breakdownLimit',
  ],
])('a point %s is rejected', async (_, spec, point, field) => {
  const refusal: unknown = await list(spec, point).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ServiceError)
  expect(refusal).toMatchObject({ code: 'invalid_argument', violations: [{ field }] })
})

describe('pages', () => {
  const both: Spec = { ...trends, breakdowns: [{ property: 'page' }, { property: '$os' }] }
  const home = (breakdown: Record<string, string>): Point => ({ case: 'trends', value: { breakdown } })

  test('follow each other, and all have the numbers of users', async () => {
    const first = await list(trends, { case: 'trends', value: {} }, { pageSize: 1 })
    expect(first.users.map(({ id }) => id)).toEqual(['anna'])
    const next = await list(
      trends,
      { case: 'trends', value: {} },
      { pageSize: 1, pageToken: first.nextPageToken },
    )
    expect(next).toMatchObject({ totalUsers: 3n, cookielessUsers: 1n, nextPageToken: '' })
    expect(next.users.map(({ id }) => id)).toEqual(['bob'])
  })

  test('have tokens that do not depend on the order in which a client sends the values', async () => {
    const spec: Spec = { ...both, events: [{ event: {} }], filterGroups: [] }
    const point = home({ page: 'shop', $os: '' })
    const { totalUsers } = await list(spec, point)
    expect(totalUsers).toBe(1n)
    const { nextPageToken } = await list(trends, { case: 'trends', value: {} }, { pageSize: 1 })
    await expect(list(spec, point, { pageToken: nextPageToken })).rejects.toThrow('pageToken')
  })

  test('of another project, or of more than 1000 users, are rejected', async () => {
    const { nextPageToken: pageToken } = await list(trends, { case: 'trends', value: {} }, { pageSize: 1 })
    const elsewhere = list(trends, { case: 'trends', value: {} }, { pageToken }, asProjectId(projectId + 1))
    await expect(elsewhere).rejects.toThrow('pageToken')
    await expect(list(trends, { case: 'trends', value: {} }, { pageSize: 1001 })).rejects.toThrow('pageSize')
    await expect(list(trends, { case: 'trends', value: {} }, { pageSize: -1 })).rejects.toThrow('pageSize')
  })
})
