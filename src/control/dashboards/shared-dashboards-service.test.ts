import { create, type MessageInitShape, toBinary, toJsonString } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { PropertyFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import type { DashboardTileInputSchema } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import {
  type RenderedDashboard,
  RenderedDashboardSchema,
} from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import {
  ComparePeriod,
  DashboardTileViewMode,
} from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import {
  SharedDashboardsService,
  SharedDashboardsServiceQueryResponseSchema,
} from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryResponse,
  QueryResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { asCustomerId, asOrganisationId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { ProjectReader } from '../../store/catalog/project-reader.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createShareAttempts } from './admit-reader.ts'
import { createDashboardsService } from './dashboards-service.ts'
import type { InsightCall } from './render-dashboard.ts'
import { ShareGrants } from './share-grants.ts'
import { ShareLimiter } from './share-limiter.ts'
import { createSharedDashboardsService } from './shared-dashboards-service.ts'
import type { FirstEventQuery } from './shared-view.ts'

type TileInput = Exclude<MessageInitShape<typeof DashboardTileInputSchema>, { $typeName: string }>

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const ID = '00000000-0000-4000-8000-000000000000'

const filters = [{ filters: [create(PropertyFilterSchema, { property: 'secret-property' })] }]

/** Top users by purchases: the answer for members contains names. */
const BUYERS: TileInput = {
  displayName: 'Buyers',
  viewMode: DashboardTileViewMode.TABLE,
  thresholds: [{ value: 3 }],
  header: { icon: 'cart' },
  visualization: { logScale: true },
  position: { x: 1, y: 2, w: 3, h: 4 },
  content: {
    case: 'insight',
    value: {
      spec: {
        insightType: InsightType.TOP_K,
        filterGroups: filters,
        topK: {
          dimension: TopKQuery_Dimension.USER,
          scope: { kind: 'secret-kind' },
          metric: AggregationType.SUM,
          metricProperty: 'secret-metric',
        },
      },
    },
  },
}

const PAGES: TileInput = {
  content: {
    case: 'insight',
    value: {
      spec: {
        insightType: InsightType.TOP_K,
        topK: { dimension: TopKQuery_Dimension.PROPERTY, property: 'secret-path' },
      },
    },
  },
}

const VISITS: TileInput = {
  content: {
    case: 'insight',
    value: {
      spec: {
        insightType: InsightType.TRENDS,
        events: [
          { event: { kind: 'secret-kind' }, aggregation: AggregationType.UNIQUE_USERS },
          { aggregation: AggregationType.SUM, aggregationProperty: 'secret-sum' },
        ],
        breakdowns: [{ property: 'secret-breakdown' }],
      },
    },
  },
}

const TEXT: TileInput = { displayName: 'Read me', content: { case: 'markdown', value: { body: '# Hello' } } }

const RANKED = create(QueryResponseSchema, {
  result: {
    case: 'topK',
    value: {
      rows: [
        {
          dimensionValue: 'ada@example.org',
          value: 9,
          profile: { id: 'p', externalId: 'ada@example.org', properties: { plan: 'gold' } },
        },
        { dimensionValue: 'anonymous-1', value: 4 },
        { dimensionValue: '$others', value: 2, isOthers: true },
      ],
    },
  },
})

describeCatalog('shared dashboards', (under) => {
  let members: Client<typeof DashboardsService>
  let anyone: Client<typeof SharedDashboardsService>
  let queries: InsightCall[]
  let nowMs: number
  let verifiedCount: number
  let firstMs: number | undefined
  let answer: (query: InsightCall) => Promise<QueryResponse>

  beforeEach(async () => {
    queries = []
    nowMs = NOW_MS
    verifiedCount = 0
    firstMs = undefined
    answer = async () => RANKED
    const { catalog } = under
    const clock = { nowMs: () => nowMs }
    await catalog.insertInto('organisations').values({ id: ID, display_name: '', created_ms: 1 }).execute()
    const projectId = await insertProject(catalog, clock, { organisationId: ID, displayName: 'Ours' })
    await catalog.updateTable('projects').set({ reporting_timezone: 'Asia/Kolkata' }).execute()
    const keyed = { catalog, clock, key: Buffer.alloc(32, 1) }
    const ports = {
      catalog,
      clock,
      projects: new ProjectReader(catalog),
      log: createLogger({ role: 'test', level: 'silent' }),
      timeoutMs: 60_000,
      checkInsight: () => undefined,
      passwords: {
        hash: async (password: string) => `hash of ${password}`,
        requireAccepted: () => undefined,
        verify: async (hash: string | undefined, password: string) => {
          verifiedCount++
          return hash === `hash of ${password}`
        },
      },
      shareAttempts: createShareAttempts(keyed),
      grants: new ShareGrants(new Sealer(keyed.key), clock),
      trustedProxies: { cidrs: [], includes: () => false },
      readFirstEvent: async (query: FirstEventQuery) => (query.projectId === projectId ? firstMs : undefined),
      runInsight: async (query: InsightCall) => {
        queries.push(query)
        return await answer(query)
      },
    }
    const customerId = asCustomerId(ID)
    const project = { projectId, organisationId: asOrganisationId(ID), role: 'member' } as const
    members = clientOf(DashboardsService, createDashboardsService(ports), { customerId, project })
    const shared = createSharedDashboardsService(ports, new ShareLimiter(() => 0))
    anyone = clientOf(SharedDashboardsService, shared, { customerId })
  })

  const share = async (...tiles: TileInput[]): Promise<{ readonly id: string; readonly shareId: string }> => {
    const { dashboard } = await members.upsert({ displayName: 'Growth', description: 'all of it', tiles })
    const id = dashboard?.id ?? ''
    const shared = await members.update({ id, isPublic: true })
    return { id, shareId: shared.dashboard?.shareId ?? '' }
  }

  const look = async (shareId: string): Promise<RenderedDashboard> =>
    create(RenderedDashboardSchema, (await anyone.query({ shareId })).dashboard)

  const textOf = (dashboard: RenderedDashboard): string =>
    toJsonString(RenderedDashboardSchema, dashboard) +
    Buffer.from(toBinary(RenderedDashboardSchema, dashboard)).toString('latin1')

  test('anyone with the share id sees titles, texts, chart options and results', async () => {
    const { id, shareId } = await share(PAGES, BUYERS, TEXT)
    const dashboard = await look(shareId)
    expect(dashboard).toMatchObject({ id, displayName: 'Growth', description: 'all of it' })
    expect(dashboard.tiles[0]?.outcome).toEqual({ case: 'result', value: RANKED })
    const { displayName, viewMode, thresholds, header, visualization, position } = BUYERS
    const chartOptions = { displayName, viewMode, thresholds, header, visualization, position }
    expect(dashboard.tiles[1]?.tile).toMatchObject(chartOptions)
    expect(dashboard.tiles[2]?.tile).toMatchObject({ displayName: 'Read me', content: TEXT.content })
    expect(dashboard.tiles[2]?.outcome.case).toBeUndefined()
  })

  test('a viewer of the link sees the time zone of buckets, and nothing else of the project', async () => {
    const { shareId } = await share(PAGES)
    const told: (string | null)[] = []
    await anyone.query({ shareId }, { onHeader: (header) => told.push(header.get('x-time-zone')) })
    expect(told).toEqual(['Asia/Kolkata'])
  })

  test('a viewer of the link gets the requested range, by default the one of the dashboard', async () => {
    const { shareId } = await share(PAGES)
    const timeRange = { from: { seconds: 0n, nanos: 0 }, to: { seconds: 3600n, nanos: 0 } }
    await anyone.query({ shareId, timeRange, granularity: Granularity.MINUTE })
    await anyone.query({ shareId })
    expect(queries).toMatchObject([
      { request: { timeRange, granularity: Granularity.MINUTE } },
      { request: { timeRange: { to: { seconds: BigInt(NOW_MS / 1000) } }, granularity: Granularity.DAY } },
    ])
  })

  describe('of a share that is pinned to the range of its dashboard', () => {
    const timeRange = { from: { seconds: 0n, nanos: 0 }, to: { seconds: 3600n, nanos: 0 } }
    const PINNED = ['PermissionDenied', 'SHARE_RANGE_PINNED']
    const pin = async (...tiles: TileInput[]) => {
      const shared = await share(...tiles)
      await members.update({ id: shared.id, isRangePinned: true })
      return shared
    }

    test.each([
      ['another range', { timeRange }],
      ['another bucket width', { granularity: Granularity.MINUTE }],
      ['the width that it has', { granularity: Granularity.DAY }],
      ['a range before another one', { timeRange, previousPeriod: true }],
    ])('a viewer of the link does not see %s', async (_, requested) => {
      const { shareId } = await pin(PAGES)
      expect(await refusalOf(anyone.query({ shareId, ...requested }))).toEqual(PINNED)
      expect(queries).toEqual([])
    })

    test('a viewer of the link gets that range, and an error for others', async () => {
      const { shareId } = await pin(PAGES)
      expect(await look(shareId)).toMatchObject({ isRangePinned: true })
      expect(queries).toMatchObject([
        { request: { timeRange: { to: { seconds: BigInt(NOW_MS / 1000) } }, granularity: Granularity.DAY } },
      ])
    })

    test('a viewer of the link gets the previous period of comparing tiles only', async () => {
      const compare = ComparePeriod.PRIOR
      const { shareId } = await pin(PAGES, { ...VISITS, compare }, VISITS)
      const { dashboard } = await anyone.query({ shareId, previousPeriod: true })
      expect(dashboard?.tiles.map(({ outcome }) => outcome.case)).toEqual([undefined, 'result', undefined])
      const secondsOf = (time: string) => ({ seconds: BigInt(Date.parse(time) / 1000) })
      // Thirty days are compared with the same weekdays four weeks earlier.
      const before = { from: secondsOf('2026-01-02T18:30:00Z'), to: secondsOf('2026-02-01T12:00:00Z') }
      expect(queries).toMatchObject([{ request: { timeRange: before, granularity: Granularity.DAY } }])
    })

    test('members get any range, and the share stays pinned until they change it', async () => {
      const { id, shareId } = await pin(PAGES)
      await members.queryDashboard({ dashboardId: id, timeRange })
      await members.upsert({ id, displayName: 'Growth', tiles: [PAGES] })
      await members.update({ id, displayName: 'Better' })
      expect(await refusalOf(anyone.query({ shareId, timeRange }))).toEqual(PINNED)
      const { dashboard } = await members.update({ id, isRangePinned: false })
      expect(dashboard).toMatchObject({ isRangePinned: false, shareId })
      await anyone.query({ shareId, timeRange })
    })

    test('a link created after a revocation is pinned as well', async () => {
      const { id } = await pin(PAGES)
      await members.update({ id, isPublic: false })
      const { dashboard } = await members.update({ id, isPublic: true })
      const again = anyone.query({ shareId: dashboard?.shareId ?? '', timeRange })
      expect(await refusalOf(again)).toEqual(PINNED)
    })
  })

  test('a share that is not pinned answers the previous period of any range', async () => {
    const { shareId } = await share({ ...PAGES, compare: ComparePeriod.PRIOR })
    const timeRange = { from: { seconds: 7200n, nanos: 0 }, to: { seconds: 10_800n, nanos: 0 } }
    await anyone.query({ shareId, timeRange, previousPeriod: true })
    expect(queries).toMatchObject([
      { request: { timeRange: { from: { seconds: 3600n }, to: { seconds: 7200n } } } },
    ])
  })

  test('a viewer of the link cannot bypass the answer cache', async () => {
    const { id, shareId } = await share(PAGES)
    const headers = { 'cache-control': 'no-cache' }
    await anyone.query({ shareId }, { headers })
    await members.queryDashboard({ dashboardId: id }, { headers })
    await members.queryDashboard({ dashboardId: id })
    expect(queries.map(({ isFresh }) => isFresh)).toEqual([false, true, false])
  })

  test('a viewer of the link sees only the parts of a query that explain its numbers', async () => {
    const { shareId } = await share(BUYERS, PAGES, VISITS)
    const dashboard = await look(shareId)
    expect(textOf(dashboard)).not.toContain('secret')
    expect(textOf(dashboard)).not.toContain(shareId)
    const specs = dashboard.tiles.map(({ tile }) =>
      tile?.content.case === 'insight' ? tile.content.value.spec : undefined,
    )
    expect(specs).toMatchObject([
      {
        insightType: InsightType.TOP_K,
        topK: { dimension: TopKQuery_Dimension.USER, metric: AggregationType.SUM },
      },
      { insightType: InsightType.TOP_K, topK: { dimension: TopKQuery_Dimension.PROPERTY } },
      {
        insightType: InsightType.TRENDS,
        events: [{ aggregation: AggregationType.UNIQUE_USERS }, { aggregation: AggregationType.SUM }],
      },
    ])
  })

  describe('split by cohorts', () => {
    const SHOWN = ID.replace(/0$/, '1')
    const FILTERING = ID.replace(/0$/, '2')
    const UNUSED = ID.replace(/0$/, '3')
    const FOREIGN = ID.replace(/0$/, '4')
    const splitBy = (...breakdownCohortIds: string[]): TileInput => {
      const cohorts = [{ cohortId: FILTERING }]
      const spec = { insightType: InsightType.TRENDS, breakdownCohortIds, cohorts }
      return { content: { case: 'insight', value: { spec } } }
    }
    const stored = (id: string, project_id: number, name: string) => ({
      id,
      project_id,
      name,
      description: 'secret',
      definition: null,
      created_by: 'secret',
      revision: 1,
      created_ms: 1,
      updated_ms: 1,
    })

    beforeEach(async () => {
      const { catalog } = under
      const clock = { nowMs: () => nowMs }
      const ours = await catalog.selectFrom('projects').select('id').executeTakeFirstOrThrow()
      const theirs = await insertProject(catalog, clock, { organisationId: ID, displayName: 'Theirs' })
      const cohorts = [
        stored(SHOWN, ours.id, 'Buyers'),
        stored(FILTERING, ours.id, 'secret filter'),
        stored(UNUSED, ours.id, 'secret unused'),
        stored(FOREIGN, theirs, 'secret foreign'),
      ]
      await catalog.insertInto('cohorts').values(cohorts).execute()
    })

    test('a viewer of the link sees the names of these cohorts and of no other', async () => {
      const { shareId } = await share(splitBy(SHOWN, FOREIGN, 'of no cohort'), VISITS, PAGES)
      const response = await anyone.query({ shareId })
      expect(response.cohortNames).toEqual({ [SHOWN]: 'Buyers' })
      expect(toJsonString(SharedDashboardsServiceQueryResponseSchema, response)).not.toContain('secret')
    })

    test('a viewer of the link sees no name of a tile that fails, or that has no previous period', async () => {
      const { shareId } = await share(splitBy(SHOWN))
      expect((await anyone.query({ shareId, previousPeriod: true })).cohortNames).toEqual({})
      answer = async () => {
        throw new Error('no such cohort')
      }
      expect((await anyone.query({ shareId })).cohortNames).toEqual({})
    })
  })

  test('a viewer of the link sees ranks instead of user ids', async () => {
    const { id, shareId } = await share(BUYERS)
    const dashboard = await look(shareId)
    expect(textOf(dashboard)).not.toMatch(/\bada\b|gold|anonymous/)
    expect(dashboard.tiles[0]?.outcome).toMatchObject({
      case: 'result',
      value: {
        result: {
          value: {
            rows: [
              { dimensionValue: '#1', value: 9, isOthers: false },
              { dimensionValue: '#2', value: 4, isOthers: false },
              { dimensionValue: '$others', value: 2, isOthers: true },
            ],
          },
        },
      },
    })
    const seenByMembers = await members.queryDashboard({ dashboardId: id })
    expect(seenByMembers.dashboard?.tiles[0]?.outcome).toEqual({ case: 'result', value: RANKED })
  })

  test('a viewer of the link does not see why a tile failed', async () => {
    const { shareId } = await share(PAGES)
    answer = async () => Promise.reject(new Error('secret'))
    const [tile] = (await look(shareId)).tiles
    expect(tile?.outcome).toEqual({ case: 'errorMessage', value: 'this tile is unavailable at the moment' })
  })

  test('an unknown or revoked share id and the id of the dashboard are not found', async () => {
    const { id, shareId } = await share(PAGES)
    await members.update({ id, isPublic: false })
    const again = await members.update({ id, isPublic: true })
    for (const unknown of [shareId, id, 'x', '\0', 'A'.repeat(22)]) {
      expect(await refusalOf(anyone.query({ shareId: unknown }))).toEqual(['NotFound', 'DASHBOARD_NOT_FOUND'])
    }
    expect(await look(again.dashboard?.shareId ?? '')).toMatchObject({ displayName: 'Growth' })
    await members.delete({ id })
    expect(await refusalOf(look(again.dashboard?.shareId ?? ''))).toEqual(['NotFound', 'DASHBOARD_NOT_FOUND'])
  })

  describe('with a password', () => {
    const PASSWORD = 'correct horse'
    const LOCKED = ['PermissionDenied', 'SHARE_PASSWORD_REQUIRED']
    const WRONG = ['InvalidArgument', 'INVALID_REQUEST']
    const LIMITED = ['ResourceExhausted', 'RATE_LIMITED']
    const lock = async () => {
      const shared = await share(PAGES)
      await members.update({ id: shared.id, sharePassword: PASSWORD })
      return shared
    }
    const unlock = async (shareId: string, password = PASSWORD, network = '198.51.100.1') => {
      const headers = { 'x-forwarded-for': network }
      return await anyone.query({ shareId, password }, { headers })
    }

    test('nothing is readable without the password, which is hashed once for a grant', async () => {
      const { shareId } = await lock()
      expect(await refusalOf(anyone.query({ shareId }))).toEqual(LOCKED)
      expect(await refusalOf(unlock(shareId, 'wrong horse'))).toEqual(WRONG)
      expect(queries).toEqual([])
      const { grant, grantExpireTime } = await unlock(shareId)
      expect(grantExpireTime && timestampMs(grantExpireTime)).toBe(NOW_MS + 12 * 3_600_000)
      for (let count = 0; count < 3; count++) {
        expect(await anyone.query({ shareId, grant })).toMatchObject({ grant: '' })
      }
      expect(verifiedCount).toBe(2)
      expect(queries).toHaveLength(4)
    })

    test('a grant ends in time, and with the password', async () => {
      const { id, shareId } = await lock()
      const { grant } = await unlock(shareId)
      nowMs += 12 * 3_600_000
      expect(await refusalOf(anyone.query({ shareId, grant }))).toEqual(LOCKED)
      const { grant: next } = await unlock(shareId)
      await anyone.query({ shareId, grant: next })
      await members.update({ id, sharePassword: 'another horse' })
      expect(await refusalOf(anyone.query({ shareId, grant: next }))).toEqual(LOCKED)
    })

    test('a grant of another share is refused', async () => {
      const [first, second] = [await lock(), await lock()]
      const { grant } = await unlock(first.shareId)
      expect(await refusalOf(anyone.query({ shareId: second.shareId, grant }))).toEqual(LOCKED)
    })

    test('the password outlasts a revocation; without it no grant is needed', async () => {
      const { id } = await lock()
      await members.update({ id, isPublic: false })
      const { dashboard } = await members.update({ id, isPublic: true })
      const shareId = dashboard?.shareId ?? ''
      expect(await refusalOf(anyone.query({ shareId }))).toEqual(LOCKED)
      await members.update({ id, sharePassword: '' })
      await anyone.query({ shareId })
      expect(await unlock(shareId)).toMatchObject({ grant: '' })
    })

    test('refused reads do not use up the reads of those who have the password', async () => {
      const { shareId } = await lock()
      for (let count = 0; count < 70; count++) await refusalOf(anyone.query({ shareId }))
      const { grant } = await unlock(shareId)
      expect(await refusalOf(anyone.query({ shareId, grant }))).toBeUndefined()
    })

    test('guesses from a network are delayed, without locking out readers elsewhere', async () => {
      const { shareId } = await lock()
      const ends = []
      for (let index = 0; index < 12; index++) {
        ends.push(await refusalOf(unlock(shareId, `guess ${index}`, '203.0.113.7')))
      }
      expect(ends).toEqual([...Array(11).fill(WRONG), LIMITED])
      expect(await refusalOf(unlock(shareId, PASSWORD, '203.0.113.7'))).toEqual(LIMITED)
      expect((await unlock(shareId, PASSWORD, '198.51.100.1')).grant).not.toBe('')
      expect(verifiedCount).toBe(12)
    })

    test('a correct password resets the count of its network', async () => {
      const { shareId } = await lock()
      const ends = []
      for (let index = 1; index <= 30; index++) {
        const password = index % 5 === 0 ? PASSWORD : 'guess'
        ends.push(await refusalOf(unlock(shareId, password)))
      }
      expect(ends).toEqual(Array(6).fill([WRONG, WRONG, WRONG, WRONG, undefined]).flat())
    })

    test('an unknown share has no password to guess', async () => {
      const { shareId, id } = await lock()
      await members.update({ id, isPublic: false })
      const ends = [shareId, id, 'A'.repeat(22)].map(async (unknown) => await refusalOf(unlock(unknown)))
      expect(await Promise.all(ends)).toEqual(Array(3).fill(['NotFound', 'DASHBOARD_NOT_FOUND']))
      expect(verifiedCount).toBe(0)
    })
  })

  test('an expired share is like an unknown one, until its expiry is changed', async () => {
    const { id, shareId } = await share(PAGES)
    const untilMs = NOW_MS + 60_000
    await members.update({ id, shareExpireTime: timestampFromMs(untilMs) })
    nowMs = untilMs - 1
    await look(shareId)
    nowMs = untilMs
    expect(await refusalOf(look(shareId))).toEqual(['NotFound', 'DASHBOARD_NOT_FOUND'])
    await members.update({ id, shareExpireTime: timestampFromMs(0) })
    await look(shareId)
  })

  describe('over all time', () => {
    const secondsOf = (time: string) => ({ seconds: BigInt(Date.parse(time) / 1000) })

    test('a viewer of the link gets the range from the day of the first event on', async () => {
      const { shareId } = await share(PAGES)
      firstMs = Date.parse('2025-11-20T20:00:00Z')
      const { firstDate } = await anyone.query({ shareId, allTime: true })
      expect(firstDate).toBe('2025-11-21')
      const timeRange = { from: secondsOf('2025-11-20T18:30:00Z'), to: secondsOf('2026-03-01T12:00:00Z') }
      expect(queries).toMatchObject([{ request: { timeRange } }])
    })

    test('no date of a first event is in answers for another range, and in a project without events', async () => {
      const { shareId } = await share(PAGES)
      expect(await anyone.query({ shareId, allTime: true })).toMatchObject({ firstDate: '' })
      firstMs = Date.parse('2025-11-20T20:00:00Z')
      expect(await anyone.query({ shareId })).toMatchObject({ firstDate: '' })
    })

    test('a viewer of a pinned link does not, and no call names a range as well', async () => {
      const { id, shareId } = await share(PAGES)
      const timeRange = { from: { seconds: 0n, nanos: 0 }, to: { seconds: 3600n, nanos: 0 } }
      const both = anyone.query({ shareId, allTime: true, timeRange })
      expect(await refusalOf(both)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
      await members.update({ id, isRangePinned: true })
      const pinned = anyone.query({ shareId, allTime: true })
      expect(await refusalOf(pinned)).toEqual(['PermissionDenied', 'SHARE_RANGE_PINNED'])
      expect(queries).toEqual([])
    })
  })

  test('excessive reads of a dashboard are refused', async () => {
    const { shareId } = await share(TEXT)
    for (let count = 0; count < 60; count++) await anyone.query({ shareId })
    expect(await refusalOf(anyone.query({ shareId }))).toEqual(['ResourceExhausted', 'RATE_LIMITED'])
    const other = await share(TEXT)
    expect(await look(other.shareId)).toMatchObject({ defaultTimeRange: TimeRangePreset.LAST_30_DAYS })
  })
})
