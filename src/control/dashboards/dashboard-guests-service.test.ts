import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import type { DashboardTileInputSchema } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '../../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { ComparePeriod } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { DashboardGuestsService } from '../../contract/gen/millrace/dashboards/v1/dashboard_guests_service_pb.js'
import { Granularity, InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import type { CustomerId, OrganisationId, ProjectId } from '../../contract/ids.ts'
import { createLogger } from '../../kernel/log.ts'
import { listSharedWith } from '../../store/catalog/dashboard-guests.ts'
import { ProjectReader } from '../../store/catalog/project-reader.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { removeMember } from '../organisations/members.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { setProjectRole } from '../projects/project-members.ts'
import { createDashboardGuestsService } from './dashboard-guests-service.ts'
import { createDashboardsService } from './dashboards-service.ts'
import type { InsightCall } from './render-dashboard.ts'
import { ShareLimiter } from './share-limiter.ts'

type TileInput = Exclude<MessageInitShape<typeof DashboardTileInputSchema>, { $typeName: string }>

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const NOT_FOUND = ['NotFound', 'DASHBOARD_NOT_FOUND']
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const timeRange = { from: { seconds: 0n, nanos: 0 }, to: { seconds: 3600n, nanos: 0 } }

/** Top users by events: members see their ids. */
const BUYERS: TileInput = {
  content: {
    case: 'insight',
    value: {
      spec: {
        insightType: InsightType.TOP_K,
        topK: { dimension: TopKQuery_Dimension.USER, scope: { kind: 'secret-kind' } },
      },
    },
  },
}

const VISITS: TileInput = {
  compare: ComparePeriod.PRIOR,
  content: {
    case: 'insight',
    value: { spec: { insightType: InsightType.TRENDS, events: [{ event: { kind: 'secret-visit' } }] } },
  },
}

const RANKED = create(QueryResponseSchema, {
  result: { case: 'topK', value: { rows: [{ dimensionValue: 'ada@example.org', value: 9 }] } },
})

describeCatalog('dashboards for guests', (under) => {
  const clock = { nowMs: () => NOW_MS }
  let organisationId: OrganisationId
  let shop: ProjectId
  let blog: ProjectId
  let ada: CustomerId
  let gus: CustomerId
  let gil: CustomerId
  let queries: InsightCall[]

  beforeEach(async () => {
    queries = []
    ada = await addCustomer(under.catalog, 'ada@example.org')
    organisationId = (await createOrganisation(under.catalog, clock, { customerId: ada, displayName: 'Org' }))
      .id
    shop = await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    blog = await insertProject(under.catalog, clock, { organisationId, displayName: 'Blog' })
    await addMember(under.catalog, { organisationId, email: 'bob@example.org', role: 'member' })
    gus = await addMember(under.catalog, { organisationId, email: 'gus@example.org', role: 'guest' })
    gil = await addMember(under.catalog, { organisationId, email: 'gil@example.org', role: 'guest' })
  })

  const ports = () => ({
    catalog: under.catalog,
    clock,
    projects: new ProjectReader(under.catalog),
    log: createLogger({ role: 'test', level: 'silent' }),
    timeoutMs: 60_000,
    checkInsight: () => undefined,
    passwords: { hash: async () => '' },
    readFirstEvent: async () => undefined,
    runInsight: async (query: InsightCall) => {
      queries.push(query)
      return RANKED
    },
  })

  /** The gate has checked the roles. */
  const callerOf = (customerId: CustomerId, projectId: ProjectId) =>
    ({ customerId, project: { projectId, organisationId, role: 'member' } }) as const

  const as = (customerId: CustomerId, projectId = shop): Client<typeof DashboardGuestsService> =>
    clientOf(
      DashboardGuestsService,
      createDashboardGuestsService(ports(), new ShareLimiter(() => 0)),
      callerOf(customerId, projectId),
    )

  const boards = (projectId: ProjectId): Client<typeof DashboardsService> =>
    clientOf(DashboardsService, createDashboardsService(ports()), callerOf(ada, projectId))

  const addBoard = async (displayName: string, projectId = shop, ...tiles: TileInput[]): Promise<string> => {
    const { dashboard } = await boards(projectId).upsert({ displayName, description: 'all of it', tiles })
    return dashboard?.id ?? ''
  }

  const sharedWith = async (guest: CustomerId): Promise<readonly string[]> => {
    const { dashboards } = await as(guest).listShared({ orgId: organisationId })
    return dashboards.map(({ projectName, displayName }) => `${projectName}/${displayName}`)
  }

  const look = async (guest: CustomerId, dashboardId: string) =>
    await as(guest).queryShared({ orgId: organisationId, dashboardId })

  test('a guest sees the dashboards that are shared with them, and no other', async () => {
    const [growth, sales] = [await addBoard('Growth'), await addBoard('Sales')]
    const posts = await addBoard('Posts', blog)
    expect([await sharedWith(gus), await sharedWith(gil)]).toEqual([[], []])
    await as(ada).addGuest({ dashboardId: growth, customerId: gus })
    await as(ada, blog).addGuest({ dashboardId: posts, customerId: gus })
    expect([await sharedWith(gus), await sharedWith(gil)]).toEqual([['Blog/Posts', 'Shop/Growth'], []])
    expect((await look(gus, growth)).dashboard).toMatchObject({ id: growth, displayName: 'Growth' })
    expect(await refusalOf(look(gus, sales))).toEqual(NOT_FOUND)
    expect(await refusalOf(look(gil, growth))).toEqual(NOT_FOUND)
    expect(await refusalOf(look(gus, UNKNOWN_ID))).toEqual(NOT_FOUND)
    expect(await refusalOf(look(gus, '\0'))).toEqual(NOT_FOUND)
  })

  test('a guest gets the answers of the stored queries, without their filters and without ids of users', async () => {
    const id = await addBoard('Growth', shop, BUYERS, VISITS)
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    const { dashboard, timeZone } = await look(gus, id)
    expect(timeZone).toBe('UTC')
    expect(queries.map(({ request }) => request.spec?.insightType)).toEqual([
      InsightType.TOP_K,
      InsightType.TRENDS,
    ])
    const [buyers] = dashboard?.tiles ?? []
    expect(buyers?.outcome).toMatchObject({
      value: { result: { value: { rows: [{ dimensionValue: '#1', value: 9 }] } } },
    })
    expect(JSON.stringify(dashboard, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toContain(
      'secret',
    )
  })

  test('a guest chooses the range unless it is pinned, and the previous period of comparing tiles', async () => {
    const id = await addBoard('Growth', shop, BUYERS, VISITS)
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    const asked = { orgId: organisationId, dashboardId: id }
    await as(gus).queryShared({ ...asked, timeRange, granularity: Granularity.MINUTE })
    expect(queries).toMatchObject([{ request: { timeRange } }, { request: { timeRange } }])
    queries = []
    await as(gus).queryShared({ ...asked, previousPeriod: true })
    expect(queries).toMatchObject([{ request: { spec: { insightType: InsightType.TRENDS } } }])
    queries = []
    await boards(shop).update({ id, isRangePinned: true })
    for (const wider of [{ timeRange }, { allTime: true }, { granularity: Granularity.MINUTE }])
      expect(await refusalOf(as(gus).queryShared({ ...asked, ...wider }))).toEqual([
        'PermissionDenied',
        'SHARE_RANGE_PINNED',
      ])
    expect(queries).toEqual([])
  })

  test('a share ends at once, when a member ends it and with the membership', async () => {
    const id = await addBoard('Growth')
    for (const customerId of [gus, gil]) await as(ada).addGuest({ dashboardId: id, customerId })
    await look(gus, id)
    await as(ada).removeGuest({ dashboardId: id, customerId: gus })
    await as(ada).removeGuest({ dashboardId: id, customerId: gus })
    expect(await refusalOf(look(gus, id))).toEqual(NOT_FOUND)
    expect([await sharedWith(gus), await sharedWith(gil)]).toEqual([[], ['Shop/Growth']])
    await removeMember(under.catalog, { organisationId, customerId: ada, memberId: gil })
    expect(await refusalOf(look(gil, id))).toEqual(NOT_FOUND)
    await under.catalog
      .insertInto('memberships')
      .values({ organisation_id: organisationId, customer_id: gil, role: 'guest', created_ms: 3 })
      .execute()
    expect(await refusalOf(look(gil, id))).toEqual(NOT_FOUND)
  })

  test('a share ends with the dashboard and with the project', async () => {
    const [growth, sales] = [await addBoard('Growth'), await addBoard('Sales')]
    for (const dashboardId of [growth, sales]) await as(ada).addGuest({ dashboardId, customerId: gus })
    await boards(shop).delete({ id: growth })
    expect(await sharedWith(gus)).toEqual(['Shop/Sales'])
    await deleteProject(under.catalog, clock, shop)
    expect(await under.catalog.selectFrom('dashboard_guests').selectAll().execute()).toEqual([])
  })

  test('a member of another organisation with the same account sees nothing of this one', async () => {
    const id = await addBoard('Growth')
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    const theirs = await createOrganisation(under.catalog, clock, { customerId: gus, displayName: 'Theirs' })
    expect(await listSharedWith(under.catalog, { organisationId: theirs.id, customerId: gus })).toEqual([])
    expect(await refusalOf(as(gus).queryShared({ orgId: theirs.id, dashboardId: id }))).toEqual(NOT_FOUND)
  })

  test('members share the dashboards of their own project, with guests only', async () => {
    const id = await addBoard('Growth')
    const listed = async () => {
      const { guests } = await as(ada).listGuests({ dashboardId: id })
      return Object.fromEntries(guests.map(({ email, isShared }) => [email, isShared]))
    }
    expect(await listed()).toEqual({ 'gus@example.org': false, 'gil@example.org': false })
    const { guest } = await as(ada).addGuest({ dashboardId: id, customerId: gus })
    expect(guest).toMatchObject({ email: 'gus@example.org', isShared: true })
    // Again: nothing changes.
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    expect(await listed()).toEqual({ 'gus@example.org': true, 'gil@example.org': false })
    const other = as(ada, blog)
    const calls = [
      other.listGuests({ dashboardId: id }),
      other.addGuest({ dashboardId: id, customerId: gil }),
      other.removeGuest({ dashboardId: id, customerId: gus }),
    ]
    expect(await Promise.all(calls.map(refusalOf))).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND])
    await look(gus, id)
    expect(await refusalOf(as(ada).addGuest({ dashboardId: id, customerId: ada }))).toEqual([
      'FailedPrecondition',
      'NOT_A_GUEST',
    ])
    for (const customerId of [UNKNOWN_ID, '\0'])
      expect(await refusalOf(as(ada).addGuest({ dashboardId: id, customerId }))).toEqual([
        'NotFound',
        'MEMBER_NOT_FOUND',
      ])
  })

  test('a guest of the organisation who works in the project sees the guests it shares with, and no others', async () => {
    const [growth, sales] = [await addBoard('Growth'), await addBoard('Sales')]
    const role = { projectId: shop, memberId: gil, role: 'member' } as const
    await setProjectRole({ catalog: under.catalog, clock }, role)
    expect((await as(gil).listGuests({ dashboardId: growth })).guests).toEqual([])
    expect(await refusalOf(as(gil).addGuest({ dashboardId: growth, customerId: gus }))).toEqual([
      'NotFound',
      'MEMBER_NOT_FOUND',
    ])
    await as(ada).addGuest({ dashboardId: sales, customerId: gus })
    expect((await as(gil).listGuests({ dashboardId: growth })).guests).toMatchObject([
      { email: 'gus@example.org', isShared: false },
    ])
  })

  test('the list leaves out projects that the role opens, and has them again when it no longer does', async () => {
    const id = await addBoard('Growth')
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    const role = { projectId: shop, memberId: gus, role: 'viewer' } as const
    await setProjectRole({ catalog: under.catalog, clock }, role)
    expect(await sharedWith(gus)).toEqual([])
    // The address that a guest has kept still works.
    await look(gus, id)
    await setProjectRole({ catalog: under.catalog, clock }, { ...role, role: 'guest' })
    expect(await sharedWith(gus)).toEqual(['Shop/Growth'])
  })

  test('a copy of a dashboard has no guests', async () => {
    const id = await addBoard('Growth')
    await as(ada).addGuest({ dashboardId: id, customerId: gus })
    await addBoard('Copy of Growth')
    expect(await sharedWith(gus)).toEqual(['Shop/Growth'])
  })

  test('the calls of a guest about one dashboard are limited', async () => {
    const id = await addBoard('Growth')
    for (const customerId of [gus, gil]) await as(ada).addGuest({ dashboardId: id, customerId })
    const limiter = new ShareLimiter(() => 0)
    const service = createDashboardGuestsService(ports(), limiter)
    const call = async (guest: CustomerId): Promise<unknown> =>
      await clientOf(DashboardGuestsService, service, callerOf(guest, shop)).queryShared({
        orgId: organisationId,
        dashboardId: id,
      })
    await call(gus)
    for (let count = 1; count < 60; count++) limiter.take(`${id}\n${gus}`)
    expect(await refusalOf(call(gus))).toEqual(['ResourceExhausted', 'RATE_LIMITED'])
    await call(gil)
  })
})
