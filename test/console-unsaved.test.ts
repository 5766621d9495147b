import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { addColleague, callAs } from './harness/console-colleague.ts'
import { type ConsolePage, openConsolePage, openProject } from './harness/console-page.ts'
import {
  ADMIN,
  type Credentials,
  makeTraffic,
  sendTraffic,
  startConsoleService,
} from './harness/console-service.ts'
import type { TestService } from './harness/service.ts'

const ALERTS = 'millrace.alerts.v1.AlertsService'
const COHORTS = 'millrace.cohorts.v1.CohortsService'
const REPORTS = 'millrace.reports.v1.ReportsService'
const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'

const UNSAVED = 'Your changes are not saved. Leave this page?'

const ORDERS = {
  name: 'Orders',
  spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'purchase' } }] },
  point: { series: {} },
  condition: { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_ABOVE', threshold: 1 },
  cadence: 'ALERT_CADENCE_DAILY',
}

const BUYERS = { condition: { performed: { event: { kind: 'purchase' }, window: { ever: true } } } }

const WEB = {
  name: 'Web',
  webOverview: {},
  schedule: { frequency: 'FREQUENCY_WEEKLY', hour: 8 },
  addresses: [ADMIN.email],
}

describe.skipIf(!hasChromium())('work that is not stored yet', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string
  let member: Credentials
  let ids: {
    readonly alert: string
    readonly report: string
    readonly cohort: string
    readonly board: string
  }
  /** The questions of the browser, each answered by Cancel. */
  const asked: string[] = []

  const make = async (method: string, body: object): Promise<Record<string, { readonly id: string }>> => {
    const made = await callAs(service, ADMIN, { method, body, projectId: '1' })
    return made as Record<string, { readonly id: string }>
  }

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    member = await addColleague(service, 'member')
    const { alert } = await make(`${ALERTS}/Create`, { content: ORDERS })
    const { report } = await make(`${REPORTS}/Create`, { report: WEB })
    const { cohort } = await make(`${COHORTS}/Create`, { name: 'Buyers', definition: BUYERS })
    const tiles = ['Views', 'Again'].map((displayName) => ({
      displayName,
      markdown: { body: `# ${displayName}` },
    }))
    const { dashboard } = await make(`${DASHBOARDS}/Upsert`, { displayName: 'Numbers', tiles })
    ids = {
      alert: alert?.id ?? '',
      report: report?.id ?? '',
      cohort: cohort?.id ?? '',
      board: dashboard?.id ?? '',
    }
    opened = await openConsolePage()
    page = opened.page
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss())
    })
    base = await openProject(page, service.url)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  beforeEach(() => {
    asked.length = 0
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  /** Ends the session as another device does: every call is refused, and the cookie is worthless. */
  const endSession = async (): Promise<void> => {
    const json = { status: 401, contentType: 'application/json', body: '{"code":"unauthenticated"}' }
    await page.route(
      /\/(millrace|dashboard|shared)\.[\w.]+\/\w+$/,
      async (route) => await route.fulfill(json),
    )
    await opened.browser.context.clearCookies()
  }

  const signInAgain = async (who: Credentials = ADMIN): Promise<void> => {
    await page.getByText('Your session has ended.').waitFor()
    await page.unrouteAll()
    await page.getByLabel('Email', { exact: true }).fill(who.email)
    await page.getByLabel('Password').fill(who.password)
    await button('Continue').click()
    await page.getByText('Your session has ended.').waitFor({ state: 'detached' })
  }

  describe('when the session ends', () => {
    test('a form waits behind the sign-in, and is stored afterwards', async () => {
      await page.goto(`${base}/alerts/${ids.alert}`)
      const note = page.getByLabel('Note in the notification')
      await note.fill('Call the shop')
      const title = await page.title()
      await endSession()
      await button('Save').click()
      await page.getByText('Your session has ended.').waitFor()
      expect(await findBarriers(page)).toEqual([])
      // Keys of the page wait, too.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      expect(await page.getByRole('dialog').count()).toBe(1)
      await signInAgain()
      expect([await note.inputValue(), await page.title()]).toEqual(['Call the shop', title])
      await button('Save').click()
      await page.getByText('‘Orders’ saved').waitFor()
      const { alert } = await make(`${ALERTS}/Get`, { id: ids.alert })
      expect(alert).toMatchObject({ content: { note: 'Call the shop' } })
    })

    test('a layout of a dashboard waits, too', async () => {
      await page.goto(`${base}/dashboards/${ids.board}`)
      await button('Edit').click()
      await page.getByRole('button', { name: /^Move Views/ }).focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await endSession()
      await button('Done').click()
      await signInAgain()
      await button('Done').click()
      await button('Edit').waitFor()
      const { dashboard } = await make(`${DASHBOARDS}/Get`, { id: ids.board })
      const { tiles } = dashboard as unknown as { readonly tiles: readonly { readonly position: object }[] }
      expect(tiles.some(({ position }) => 'x' in position)).toBe(true)
    })

    test('a layer that is open stays, and another account finds nothing of it', async () => {
      await page.goto(`${base}/settings/campaigns`)
      await button('New campaign').click()
      await page.getByLabel('Title', { exact: true }).fill('A secret of ada')
      await endSession()
      await page.getByLabel('Name, for your team').fill('Sale')
      await button('Send to all devices').click()
      await signInAgain(member)
      await page.getByRole('navigation', { name: 'Sections' }).waitFor()
      expect(await page.content()).not.toContain('A secret of ada')
      expect(await page.getByLabel('Title', { exact: true }).count()).toBe(0)
    })
  })

  describe('when the page is left', () => {
    const openAs = async (place: string): Promise<void> => {
      await page.goto(`${base}/${place}`)
      await page.getByLabel('Name', { exact: true }).waitFor()
    }

    test.each([
      ['an alert', () => `alerts/${ids.alert}`],
      ['a report', () => `reports/${ids.report}`],
      ['a cohort', () => `people/cohorts/${ids.cohort}`],
    ])('%s that was changed asks first', async (_, place) => {
      await openAs(place())
      await page.getByLabel('Name', { exact: true }).fill('Changed')
      await page.getByRole('link', { name: 'Insights', exact: true }).click()
      expect([asked, page.url()]).toEqual([[UNSAVED], `${base}/${place()}`])
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Changed')
      await page.reload()
    })

    test('a text in a drawer or a dialog asks before it closes, and not after it is stored', async () => {
      await page.goto(`${base}/settings/campaigns`)
      await button('New campaign').click()
      await page.getByLabel('Text', { exact: true }).fill('Half a text')
      await page.keyboard.press('Escape')
      await button('Close').click()
      expect(asked).toEqual(Array(2).fill('Your changes are not saved. Close anyway?'))
      expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Half a text')
      await page.getByRole('link', { name: 'Insights', exact: true }).click()
      expect(asked.at(-1)).toBe(UNSAVED)
      asked.length = 0
      await page.goto(`${base}/dashboards/${ids.board}`)
      await button('Add tile').click()
      await button('Text').click()
      await page.getByLabel('Text in Markdown').fill('Two lines\n\nof text')
      await page.keyboard.press('Escape')
      expect(asked).toHaveLength(1)
      await button('Add').click()
      await page.getByText('of text').waitFor()
      await page.getByRole('link', { name: 'Insights', exact: true }).click()
      await page.getByRole('heading', { name: 'Insights', exact: true }).waitFor()
      expect(asked).toHaveLength(1)
    })

    test('a new cohort is stored once: Back leads to the list', async () => {
      await page.goto(`${base}/people/cohorts`)
      await page.getByRole('link', { name: 'New list of IDs' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Guests')
      await page.getByRole('textbox', { name: /IDs/ }).fill('customer-3')
      await button('Save').click()
      await page.waitForURL(/cohorts\/(?!new)/)
      await page.goBack()
      await page.getByRole('table').getByRole('link', { name: 'Guests' }).waitFor()
      expect(asked).toEqual([])
    })
  })

  describe('when something else happens meanwhile', () => {
    const name = () => page.getByLabel('Name', { exact: true })
    const stored = async () =>
      (await make(`${ALERTS}/Get`, { id: ids.alert })).alert as unknown as { readonly content: object }

    test('the change of somebody else is not replaced unseen', async () => {
      await page.goto(`${base}/alerts/${ids.alert}`)
      await name().fill('Orders of ada')
      await make(`${ALERTS}/Update`, { id: ids.alert, content: { ...ORDERS, name: 'Orders of bob' } })
      await button('Save').click()
      await page.getByText('Someone else changed this in the meantime.').waitFor()
      expect(await stored()).toMatchObject({ content: { name: 'Orders of bob' } })
      await button('Save').click()
      await page.getByText('‘Orders of ada’ saved').waitFor()
      expect(await stored()).toMatchObject({ content: { name: 'Orders of ada' } })
    })

    test('an alert that the menu has paused stays paused, and the form keeps what was typed', async () => {
      await page.goto(`${base}/alerts/${ids.alert}`)
      await name().fill('Orders')
      await page.getByRole('button', { name: /^Actions of/ }).click()
      await page.getByRole('menuitem', { name: 'Pause' }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      expect(await name().inputValue()).toBe('Orders')
      await button('Save').click()
      await page.getByText('‘Orders’ saved').waitFor()
      expect(await stored()).toMatchObject({ content: { name: 'Orders', paused: true } })
    })

    test.each([
      ['an alert', () => `alerts/${ids.alert}`],
      ['a report', () => `reports/${ids.report}`],
      ['a cohort', () => `people/cohorts/${ids.cohort}`],
    ])('%s keeps what was typed while it cannot be read again', async (_, place) => {
      await page.goto(`${base}/${place()}`)
      await name().fill('Typed')
      await page.route(/Service\/Get$/, async (route) => await route.abort())
      const failed = page.waitForEvent('requestfailed', (request) => /Service\/Get$/.test(request.url()))
      await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))")
      await failed
      // The query gives up after one more try.
      await page.waitForEvent('requestfailed', (request) => /Service\/Get$/.test(request.url()))
      await expect.poll(async () => await name().inputValue()).toBe('Typed')
      await page.unrouteAll()
      await page.reload()
    })
  })
})
