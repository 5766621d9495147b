import type { Page } from 'playwright-core'
import { type Demo, eventsOf } from './fill-demo.ts'

/** A picture of a page. */
export interface Shot {
  readonly name: string
  /** The path of the page; `EMPTY` stands for the project without events, which shows how to send the first. */
  readonly path: (places: Places) => string
  /** What to do on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
  /** The picture shows the whole page, however long it is. */
  readonly isWhole?: boolean
}

/** The projects, and what is in them. */
export interface Places extends Demo {
  /** The project without events. */
  readonly emptyProjectId: string
  /** The rest of the path of a person. */
  readonly person: string
}

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

const SETTINGS = [
  'general',
  'keys',
  'goals',
  'data',
  'campaigns',
  'organisation',
  'members',
  'email',
  'account',
] as const

const settings = (name: string): Shot => ({
  name: `settings-${name}`,
  path: inEmpty(`settings/${name}`),
})

/** A key press, and the time that the layer takes to open. */
const press =
  (key: string): NonNullable<Shot['act']> =>
  async (page) => {
    await page.keyboard.press(key)
    await page.locator('dialog[open], [role="dialog"]').first().waitFor()
  }

const openEvent: NonNullable<Shot['act']> = async (page) => {
  await page.locator('.live-row').first().click()
  await page.locator('.ui-drawer').waitFor()
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
  { name: 'first-run', path: inEmpty('overview') },
  { name: 'live', path: inDemo('live') },
  { name: 'live-event', path: inDemo('live'), act: openEvent },
  { name: 'insights', path: inDemo('insights') },
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
  insight('insight-funnel', {
    insightType: 'INSIGHT_TYPE_FUNNEL',
    events: eventsOf('page_view', 'signup', 'trial_started', 'purchase'),
    includeStepTiming: true,
  }),
  insight('insight-retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: eventsOf('page_view') }),
  insight('insight-paths', { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: { maxHops: 4 } }),
  insight('insight-countries', { insightType: 'INSIGHT_TYPE_MAP', map: {} }),
  { name: 'dashboards', path: inDemo('dashboards') },
  {
    name: 'dashboard',
    path: ({ projectId, dashboardId }) => `/p/${projectId}/dashboards/${dashboardId}`,
    isWhole: true,
  },
  { name: 'dashboard-shared', path: ({ shareId }) => `/share/${shareId}`, isWhole: true },
  { name: 'people', path: inDemo('people') },
  { name: 'person', path: ({ projectId, person }) => `/p/${projectId}/people/${person}`, isWhole: true },
  ...SETTINGS.map(settings),
  { name: 'sessions', path: inDemo('sessions') },
  {
    name: 'session',
    path: inDemo('sessions'),
    act: async (page) => {
      await page.locator('.ui-table time').first().click()
      await page.locator('.session-head').waitFor()
    },
  },
  { name: 'not-found', path: inDemo('nowhere') },
]
