import type { Page } from 'playwright-core'
import { type Demo, eventsOf } from './fill-demo.ts'

/** A picture of a page. */
export interface Shot {
  readonly name: string
  /** The path of the page; `EMPTY` stands for the project without events, which shows how to send the first. */
  readonly path: (places: Places) => string
  /** Actions on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
  /** The picture shows a page that goes on loading. */
  readonly isLoading?: boolean
  /** The picture shows the whole page, however long it is. */
  readonly isWhole?: boolean
  /** The picture is that of a guest, with whom the dashboard is shared. */
  readonly isOfGuest?: boolean
}

/** The projects, and what is in them. */
export interface Places extends Demo {
  /** The project without events. */
  readonly emptyProjectId: string
  /** The rest of the path of a person. */
  readonly person: string
}

const NO_ID = '00000000-0000-4000-8000-000000000000'

const inDemo =
  (place: string): Shot['path'] =>
  ({ projectId }) =>
    `/p/${projectId}/${place}`

const inEmpty =
  (place: string): Shot['path'] =>
  ({ emptyProjectId }) =>
    `/p/${emptyProjectId}/${place}`

function insight(name: string, spec: object, more: Readonly<Record<string, string>> = {}): Shot {
  const query = new URLSearchParams({ spec: JSON.stringify(spec), range: 'LAST_30_DAYS', ...more })
  return { name, path: inDemo(`insights?${query}`) }
}

const funnel = (name: string, options: object = {}): Shot =>
  insight(name, {
    insightType: 'INSIGHT_TYPE_FUNNEL',
    events: eventsOf('page_view', 'signup', 'trial_started', 'purchase'),
    includeStepTiming: true,
    ...options,
  })

const FUNNEL = funnel('insight-funnel')

const SETTINGS = [
  'general',
  'keys',
  'goals',
  'channels',
  'data',
  'campaigns',
  'organisation',
  'members',
  'email',
  'audit',
  'account',
] as const

const settings = (name: string): Shot => ({
  name: `settings-${name}`,
  path: inEmpty(`settings/${name}`),
})

/** A key press, and the time that the layer takes to open. */
const press =
  (key: string, opened = 'dialog[open], [role="dialog"]'): NonNullable<Shot['act']> =>
  async (page) => {
    await page.keyboard.press(key)
    await page.locator(opened).first().waitFor()
  }

const openEvent: NonNullable<Shot['act']> = async (page) => {
  await page.locator('.live-row').first().click()
  await page.locator('.ui-drawer').waitFor()
}

/** A click, and the time that what it opens takes. */
const click =
  (target: string, opened: string): NonNullable<Shot['act']> =>
  async (page) => {
    await page.locator(target).first().click()
    await page.locator(opened).first().waitFor()
  }

/** Narrow lists have no columns to choose. */
const openColumns: NonNullable<Shot['act']> = async (page) => {
  const button = page.locator('.live-controls > :last-child')
  if (!(await button.isVisible())) return
  await button.click()
  await page.locator('.ui-columns').waitFor()
}

/** Opens a saved insight over time; annotations come once the pointer moves. */
const openSaved: NonNullable<Shot['act']> = async (page) => {
  await page.locator('.saved-table a').last().click()
  await page.locator('.time-series').waitFor()
  await page.mouse.move(300, 300)
  await page.locator('.annotation').first().waitFor()
}

const openInsights: NonNullable<Shot['act']> = async (page) => {
  await page.locator('.section-link[data-section="insights"]:visible').click()
}

/** The files of the next page fail to load, as in a network that is cut. */
const losePart: NonNullable<Shot['act']> = async (page) => {
  await page.route('**/assets/**', async (route) => await route.abort())
  await openInsights(page)
  await page.locator('.ui-toast').waitFor()
}

/** The service refuses the token and has no other, as for a session that was ended elsewhere. */
const endSession: NonNullable<Shot['act']> = async (page) => {
  await page.route('**/*Service/*', async (route) => {
    await route.fulfill({ status: 401, json: { code: 'unauthenticated' } })
  })
  await page.route('**/console/session/*', async (route) => await route.fulfill({ json: {} }))
  await openInsights(page)
  await page.getByText('Your session has ended.').waitFor()
}

/** The pictures of the documentation are without the banner of demo data. */
const withoutBanner: NonNullable<Shot['act']> = async (page) => {
  await page.evaluate("document.querySelector('.demo-banner')?.remove()")
}

const chooseSdk: NonNullable<Shot['act']> = async (page) => {
  await page.getByRole('radio', { name: /^SDK you have/ }).check()
}

const board: Shot['path'] = ({ projectId, dashboardId }) => `/p/${projectId}/dashboards/${dashboardId}`

/** At the foot of the side bar; on phones under More. */
const openAccountMenu: NonNullable<Shot['act']> = async (page) => {
  await page.locator('.account-menu:visible, .more-menu:visible').click()
  await page.getByRole('link', { name: 'Account settings' }).waitFor()
}

const openShare: NonNullable<Shot['act']> = async (page) => {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('switch', { name: 'Ask for a password' }).click()
  await page.locator('.share-password').waitFor()
}

/** Every page of the console, in the order of its navigation. */
export const SHOTS: readonly Shot[] = [
  { name: 'overview', path: inDemo('overview') },
  { name: 'overview-whole', path: inDemo('overview'), isWhole: true },
  { name: 'overview-filtered', path: inDemo('overview?filter=country:is:DE&range=last-7-days') },
  { name: 'overview-range', path: inDemo('overview'), act: press('d') },
  { name: 'overview-filter', path: inDemo('overview'), act: press('f') },
  { name: 'palette', path: inDemo('overview'), act: press('Control+k') },
  { name: 'keys', path: inDemo('overview'), act: press('?') },
  { name: 'account-menu', path: inDemo('overview'), act: openAccountMenu },
  { name: 'account', path: () => '/account', isWhole: true },
  { name: 'first-run', path: inEmpty('overview') },
  { name: 'first-run-sdk', path: inEmpty('overview'), act: chooseSdk },
  { name: 'live', path: inDemo('live') },
  { name: 'live-event', path: inDemo('live'), act: openEvent },
  { name: 'live-range', path: inDemo('live'), act: press('d') },
  { name: 'live-columns', path: inDemo('live'), act: openColumns },
  { name: 'live-period', path: inDemo('live?range=yesterday') },
  { name: 'insights', path: inDemo('insights') },
  { name: 'insight-saved', path: inDemo('insights'), act: openSaved },
  insight('insight-trends', {
    insightType: 'INSIGHT_TYPE_TRENDS',
    events: eventsOf('page_view'),
    breakdowns: [{ property: '$browser' }],
  }),
  insight(
    'insight-compare',
    { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('page_view', 'signup') },
    { compare: 'previous', view: 'area' },
  ),
  insight('insight-formulas', {
    insightType: 'INSIGHT_TYPE_TRENDS',
    events: eventsOf('page_view', 'purchase'),
    formulas: [{ expression: '100 * B / A', displayName: 'Purchase rate' }, { expression: 'max(A, 20 * B)' }],
  }),
  {
    name: 'cohorts-compare',
    path: ({ projectId, cohortId }) => {
      const spec = {
        insightType: 'INSIGHT_TYPE_TRENDS',
        events: eventsOf('page_view'),
        breakdownCohortIds: [cohortId],
      }
      return `/p/${projectId}/insights?${new URLSearchParams({ spec: JSON.stringify(spec), range: 'LAST_30_DAYS' })}`
    },
  },
  FUNNEL,
  funnel('insight-funnel-over-time', { funnel: { view: 'VIEW_OVER_TIME', order: 'ORDER_ANY' } }),
  funnel('insight-funnel-times', {
    funnel: {
      view: 'VIEW_TIME_TO_CONVERT',
      exclusions: [{ event: { kind: 'signup' }, afterStep: 2, beforeStep: 4 }],
      optionalSteps: [3],
    },
  }),
  insight('insight-retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: eventsOf('page_view') }),
  insight('insight-lifecycle', { insightType: 'INSIGHT_TYPE_LIFECYCLE', events: eventsOf('page_view') }),
  insight('insight-stickiness', { insightType: 'INSIGHT_TYPE_STICKINESS', events: eventsOf('page_view') }),
  insight('insight-paths', { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: { maxHops: 4 } }),
  insight('insight-countries', { insightType: 'INSIGHT_TYPE_MAP', map: {} }),
  {
    ...FUNNEL,
    name: 'insight-people',
    act: click('.funnel-count', '.people-row'),
  },
  insight('insight-nothing', { insightType: 'INSIGHT_TYPE_TRENDS', events: eventsOf('never_sent') }),
  {
    name: 'insight-picker',
    path: inDemo('insights?new=trends'),
    act: async (page) => {
      // On phones the query is in a sheet.
      const edit = page.getByRole('button', { name: 'Edit', exact: true })
      if (await edit.isVisible()) await edit.click()
      await click('.ui-chip button', '.entry-picker')(page)
    },
  },
  { name: 'dashboards', path: inDemo('dashboards') },
  { name: 'dashboards-none', path: inEmpty('dashboards') },
  { name: 'dashboard', path: board, isWhole: true },
  { name: 'dashboard-edit', path: board, act: press('e', '.tiles.editing') },
  { name: 'dashboard-add', path: board, act: press('n', '.ui-drawer') },
  { name: 'dashboard-share', path: board, act: openShare },
  { name: 'dashboard-shared', path: ({ shareId }) => `/share/${shareId}`, isWhole: true },
  { name: 'dashboard-shared-locked', path: ({ lockedShareId }) => `/share/${lockedShareId}` },
  { name: 'people', path: inDemo('people') },
  { name: 'people-none', path: inDemo('people?search=nobody+at+all') },
  { name: 'person', path: ({ projectId, person }) => `/p/${projectId}/people/${person}`, isWhole: true },
  { name: 'cohorts', path: inDemo('people/cohorts') },
  { name: 'cohorts-none', path: inEmpty('people/cohorts') },
  {
    name: 'cohort',
    path: ({ projectId, cohortId }) => `/p/${projectId}/people/cohorts/${cohortId}`,
    isWhole: true,
  },
  { name: 'cohorts-list', path: inDemo('people/cohorts/new-list') },
  {
    name: 'cohorts-filter',
    path: ({ projectId, cohortId }) => `/p/${projectId}/people?cohort=${cohortId}`,
  },
  { name: 'alerts', path: inDemo('alerts') },
  { name: 'alerts-none', path: inEmpty('alerts') },
  { name: 'alert', path: ({ projectId, alertId }) => `/p/${projectId}/alerts/${alertId}`, isWhole: true },
  { name: 'reports', path: inDemo('reports') },
  { name: 'reports-none', path: inEmpty('reports') },
  { name: 'report-new', path: inDemo('reports/new'), isWhole: true },
  { name: 'report', path: ({ projectId, reportId }) => `/p/${projectId}/reports/${reportId}`, isWhole: true },
  { name: 'dictionary', path: inDemo('data') },
  { name: 'dictionary-name', path: inDemo('data?name=signup') },
  ...SETTINGS.map(settings),
  { name: 'channels-none', path: inDemo('settings/channels') },
  {
    name: 'channels-new',
    path: inEmpty('settings/channels'),
    act: async (page) => {
      await page.getByRole('button', { name: 'New channel' }).click()
      await page.locator('.ui-drawer').waitFor()
    },
  },
  {
    name: 'channels-open',
    path: inEmpty('settings/channels'),
    act: click('.channels-open', '.channels-deliveries, .channels-log .settings-text'),
  },
  { name: 'sessions', path: inDemo('sessions') },
  {
    name: 'session',
    path: inDemo('sessions'),
    act: async (page) => {
      await page.locator('.ui-table time').first().click()
      await page.locator('.session-head').waitFor()
    },
  },
  {
    name: 'sessions-of-person',
    path: ({ projectId, person }) =>
      `/p/${projectId}/sessions?person=${person.replace(/^(user|id)(:|%3A)/, '')}&range=all-time`,
  },
  {
    name: 'sessions-filter',
    path: inDemo('sessions'),
    act: click('.session-chips > .ui-chip-row button', '.entry-picker'),
  },
  { name: 'sessions-none', path: inDemo('sessions?range=2020-01-01..2020-01-31') },
  {
    name: 'menu',
    path: inDemo('overview'),
    act: click('.side-menu-button:visible', '.side-menu-row'),
  },
  { name: 'guest-dashboards', path: () => '/shared', isOfGuest: true },
  {
    name: 'guest-dashboard',
    path: ({ orgId, dashboardId }) => `/shared/${orgId}/${dashboardId}`,
    isWhole: true,
    isOfGuest: true,
  },
  { name: 'dashboard-missing', path: inDemo(`dashboards/${NO_ID}`) },
  { name: 'part-missing', path: inDemo('live'), act: losePart, isLoading: true },
  { name: 'session-ended', path: inDemo('live'), act: endSession },
  { name: 'link-broken', path: () => '/sign-in?token=broken' },
  { name: 'share-unknown', path: () => '/share/unknown' },
  { name: 'not-found', path: inDemo('nowhere') },
  { name: 'docs', path: () => '/docs/' },
  { name: 'docs-page', path: () => '/docs/concepts' },
  { name: 'picture-overview', path: inDemo('overview'), act: withoutBanner },
  { ...FUNNEL, name: 'picture-funnel', act: withoutBanner },
  { name: 'picture-dashboard', path: board, act: withoutBanner },
  { name: 'picture-live', path: inDemo('live'), act: withoutBanner },
]
