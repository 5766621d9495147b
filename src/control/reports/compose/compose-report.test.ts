import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../../test/harness/describe-catalog.ts'
import { recordingLog } from '../../../../test/harness/recording-log.ts'
import { TimeRangePreset } from '../../../contract/gen/common/v1/time_range_pb.js'
import {
  type DashboardTileInput,
  DashboardTileInputSchema,
} from '../../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { ReportInputSchema } from '../../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import {
  type QueryOverviewRequest,
  QueryOverviewResponseSchema,
  type QueryTableRequest,
} from '../../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity, InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asOrganisationId, type ProjectId } from '../../../contract/ids.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { insertProject } from '../../../store/catalog/projects.ts'
import { createDashboard } from '../../dashboards/dashboard-store.ts'
import type { InsightCall } from '../../dashboards/render-dashboard.ts'
import type { Report } from '../report.ts'
import type { Composed } from '../send-reports.ts'
import { createComposeReport } from './compose-report.ts'

const ORGANISATION = asOrganisationId('11111111-2222-3333-4444-555555555555')
const [FROM_MS, TO_MS] = [Date.parse('2026-06-07T22:00:00Z'), Date.parse('2026-06-14T22:00:00Z')]
const DAY_MS = 86_400_000

describeCatalog('the mail of a report', (under) => {
  let projectId: ProjectId
  let asked: QueryRequest[]
  let overviews: QueryOverviewRequest[]
  let tables: QueryTableRequest[]
  let fail: ServiceError | undefined

  const clock = { nowMs: () => TO_MS + DAY_MS }

  beforeEach(async () => {
    asked = []
    overviews = []
    tables = []
    fail = undefined
    await under.catalog
      .insertInto('organisations')
      .values({ id: ORGANISATION, display_name: 'O', created_ms: 1 })
      .execute()
    projectId = await insertProject(under.catalog, clock, {
      organisationId: ORGANISATION,
      displayName: 'Shop',
    })
  })

  const runInsight = async ({ request }: InsightCall) => {
    asked.push(request)
    if (request.spec?.insightType === InsightType.FUNNEL && fail) throw fail
    if (request.spec?.insightType === InsightType.FUNNEL) return create(QueryResponseSchema, {})
    const isEarlier = request.timeRange?.from?.seconds !== BigInt(FROM_MS / 1000)
    const points = Array.from({ length: 7 }, (_, at) => ({
      time: timestampFromMs(FROM_MS + at * DAY_MS),
      value: isEarlier ? 10 : 20,
    }))
    const series = [{ eventKind: 'sale', points }]
    return create(QueryResponseSchema, { result: { case: 'trends', value: { series } } })
  }

  const tile = (displayName: string, insightType: InsightType): DashboardTileInput =>
    create(DashboardTileInputSchema, {
      displayName,
      content: { case: 'insight', value: { spec: { insightType, events: [{ event: { kind: 'sale' } }] } } },
    })

  const composeFor = async (content: Report['spec']['content']): Promise<Composed> => {
    const { catalog } = under
    const compose = createComposeReport({
      catalog,
      clock,
      runInsight,
      queryOverview: async ({ request }) => {
        overviews.push(request)
        return create(QueryOverviewResponseSchema, {
          totals: { visitors: 30n, visits: 40n, bounceRate: 50 },
          comparisonTotals: { visitors: 20n, visits: 40n, bounceRate: 40 },
          points: [{ time: timestampFromMs(FROM_MS), metrics: { visitors: 30n } }],
        })
      },
      queryTable: async ({ request }) => {
        tables.push(request)
        throw fail ?? new ServiceError({ code: 'internal', reason: 'INTERNAL', message: 'internal error' })
      },
      log: recordingLog([]),
      timeoutMs: 5000,
      publicUrl: 'https://millrace.example.com',
    })
    const report: Report = {
      id: '44444444-2222-3333-4444-555555555555',
      projectId,
      spec: create(ReportInputSchema, { name: 'Weekly', content }),
      isEnabled: true,
      pausedReason: '',
      createdBy: '',
      createdMs: 1,
      updatedMs: 1,
    }
    const { signal } = new AbortController()
    const period = { fromMs: FROM_MS, toMs: TO_MS }
    return await compose({ report, period, timeZone: 'Europe/Berlin', signal })
  }

  const addDashboard = async (tiles: readonly DashboardTileInput[]) => {
    const settings = {
      displayName: 'Board',
      description: '',
      defaultTimeRange: TimeRangePreset.LAST_30_DAYS,
      defaultGranularity: Granularity.DAY,
    }
    const store = { catalog: under.catalog, clock }
    const { id } = await createDashboard(store, projectId, { ...settings, tiles })
    return { case: 'dashboard', value: { dashboardId: id } } as Report['spec']['content']
  }

  test('shows each tile with its change, and the error of a tile in its place', async () => {
    fail = new ServiceError({
      code: 'invalid_argument',
      reason: 'INVALID_INSIGHT_QUERY',
      message: 'events: needs two',
    })
    const content = await addDashboard([
      tile('Sales', InsightType.TRENDS),
      tile('Checkout', InsightType.FUNNEL),
    ])
    const { mail, isIncomplete } = await composeFor(content)
    expect(isIncomplete).toBe(false)
    expect(mail.subject).toBe('Weekly: Jun 8 – 14, 2026')
    expect(mail.pictures).toHaveLength(1)
    expect(mail.text).toContain('SALES\nsale: 140 (+100.0%)')
    expect(mail.text).toContain('CHECKOUT\nEvents: needs two.')
    expect(mail.html).toContain('Events: needs two.')
    expect(mail.html).toContain(`src="cid:${mail.pictures[0]?.cid}"`)
  })

  test('is incomplete while a tile fails for a reason that may go away', async () => {
    fail = new ServiceError({
      code: 'unavailable',
      reason: 'STORE_UNAVAILABLE',
      message: 'ClickHouse is down',
    })
    const { isIncomplete } = await composeFor(await addDashboard([tile('Checkout', InsightType.FUNNEL)]))
    expect(isIncomplete).toBe(true)
  })

  test('has at most twelve pictures and 24 tiles', async () => {
    const tiles = Array.from({ length: 30 }, (_, at) => tile(`T${at}`, InsightType.TRENDS))
    const { mail } = await composeFor(await addDashboard(tiles))
    expect(mail.pictures).toHaveLength(12)
    expect(mail.text).toContain('6 more in Millrace.')
  })

  test('of the web overview has its measures, and the errors of its tables', async () => {
    const { mail, isIncomplete } = await composeFor({
      case: 'webOverview',
      value: { filters: [], cohorts: [{ cohortId: 'c', negate: true }], includeBots: false },
    } as never)
    expect(isIncomplete).toBe(true)
    const ofCohorts = { cohorts: [{ cohortId: 'c', negate: true }] }
    expect(overviews).toMatchObject([ofCohorts])
    expect(tables).toMatchObject(Array.from({ length: 4 }, () => ofCohorts))
    expect(mail.text).toContain('Visitors: 30 (+50.0%)')
    expect(mail.text).toContain('Bounce rate: 50.0% (+10.0 pp)')
    expect(mail.text).toContain('TOP PAGES\ninternal error')
    expect(mail.text).toContain(`https://millrace.example.com/p/${projectId}/overview`)
  })
})
