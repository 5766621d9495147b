// Makes a picture of each page of the console, in light and dark, on a desktop and on a phone, in `screenshots/`. It runs a
// service of its own, with generated events. Words after the command choose pages by name.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { type BrowserLook, openBrowser } from '../test/harness/browser.ts'
import {
  ADMIN,
  makeTraffic,
  sendTraffic,
  signInAt,
  startConsoleService,
} from '../test/harness/console-service.ts'
import type { TestService } from '../test/harness/service.ts'
import { fillSettings } from './fill-settings.ts'

const folder = resolve(import.meta.dirname, '..', 'screenshots')

const LOOKS = {
  'desktop-light': { width: 1280, height: 860, colorScheme: 'light' },
  'desktop-dark': { width: 1280, height: 860, colorScheme: 'dark' },
  'phone-light': { width: 360, height: 740, colorScheme: 'light' },
  'phone-dark': { width: 360, height: 740, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserLook>

/** A page, by its place below the project, and what has to be there. */
interface Shot {
  readonly name: string
  readonly place: string
  readonly ready: string
}

const insight = (
  name: string,
  spec: object,
  ready: string,
  more: Readonly<Record<string, string>> = { range: 'LAST_14_DAYS' },
): Shot => ({
  name,
  place: `insights?${new URLSearchParams({ spec: JSON.stringify(spec), ...more })}`,
  ready,
})

const events = (...kinds: readonly string[]): object[] => kinds.map((kind) => ({ event: { kind } }))

const SHOTS: readonly Shot[] = [
  { name: 'live', place: 'live', ready: '.event-list' },
  insight(
    'trends',
    {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: events('page_view'),
      breakdowns: [{ property: '$browser' }],
    },
    '.uplot',
  ),
  insight(
    'funnel',
    {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events: events('page_view', 'sign_up', 'purchase'),
      includeStepTiming: true,
    },
    '.funnel-bars',
  ),
  insight('retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: events('page_view') }, '.heat'),
  insight('flow', { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: { maxHops: 3 } }, '.paths svg'),
  insight('countries', { insightType: 'INSIGHT_TYPE_MAP', map: {} }, '.world-outlines'),
  insight(
    'compare',
    { insightType: 'INSIGHT_TYPE_TRENDS', events: events('page_view', 'sign_up') },
    '.uplot',
    { range: 'LAST_7_DAYS', compare: 'prior', view: 'area' },
  ),
  { name: 'dashboards', place: 'dashboards', ready: '.cards' },
  { name: 'dashboard', place: 'dashboards/DASHBOARD', ready: '.heat' },
  { name: 'people', place: 'people', ready: 'table' },
  { name: 'person', place: 'people/user%3Acustomer-3', ready: '.event-list' },
  { name: 'settings', place: 'settings', ready: 'table' },
  { name: 'settings-organisation', place: 'settings/organisation', ready: 'table' },
  { name: 'settings-members', place: 'settings/members', ready: '.plain-list select' },
  { name: 'settings-mail', place: 'settings/mail', ready: '.facts' },
  { name: 'settings-campaigns', place: 'settings/campaigns', ready: '.ruled' },
  { name: 'settings-account', place: 'settings/account', ready: '.plain-list' },
]

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'

/** Tiles of a dashboard, from those of the request. */
const TILES = [
  {
    displayName: 'Visits by browser',
    position: { x: 0, y: 0, w: 8, h: 4 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_BAR_STACKED',
    spec: {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: events('page_view'),
      breakdowns: [{ property: '$browser' }],
    },
  },
  {
    displayName: 'Purchases',
    position: { x: 8, y: 0, w: 4, h: 2 },
    compare: 'COMPARE_PERIOD_PRIOR',
    thresholds: [{ operator: 'OPERATOR_GTE', value: 10, tone: 'TONE_GOOD' }],
    spec: { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: events('purchase') },
  },
  {
    displayName: 'Visits a day',
    position: { x: 8, y: 2, w: 4, h: 2 },
    viewMode: 'DASHBOARD_TILE_VIEW_MODE_KPI',
    compare: 'COMPARE_PERIOD_PRIOR',
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: events('page_view') },
  },
  {
    displayName: 'Visits and sign-ups',
    position: { x: 0, y: 4, w: 6, h: 4 },
    compare: 'COMPARE_PERIOD_PRIOR',
    thresholds: [
      { operator: 'OPERATOR_GTE', value: 15, tone: 'TONE_GOOD' },
      { operator: 'OPERATOR_LT', value: 5, tone: 'TONE_BAD' },
    ],
    spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: events('page_view', 'sign_up') },
  },
  {
    displayName: 'From visit to purchase',
    position: { x: 6, y: 4, w: 6, h: 4 },
    spec: {
      insightType: 'INSIGHT_TYPE_FUNNEL',
      events: events('page_view', 'sign_up', 'purchase'),
      includeStepTiming: true,
    },
  },
  {
    displayName: 'Where from',
    position: { x: 0, y: 8, w: 4, h: 4 },
    spec: { insightType: 'INSIGHT_TYPE_MAP', map: {} },
  },
  {
    displayName: 'Who comes back',
    position: { x: 4, y: 8, w: 8, h: 4 },
    spec: { insightType: 'INSIGHT_TYPE_RETENTION', events: events('page_view') },
  },
]

/** Makes a dashboard through the public interface, as any client would. Answers its id. */
async function createDashboard(service: TestService, projectId: string): Promise<string> {
  const signedIn = await service.call('public.auth.v1.AuthService/SignInWithEmail', ADMIN)
  const headers = { authorization: `Bearer ${signedIn.body.token}`, 'x-project-id': projectId }
  const tiles = TILES.map(({ spec, ...tile }) => ({ ...tile, insight: { spec } }))
  const dashboard = { displayName: 'Growth', description: 'How the shop is doing', tiles }
  const range = { defaultTimeRange: 'TIME_RANGE_PRESET_LAST_7_DAYS' }
  const { body } = await service.call(`${DASHBOARDS}/Upsert`, { ...dashboard, ...range }, headers)
  return (body.dashboard as { readonly id: string }).id
}

async function shoot(page: Page, base: string, look: string, dashboardId: string): Promise<void> {
  for (const { name, place, ready } of shots) {
    await page.goto(`${base}/${place.replace('DASHBOARD', dashboardId)}`)
    await page.waitForLoadState('networkidle')
    // What nobody could see yet is not drawn.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator(ready).first().waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await page.waitForLoadState('networkidle')
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: look.startsWith('phone') })
  }
}

const chosen = process.argv.slice(2)
const shots = SHOTS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
if (shots.length === 0)
  throw new Error(`no page has such a name; there are ${SHOTS.map(({ name }) => name).join(', ')}`)
mkdirSync(folder, { recursive: true })
const service = await startConsoleService()
let dashboardId: string | undefined
try {
  await sendTraffic(service, makeTraffic(Date.now()))
  await fillSettings(service)
  for (const [look, options] of Object.entries(LOOKS)) {
    const browser = await openBrowser(options)
    try {
      const page = await browser.context.newPage()
      await page.goto(service.url)
      await page.getByLabel('Email').waitFor()
      if (chosen.length === 0) await page.screenshot({ path: join(folder, `sign-in-${look}.png`) })
      await signInAt(page, service.url)
      await page.waitForURL(/\/p\/[^/]+\/overview/)
      const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
      dashboardId ??= await createDashboard(service, base.slice(base.lastIndexOf('/') + 1))
      await shoot(page, base, look, dashboardId)
    } finally {
      await browser.close()
    }
  }
} finally {
  await service.destroy()
}
process.stdout.write(`the pictures are in ${folder}\n`)
