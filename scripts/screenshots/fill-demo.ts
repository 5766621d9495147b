import { callAs, firstOrganisation } from '../../test/harness/console-colleague.ts'
import { ADMIN } from '../../test/harness/console-service.ts'
import type { TestService } from '../../test/harness/service.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const GUESTS = 'millrace.dashboards.v1.DashboardGuestsService'
const GOALS = 'millrace.web.v1.GoalsService/Create'
const COHORTS = 'millrace.cohorts.v1.CohortsService/Create'
const INSIGHTS = 'millrace.library.v1.SavedInsightsService/Create'
const ALERTS = 'millrace.alerts.v1.AlertsService/Create'
const CHANNELS = 'millrace.alerts.v1.ChannelsService/Create'
const REPORTS = 'millrace.reports.v1.ReportsService/Create'
const ANNOTATIONS = 'millrace.library.v1.AnnotationsService/Create'

/** Facts about the demo project that the pictures need. */
export interface Demo {
  readonly orgId: string
  readonly projectId: string
  readonly dashboardId: string
  readonly shareId: string
  /** A share with a password. */
  readonly lockedShareId: string
  readonly cohortId: string
  readonly alertId: string
  readonly reportId: string
}

/** Events of an insight, each by its name. */
export const eventsOf = (...kinds: readonly string[]): object[] => kinds.map((kind) => ({ event: { kind } }))

/** Tiles of a dashboard, from those of the request. */
const TILES = [
  {
    displayName: 'Page views',
    position: { x: 0, y: 0, w: 3, h: 4 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
    compare: 'COMPARE_PERIOD_PRIOR',
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('page_view') },
  },
  {
    displayName: 'Signups',
    position: { x: 3, y: 0, w: 3, h: 4 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
    compare: 'COMPARE_PERIOD_PRIOR',
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('signup') },
  },
  {
    displayName: 'Trials',
    position: { x: 6, y: 0, w: 3, h: 4 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
    compare: 'COMPARE_PERIOD_PRIOR',
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('trial_started') },
  },
  {
    displayName: 'Purchases',
    position: { x: 9, y: 0, w: 3, h: 4 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
    compare: 'COMPARE_PERIOD_PRIOR',
    thresholds: [{ operator: 'OPERATOR_GTE', value: 10, tone: 'TONE_GOOD' }],
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('purchase') },
  },
  {
    displayName: 'Page views by browser',
    position: { x: 0, y: 4, w: 8, h: 7 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_BAR_STACKED',
    spec: {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: eventsOf('page_view'),
      breakdowns: [{ property: '$browser' }],
    },
  },
  {
    displayName: 'Countries',
    position: { x: 8, y: 4, w: 4, h: 7 },
    spec: { insightType: 'INSIGHT_TYPE_MAP', map: {} },
  },
  {
    displayName: 'Signups and trials',
    position: { x: 0, y: 11, w: 6, h: 7 },
    compare: 'COMPARE_PERIOD_PRIOR',
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('signup', 'trial_started') },
  },
  {
    displayName: 'From visit to purchase',
    position: { x: 6, y: 11, w: 6, h: 7 },
    spec: {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events: eventsOf('page_view', 'signup', 'trial_started', 'purchase'),
      includeStepTiming: true,
    },
  },
  {
    displayName: 'Retention',
    position: { x: 0, y: 18, w: 12, h: 9 },
    spec: { insightType: 'INSIGHT_TYPE_RETENTION', events: eventsOf('page_view') },
  },
] as const

/** Makes the demo project with goals and shared dashboards, through the public interface as any client would. */
export async function fillDemo(service: TestService): Promise<Demo> {
  const orgId = await firstOrganisation(service)
  const { project } = await callAs(service, ADMIN, {
    method: 'dashboard.projects.v1.ProjectsService/Create',
    body: { orgId, displayName: 'Lumen Studio', reportingTimezone: 'Europe/Berlin', isDemo: true },
  })
  const { id: projectId } = project as { readonly id: string }
  const goals = [
    { name: 'Signup', event: { kind: 'signup' } },
    { name: 'Purchase', event: { kind: 'purchase' }, valueProperty: 'amount' },
    { name: 'Pricing page', pagePattern: '/pricing' },
  ]
  for (const goal of goals) await create(service, projectId, { method: GOALS, content: goal })
  const cohortId = await createCohorts(service, projectId)
  await fillLibrary(service, projectId)
  const alertId = await createAlerts(service, projectId)
  const tiles = TILES.map(({ spec, ...tile }) => ({ ...tile, insight: { spec } }))
  const range = { defaultTimeRange: 'TIME_RANGE_PRESET_LAST_30_DAYS' }
  const growth = { displayName: 'Growth', description: 'How the shop is doing', ...range, tiles }
  const shareExpireTime = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const { id, shareId } = await share(service, projectId, growth, { isEmbeddable: true, shareExpireTime })
  const report = { displayName: 'Report', ...range, tiles: [] }
  const locked = await share(service, projectId, report, { sharePassword: 'correct horse' })
  const reportId = await createReports(service, projectId, id)
  const lockedShareId = locked.shareId
  await shareWithGuest(service, projectId, [id, locked.id])
  return { orgId, projectId, dashboardId: id, shareId, lockedShareId, cohortId, alertId, reportId }
}

/** Shares dashboards with the only guest. */
async function shareWithGuest(
  service: TestService,
  projectId: string,
  dashboardIds: readonly string[],
): Promise<void> {
  for (const dashboardId of dashboardIds) {
    const list = { method: `${GUESTS}/ListGuests`, body: { dashboardId }, projectId }
    const { guests } = await callAs(service, ADMIN, list)
    const [first] = guests as readonly { readonly customerId: string }[]
    const body = { dashboardId, customerId: first?.customerId }
    await callAs(service, ADMIN, { method: `${GUESTS}/AddGuest`, body, projectId })
  }
}

/** A dashboard, as far as its addresses name it. */
interface SharedDashboard {
  readonly id: string
  readonly shareId: string
}

/** Stores a dashboard and shares it. */
async function share(
  service: TestService,
  projectId: string,
  content: object,
  options: object,
): Promise<SharedDashboard> {
  const stored = await callAs(service, ADMIN, { method: `${DASHBOARDS}/Upsert`, body: content, projectId })
  const { id } = stored.dashboard as SharedDashboard
  const body = { id, isPublic: true, ...options }
  const shared = await callAs(service, ADMIN, { method: `${DASHBOARDS}/Update`, body, projectId })
  return shared.dashboard as SharedDashboard
}

/** Stores insights and annotations for charts of the last month. */
async function fillLibrary(service: TestService, projectId: string): Promise<void> {
  const trends = { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('page_view') }
  const steps = { insightType: 'INSIGHT_TYPE_FUNNEL', events: eventsOf('page_view', 'signup', 'purchase') }
  const contents = [
    { name: 'Page views by browser', tags: ['traffic'], spec: trends },
    { name: 'Visit to purchase', description: 'Weekly review', tags: ['growth', 'weekly'], spec: steps },
  ]
  for (const content of contents) await create(service, projectId, { method: INSIGHTS, content: { content } })
  const notes = [
    { text: 'Release 2.4', days: 9 },
    { text: 'Newsletter', days: 16 },
    { text: 'New pricing page', days: 17 },
  ]
  for (const { text, days } of notes) {
    const time = new Date(Date.now() - days * 86_400_000).toISOString()
    await create(service, projectId, { method: ANNOTATIONS, content: { text, time } })
  }
}

/** Stores alerts that tell a channel; returns the id of the first. */
async function createAlerts(service: TestService, projectId: string): Promise<string> {
  const mail = { name: 'Product team', mail: { addresses: [ADMIN.email] } }
  const { channel } = await create(service, projectId, { method: CHANNELS, content: mail })
  const channelIds = [(channel as { readonly id: string }).id]
  const store = async (content: object): Promise<string> => {
    const { alert } = await create(service, projectId, { method: ALERTS, content: { content } })
    return (alert as { readonly id: string }).id
  }
  const common = { point: { series: {} }, cadence: 'ALERT_CADENCE_DAILY', channelIds }
  const trends = (kind: string): object => ({ insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf(kind) })
  const falls = { subject: 'SUBJECT_CHANGE_PERCENT', operator: 'OPERATOR_BELOW', threshold: -30 }
  const above = { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_ABOVE', threshold: 40 }
  const first = { name: 'Signups fall', spec: trends('signup'), condition: falls, ...common }
  const quietHours = { startMinute: 22 * 60, endMinute: 7 * 60 }
  const id = await store({ ...first, note: 'Look at the campaign first', quietHours })
  await store({ name: 'Many trials', spec: trends('trial_started'), condition: above, ...common })
  await store({ name: 'Purchases', spec: trends('purchase'), condition: above, ...common, paused: true })
  return id
}

/** Stores reports on a dashboard and on the overview; returns the id of the first. */
async function createReports(service: TestService, projectId: string, dashboardId: string): Promise<string> {
  const store = async (content: object): Promise<string> => {
    const { report } = await create(service, projectId, { method: REPORTS, content: { report: content } })
    return (report as { readonly id: string }).id
  }
  const weekly = { frequency: 'FREQUENCY_WEEKLY', day: 1, hour: 8 }
  const addresses = [ADMIN.email, 'ceo@example.net']
  const id = await store({ name: 'Growth', dashboard: { dashboardId }, schedule: weekly, addresses })
  const monthly = { frequency: 'FREQUENCY_MONTHLY', day: 31, hour: 18, timezone: 'Asia/Tokyo' }
  await store({ name: 'Web, monthly', webOverview: {}, schedule: monthly, addresses })
  const daily = { frequency: 'FREQUENCY_DAILY', hour: 7 }
  await store({ name: 'Yesterday', webOverview: {}, schedule: daily, addresses, paused: true })
  return id
}

/** Stores three cohorts, of which the last refers to the others; returns its id. */
async function createCohorts(service: TestService, projectId: string): Promise<string> {
  const store = async (content: object): Promise<string> => {
    const { cohort } = await create(service, projectId, { method: COHORTS, content })
    return (cohort as { readonly id: string }).id
  }
  const staff = await store({ name: 'Staff', description: 'Our own accounts', static: { ids: ['nobody'] } })
  const signup = { event: { kind: 'signup' }, window: { lastDays: 90 } }
  await store({ name: 'New customers', definition: { condition: { firstPerformed: signup } } })
  const views = { event: { kind: 'page_view' }, window: { lastDays: 30 } }
  const email = { property: 'email', operator: 'FILTER_OPERATOR_CONTAINS', value: '.example' }
  const members = [
    { condition: { performed: { ...views, count: { operator: 'OPERATOR_AT_LEAST', value: 2 } } } },
    {
      group: {
        operator: 'LOGICAL_OPERATOR_OR',
        members: [
          { condition: { trait: { filter: email } } },
          { condition: { performed: { event: { kind: 'purchase' }, window: { ever: true } } } },
        ],
      },
    },
    { condition: { cohort: { cohortId: staff }, negate: true } },
  ]
  const description = 'Came back within a month, without our own team'
  return await store({ name: 'Regulars', description, definition: { group: { members } } })
}

/** As the signed-in user, without the key of the first project, which programs of tests send. */
async function create(
  service: TestService,
  projectId: string,
  { method, content }: { readonly method: string; readonly content: object },
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  const response = await fetch(`${service.url}/${method}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${body.token}`,
      'x-project-id': projectId,
    },
    body: JSON.stringify(content),
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Readonly<Record<string, unknown>>
}
