import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { callAs, firstOrganisation } from './harness/console-colleague.ts'
import {
  type ConsolePage,
  countCompressedBytes,
  openConsolePage,
  openProject,
  withoutRefusals,
} from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { readShift, SHIFT_MAX, watchShifts } from './harness/layout-shift.ts'
import type { TestService } from './harness/service.ts'

const visits = [{ event: { kind: 'page_view' } }]
const TRENDS = { insightType: 'INSIGHT_TYPE_TRENDS', events: visits }
const BY_BROWSER = { ...TRENDS, breakdowns: [{ property: '$browser' }] }
const NUMBER = { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: visits }
const MAP = { insightType: 'INSIGHT_TYPE_MAP', map: {} }
const FLOW = { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: {} }
const RANKED = { insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_EVENT_KIND' } }
const chrome = { property: '$browser', operator: 'FILTER_OPERATOR_EQUALS', value: 'Chrome' }
const FILTERED = { ...NUMBER, filterGroups: [{ filters: [chrome] }] }

/** Compressed bytes of script that an insight with lines may need, charts and all. */
const SCRIPT_BYTES_MAX = 235_000

describe.skipIf(!hasChromium())('insights of the console', () => {
  let service: TestService
  let opened: ConsolePage
  let base: string

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsolePage({ width: 1280, height: 900, colorScheme: 'light' })
    base = await openProject(opened.page, service.url)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const open = async (spec: object, more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const query = new URLSearchParams({ spec: JSON.stringify(spec), range: 'LAST_7_DAYS', ...more })
    await opened.page.goto(`${base}/insights?${query}`)
    await opened.page.getByRole('button', { name: 'Export', exact: true }).waitFor()
  }

  /** Waits until no query runs: an older answer is faint meanwhile. */
  const settle = async (page: Page): Promise<void> => {
    await page.locator('.result-main[aria-busy="false"]').waitFor()
  }

  /** Chooses an entry of the menu below the answer. */
  const exportAs = async (name: string): Promise<void> => {
    await opened.page.getByRole('button', { name: 'Export', exact: true }).click()
    await opened.page.getByRole('menuitem', { name }).click()
  }

  /** Chooses another measure for the first series. */
  const chooseMeasure = async (page: Page, name: string): Promise<void> => {
    await page
      .getByRole('button', { name: /, change measure$/ })
      .first()
      .click()
    await page.getByRole('option', { name, exact: true }).click()
  }

  test('cover the days of a period, which is in the address', async () => {
    const { page } = opened
    await open(TRENDS)
    await page.getByRole('button', { name: /^Last 7 days/ }).click()
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('range') === 'today')
    await settle(page)
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: /^Today/ }).waitFor()
    await page.getByRole('button', { name: /^Today/ }).click()
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.waitForURL((url) => url.searchParams.get('granularity') === 'GRANULARITY_MINUTE')
    // All time begins with the first event: ten days have buckets of a day.
    await page.getByRole('button', { name: /^Last hour/ }).click()
    await page.getByRole('button', { name: 'All time', exact: true }).click()
    await page.waitForURL(
      ({ searchParams }) =>
        searchParams.get('range') === 'all-time' && searchParams.get('granularity') === 'GRANULARITY_DAY',
    )
  })

  const specOfAddress = (): unknown =>
    JSON.parse(new URL(opened.page.url()).searchParams.get('spec') ?? 'null')

  test.each([
    ['a ranking', RANKED],
    ['a flow', FLOW],
    ['countries', MAP],
    ['every event', { insightType: 'INSIGHT_TYPE_TRENDS' }],
    ['a filter without the source of its property', FILTERED],
  ])('of %s stay what they are in the address', async (_, spec) => {
    await open(spec)
    expect(specOfAddress()).toEqual(spec)
  })

  test('are listed in this browser, and Back restores the edited one', async () => {
    const { page } = opened
    await open(BY_BROWSER, { view: 'bars', compare: 'prior' })
    const address = page.url()
    const firefox = page.getByRole('rowheader', { name: 'Firefox', exact: true })
    await firefox.waitFor()
    await page.getByRole('button', { name: 'Remove breakdown: Browser' }).click()
    await firefox.waitFor({ state: 'detached' })
    await page.waitForURL((url) => url.href !== address)
    await page.goBack()
    await firefox.waitFor()
    expect(page.url()).toBe(address)
    expect(await page.getByRole('radio', { name: 'Stacked bars' }).isChecked()).toBe(true)
    await page.goForward()
    await firefox.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Insights', exact: true }).first().click()
    const row = page.getByRole('link', { name: 'Trends: page_view', exact: true }).first()
    await row.waitFor()
    expect(await findBarriers(page)).toEqual([])
    await row.click()
    await page.locator('.uplot').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove from list: Trends: page_view' }).first().click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.waitFor()
  })

  test('are saved for the project, found in the list, and an earlier version comes back', async () => {
    const { page } = opened
    await open(TRENDS)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Save insight' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Daily views')
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('growth, Weekly')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(({ searchParams }) => searchParams.has('saved'))
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('radio', { name: 'Stacked bars' }).click()
    await page.getByText('Unsaved changes').waitFor()
    await page.waitForURL(({ searchParams }) => searchParams.get('view') === 'bars')
    await save.click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Versions' }).click()
    await page.getByText('Version 1,').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.waitForURL(({ searchParams }) => searchParams.get('view') === 'line')
    await page.goto(`${base}/insights`)
    await page.getByRole('button', { name: 'Add Daily views to favorites' }).click()
    await page.getByRole('button', { name: 'Remove Daily views from favorites' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Daily views' }).first().click()
    await page.getByRole('heading', { name: 'Daily views' }).waitFor()
    const { body } = await service.call('millrace.library.v1.SavedInsightsService/List', {})
    expect(body.insights).toMatchObject([
      { content: { name: 'Daily views', tags: ['growth', 'Weekly'] }, version: 3 },
    ])
  })

  test('that are no longer saved lead to the others, and their query is a draft', async () => {
    const { page } = opened
    const saved = '00000000-0000-4000-8000-000000000000'
    await page.goto(`${base}/insights?saved=${saved}`)
    await page.getByText('There is no such saved insight').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'All insights' }).click()
    await page.getByRole('link', { name: 'Daily views' }).first().waitFor()
    await page.goto(`${base}/insights?${new URLSearchParams({ spec: JSON.stringify(TRENDS), saved })}`)
    await page.getByText('This insight is no longer saved.').waitFor()
    await page.waitForURL(({ searchParams }) => !searchParams.has('saved'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog', { name: 'Save insight' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('are deleted with an undo that keeps their versions', async () => {
    const { page } = opened
    const LIST = 'millrace.library.v1.SavedInsightsService/List'
    const orgId = await firstOrganisation(service)
    const body = { orgId, displayName: 'Another', reportingTimezone: 'UTC' }
    await callAs(service, ADMIN, { method: 'dashboard.projects.v1.ProjectsService/Create', body })
    await page.goto(`${base}/insights`)
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Actions of Daily views' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText('‘Daily views’ deleted').waitFor()
      await page.getByRole('button', { name: 'Actions of Daily views' }).waitFor({ state: 'detached' })
    }
    await remove()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Actions of Daily views' }).waitFor()
    expect((await service.call(LIST, {})).body.insights).toMatchObject([{ version: 3 }])
    await remove()
    // The message may end in another project, whose calls are of that one.
    const deleted = page.waitForResponse((response) => response.url().endsWith('SavedInsightsService/Delete'))
    await page.getByRole('button', { name: /^Switch project/ }).click()
    await page.getByRole('button', { name: 'Another', exact: true }).click()
    await page.getByRole('button', { name: /^Switch project.*Another/ }).waitFor()
    await page.getByRole('listitem').getByRole('button', { name: 'Close' }).click()
    expect((await deleted).ok()).toBe(true)
    expect((await service.call(LIST, {})).body).not.toHaveProperty('insights')
  })

  test('have an event beside its measure in a narrow panel, and filters in the menu of the row', async () => {
    const { page } = opened
    await page.setViewportSize({ width: 1024, height: 768 })
    await open(TRENDS)
    const row = page.getByRole('group', { name: 'Series A', exact: true })
    const topOf = async (name: RegExp) => (await row.getByRole('button', { name }).boundingBox())?.y ?? NaN
    await row.hover()
    expect(await topOf(/change measure/)).toBe(await topOf(/change event/))
    // The second time, the list is loaded, and opens at once.
    for (const _ of ['first', 'second']) {
      await row.getByRole('button', { name: 'Actions of Series A' }).click()
      await page.getByRole('menuitem', { name: 'Add filter' }).click()
      await page.locator('.entry-picker:has(:focus)').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.entry-picker').waitFor({ state: 'detached' })
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('of several events have the number of each above their chart', async () => {
    await open({ ...TRENDS, events: [{ event: { kind: 'page_view' } }, { event: { kind: 'sign_up' } }] })
    const figures = opened.page.locator('.result-figures')
    expect(await figures.locator('dt').allTextContents()).toEqual(['page_view', 'sign_up'])
    expect(await figures.locator('.result-number').count()).toBe(2)
    expect(await opened.page.locator('.result-total').count()).toBe(0)
  })

  test('take annotations by a click on the axis of their chart', async () => {
    const { page } = opened
    await open(TRENDS)
    await page.getByRole('button', { name: 'Add annotation' }).click()
    const added = page.getByRole('dialog', { name: 'Add annotation' })
    await added.getByRole('textbox', { name: 'Text' }).fill('Release 2.4')
    expect(await findBarriers(page)).toEqual([])
    await added.getByRole('button', { name: 'Save' }).click()
    const mark = page.getByRole('button', { name: 'Annotation: Release 2.4' })
    await mark.waitFor()
    const LIST = 'millrace.library.v1.AnnotationsService/List'
    expect((await service.call(LIST, {})).body.annotations).toMatchObject([{ text: 'Release 2.4' }])
    await mark.click()
    const edited = page.getByRole('dialog', { name: 'Edit annotation' })
    await edited.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Annotation deleted').waitFor()
    await mark.waitFor({ state: 'detached' })
    expect((await service.call(LIST, {})).body).toEqual({})
  })

  test('begin with the most frequent event, already drawn', async () => {
    const { page } = opened
    await page.goto(`${base}/insights`)
    await page.getByRole('button', { name: 'New insight' }).click()
    await page.getByRole('menuitem', { name: 'Funnel' }).click()
    await page.locator('.funnel-bars').waitFor()
    expect(specOfAddress()).toMatchObject({
      events: [{ event: { kind: 'page_view' } }, { event: { kind: 'sign_up' } }],
    })
    await page.getByRole('tab', { name: 'Trends' }).click()
    await page.locator('.uplot').waitFor()
    expect(specOfAddress()).toMatchObject({ insightType: 'INSIGHT_TYPE_TRENDS' })
    await page.goto(`${base}/insights`)
    await page.getByRole('link', { name: /^Sign-up conversion/ }).click()
    await page.getByRole('heading', { name: 'Sign-up conversion' }).waitFor()
    await page.locator('.funnel-bars').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('leave unset limits to the service', async () => {
    const { page } = opened
    await open(FLOW)
    await page.getByRole('button', { name: 'Columns: 6' }).click()
    await page.getByRole('option', { name: '4' }).click()
    await page.waitForURL(/maxHops/)
    const { userFlow } = specOfAddress() as { readonly userFlow: object }
    expect(userFlow).toMatchObject({ maxHops: 3 })
    expect(Object.keys(userFlow).sort()).toEqual(['maxHops', 'nodeKind', 'scope'])
  })

  test('name the missing part, and the reason for an empty answer', async () => {
    const { page } = opened
    const say = async (spec: object, text: string | RegExp, more = {}): Promise<void> => {
      const query = new URLSearchParams({ spec: JSON.stringify(spec), ...more })
      await page.goto(`${base}/insights?${query}`)
      await page.getByText(text).waitFor()
    }
    await settle(page)
    const before = opened.requests.filter((one) => one.url().endsWith('/Query')).length
    await say(
      { insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_PROPERTY' } },
      /^Choose the property/,
    )
    await say(TRENDS, 'A period can be at most ten years long.', { range: '1990-01-01..2026-01-01' })
    expect(opened.requests.filter((one) => one.url().endsWith('/Query')).length).toBe(before)
    await say({ ...TRENDS, events: [{ event: { kind: 'purx' } }] }, 'No event called “purx”')
    const plan = {
      event: { kind: 'purchase' },
      aggregation: 'AGGREGATION_TYPE_SUM',
      aggregationProperty: 'plan',
    }
    await say({ ...TRENDS, events: [plan] }, 'plan is not a number')
    const none = { ...chrome, value: 'Netscape' }
    await say(
      { ...TRENDS, filterGroups: [{ filters: [none] }] },
      'No event matches the filters in this period.',
    )
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await page.locator('.uplot').waitFor()
    const returns = { insightType: 'INSIGHT_TYPE_RETENTION', events: TRENDS.events }
    await say(
      { ...returns, filterGroups: [{ filters: [none] }] },
      'No event matches the filters in this period.',
    )
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await page.locator('.retention-curve').waitFor()
    // A curve that loses all its points leaves no complaint of the browser.
    await page.goBack()
    await page.getByText('No event matches the filters in this period.').waitFor()
  })

  test('of a funnel show its steps, its conversion over time and its times, with options', async () => {
    const { page } = opened
    const events = ['page_view', 'purchase'].map((kind) => ({ event: { kind } }))
    await open({ insightType: 'INSIGHT_TYPE_FUNNEL', events, funnel: { stepWindows: ['0s', '45s'] } })
    const choose = async (label: string, option: string): Promise<void> => {
      await page.getByRole('button', { name: new RegExp(`^${label}: `) }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    const show = async (view: string): Promise<void> =>
      await page.getByRole('radio', { name: view, exact: true }).check({ force: true })
    await page.getByRole('button', { name: 'Step 2 within: 45s', exact: true }).waitFor()
    await choose('Step 2 within', 'No limit')
    await show('Time to convert')
    await page.locator('.funnel-histogram li').first().waitFor()
    expect(await page.getByText('Median time', { exact: true }).count()).toBe(1)
    await choose('Bars', '5')
    await expect.poll(async () => await page.locator('.funnel-histogram li').count()).toBe(5)
    expect(await findBarriers(page)).toEqual([])
    await show('Over time')
    await page.locator('.uplot').waitFor()
    await page.getByRole('button', { name: 'Interval: Day', exact: true }).waitFor()
    await show('Steps')
    await choose('Show rate from', 'First step')
    await page.waitForURL((url) => url.searchParams.get('rate') === 'first')
    await choose('Step order', 'Strictly next')
    await page.getByRole('button', { name: 'Count people' }).click()
    await page.getByRole('menuitemradio', { name: 'Count sessions' }).click()
    await page
      .locator('.funnel-step')
      .getByText(/sessions$/)
      .waitFor()
    const { funnel } = specOfAddress() as { readonly funnel: object }
    expect(funnel).toEqual({ order: 'ORDER_STRICT', countBy: 'COUNT_BY_SESSIONS' })
  })

  /** A page of its own, whose queries are counted. */
  const openAlone = async (spec: object) => {
    const page = await opened.browser.context.newPage()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/Query')) asked += 1
    })
    const query = new URLSearchParams({ spec: JSON.stringify(spec) })
    await page.goto(`${base}/insights?${query}`)
    await page.getByRole('button', { name: /^Show top/ }).waitFor()
    return { page, countAsked: () => asked }
  }

  const showTop5 = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^Show top/ }).click()
    await page.getByRole('menuitemradio', { name: 'Show top 5', exact: true }).click()
  }

  test('of an address that the service refuses show its reason, and can be mended', async () => {
    const { page } = await openAlone({ ...BY_BROWSER, breakdownLimit: 101 })
    await page.getByRole('alert').getByText('This could not be answered').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await showTop5(page)
    await page.locator('.uplot').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.close()
  })

  test('stay as they are while a filter is chosen', async () => {
    const { page, countAsked } = await openAlone(BY_BROWSER)
    const firefox = page.getByRole('rowheader', { name: 'Firefox' })
    await firefox.waitFor()
    await page.keyboard.press('f')
    await page.getByRole('combobox', { name: 'Choose a property' }).waitFor()
    await page.keyboard.type('browser')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'is', exact: true }).click()
    await page.getByRole('option', { name: 'Chrome' }).waitFor()
    expect(await firefox.isVisible()).toBe(true)
    expect(countAsked()).toBe(1)
    await page.getByRole('option', { name: 'Chrome' }).click()
    await firefox.waitFor({ state: 'detached' })
    expect(countAsked()).toBe(2)
    expect(await page.getByRole('group', { name: 'Browser is Chrome' }).count()).toBe(1)
    await page.close()
  })

  test('have formulas over their series, and a mistake in one can be mended', async () => {
    const { page } = opened
    const events = ['page_view', 'purchase'].map((kind) => ({ event: { kind } }))
    await open({ ...TRENDS, events })
    await page.getByRole('button', { name: 'Add formula' }).click()
    const expression = page.getByRole('textbox', { name: 'Formula 1', exact: true })
    await page.getByRole('rowheader', { name: 'A / B' }).waitFor()
    await expression.fill('100 * B / C')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This could not be answered').waitFor()
    await page.getByText('The query has no series C.').waitFor()
    expect(await expression.getAttribute('aria-invalid')).toBe('true')
    await expression.fill('100 * B / A')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name of formula 1' }).fill('Purchase rate')
    await page.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /^Purchase rate/ })
      .getByRole('cell')
      .first()
      .getByText(/^\d/)
      .waitFor()
    const formula = { expression: '100 * B / A', displayName: 'Purchase rate' }
    expect(specOfAddress()).toMatchObject({ formulas: [formula] })
    expect(await findBarriers(page)).toEqual([])
    await chooseMeasure(page, 'People, rolling 7 days')
    await page.waitForURL(/ROLLING_7_DAY_USERS/)
    await page.getByRole('rowheader', { name: 'Purchase rate' }).waitFor()
    await page.getByRole('button', { name: 'Remove formula 1' }).click()
    await page.getByRole('rowheader', { name: 'Purchase rate' }).waitFor({ state: 'detached' })
  })

  test('offer the buckets that fit their time', async () => {
    const { page } = opened
    await open(TRENDS, { range: 'LAST_30_DAYS', granularity: 'GRANULARITY_MINUTE' })
    await page.getByRole('button', { name: 'Interval: Day' }).click()
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Day', 'Week'])
    await page.getByRole('option', { name: 'Week' }).click()
    await page.waitForURL(/GRANULARITY_WEEK/)
    await settle(page)
    await page.getByRole('button', { name: 'Interval: Week' }).getByText('Week', { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('are sent when the rules cannot be loaded', async () => {
    const { page, countAsked } = await openAlone(BY_BROWSER)
    await page.locator('.uplot').waitFor()
    await page.route(/find-refusal/, async (route) => await route.abort())
    await showTop5(page)
    await expect.poll(countAsked).toBe(2)
    await page.close()
  })

  test('are compared with the previous period, as lines and as rows', async () => {
    const { page } = opened
    await open(TRENDS)
    await page.getByRole('button', { name: 'Compare to' }).click()
    await page.getByRole('menuitemradio', { name: 'Previous period' }).click()
    await page.locator('.series-legend').getByText('Previous period').waitFor()
    await page.getByRole('columnheader', { name: 'Change' }).waitFor()
    await page.waitForURL((url) => url.searchParams.get('compare') === 'prior')
    await page.getByRole('radio', { name: 'Table' }).check({ force: true })
    await page.getByRole('columnheader', { name: 'Change in percent' }).waitFor()
    await open(NUMBER, { compare: 'prior' })
    await page.getByText(/^vs \d+$/).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('are compared with any earlier days, chosen by the first one', async () => {
    const { page } = opened
    const from = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
    await open(TRENDS)
    await page.getByRole('button', { name: 'Compare to' }).click()
    await page.getByRole('menuitemradio', { name: 'Other period' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare to another period' })
    const field = dialog.getByRole('textbox', { name: 'First day' })
    await field.fill('today')
    await page.keyboard.press('Enter')
    await dialog.getByText('It must begin before the period.').waitFor()
    await field.fill(from)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('compare') === from)
    await page.getByRole('columnheader', { name: 'Change' }).waitFor()
    await page.reload()
    await page.getByText(/^compared to /).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test.each(['area', 'bars', 'grouped', 'kpi'])('are drawn as %s', async (view) => {
    await open(BY_BROWSER, { view, compare: 'prior' })
    await opened.page
      .locator(view === 'kpi' ? '.sparkline' : '.uplot canvas')
      .first()
      .waitFor()
    expect(await findBarriers(opened.page)).toEqual([])
  })

  test('as numbers show a formula without the series that it is computed from', async () => {
    const events = ['page_view', 'purchase'].map((kind) => ({ event: { kind } }))
    const formulas = [{ expression: '100 * B / A', displayName: 'Purchase rate' }]
    await open({ ...TRENDS, events, formulas }, { view: 'kpi' })
    const cards = opened.page.locator('.number-card')
    await cards.locator('.kpi').first().waitFor()
    expect(await cards.allInnerTexts()).toEqual([expect.stringMatching(/^Purchase rate\s+[\d.]+/)])
  })

  /** The switches of the series, below the chart. */
  const switches = () => opened.page.getByRole('region', { name: 'Series' }).getByRole('checkbox')

  test('are switched off and on in the table below them, also with the keyboard', async () => {
    const { page } = opened
    await open(BY_BROWSER, { view: 'bars', compare: 'prior' })
    await switches().first().waitFor()
    const count = await switches().count()
    expect(count).toBeGreaterThan(1)
    await switches().first().focus()
    await page.keyboard.press('Space')
    expect(await page.locator('.series-table tr.off').count()).toBe(1)
    await page.getByRole('radio', { name: 'Line' }).check({ force: true })
    expect(await page.locator('.series-table tr.off').count()).toBe(1)
    await page.locator('.series-table tr.off').dblclick({ position: { x: 300, y: 8 } })
    expect(await page.locator('.series-table tr.off').count()).toBe(count - 1)
    expect(await findBarriers(page)).toEqual([])
  })

  test('are sorted by a click on a head', async () => {
    const { page } = opened
    await open(BY_BROWSER, { view: 'line', compare: 'prior' })
    const names = page.getByRole('region', { name: 'Series' }).getByRole('rowheader')
    await names.first().waitFor()
    await page.getByRole('columnheader', { name: 'Series' }).getByRole('button').click()
    const texts = await names.allInnerTexts()
    expect(texts).toEqual(texts.toSorted((a, b) => a.localeCompare(b)))
    await page.getByRole('columnheader', { name: 'Value' }).getByRole('button').click()
    expect(await page.getByRole('columnheader', { name: 'Value' }).getAttribute('aria-sort')).toBe(
      'descending',
    )
  })

  test('have a tooltip under the pointer and with the arrow keys', async () => {
    const { page } = opened
    await open(BY_BROWSER, { view: 'line', compare: 'prior', range: 'LAST_14_DAYS' })
    const chart = page.getByRole('img', { name: /^(Chrome|Firefox|Safari)/ })
    await chart.hover()
    const tooltip = page.locator('.chart-tooltip')
    await tooltip.getByText('Firefox').waitFor()
    await page.mouse.move(0, 0)
    await tooltip.waitFor({ state: 'detached' })
    await chart.focus()
    await page.keyboard.press('End')
    await tooltip.getByText('Today so far').waitFor()
    await page.keyboard.press('ArrowLeft')
    await tooltip.getByText('Today so far').waitFor({ state: 'detached' })
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
  })

  test('are enlarged by a selection, and whole again with a double click', async () => {
    const { page } = opened
    await open(TRENDS, { view: 'line', range: 'LAST_14_DAYS' })
    const chart = page.getByRole('img', { name: /^page_view/ })
    await chart.waitFor()
    const whole = await chart.getAttribute('aria-label')
    const box = await chart.boundingBox()
    const [x, y, width] = [box?.x ?? 0, (box?.y ?? 0) + 50, box?.width ?? 0]
    await page.mouse.move(x + width * 0.3, y)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, y, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('button', { name: 'Show the whole range' }).waitFor()
    expect(await chart.getAttribute('aria-label')).not.toBe(whole)
    // A chart that is drawn anew between two clicks sees no double click.
    const widen = async () => {
      await chart.dblclick()
      return await chart.getAttribute('aria-label')
    }
    await expect.poll(widen).toBe(whole)
  })

  test('of countries have shares where they are parts of a sum', async () => {
    const { page } = opened
    await open(MAP, { range: 'LAST_14_DAYS' })
    const brazil = page.getByRole('row', { name: /^Brazil/ })
    await brazil.getByText(/%/).waitFor()
    await chooseMeasure(page, 'Events per person')
    await brazil.filter({ hasNotText: '%' }).waitFor()
    expect(await page.getByRole('radio', { name: 'Pie' }).count()).toBe(0)
  })

  test('of top values are a pie as well, with each part in words', async () => {
    const { page } = opened
    await open(RANKED, { view: 'pie' })
    await page.getByRole('listitem').filter({ hasText: 'page_view' }).getByText(/%$/).waitFor()
    expect(await page.locator('.pie path').count()).toBe(4)
    expect(await findBarriers(page)).toEqual([])
  })

  test('of trends are a pie where their sums are parts of a whole', async () => {
    const { page } = opened
    await open(BY_BROWSER, { view: 'pie' })
    const parts = page.locator('.pie-legend li')
    await parts.filter({ hasText: 'Firefox' }).getByText(/%$/).waitFor()
    expect(await page.locator('.pie path').count()).toBe(await parts.count())
    const shares = (await parts.locator('.quiet').allInnerTexts()).map(Number.parseFloat)
    expect(Math.round(shares.reduce((sum, share) => sum + share, 0))).toBeCloseTo(100, -1)
    expect(await findBarriers(page)).toEqual([])
    await chooseMeasure(page, 'Unique people')
    await page.locator('.uplot').waitFor()
    expect(await page.getByRole('radio', { name: 'Pie' }).count()).toBe(0)
  })

  test('of a lifecycle and of stickiness have charts whose parts lead to people', async () => {
    const { page } = opened
    await open({ insightType: 'INSIGHT_TYPE_LIFECYCLE', events: visits })
    await page.locator('.uplot').waitFor()
    for (const name of ['New', 'Returning', 'Resurrected', 'Dormant']) {
      await page.locator('.series-legend').getByText(name, { exact: true }).waitFor()
    }
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Stickiness' }).click()
    await page.getByRole('button', { name: /^page_view, Active in 1 period:/ }).click()
    await page.getByRole('heading', { name: /^Active in 1 period \(/ }).waitFor()
    await page.getByRole('radio', { name: 'That many or more' }).click()
    await page.getByRole('heading', { name: /^Active in 1 period or more \(/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('show their cost in the store', async () => {
    const { page } = opened
    await open(NUMBER, { range: '2026-01-01..2026-01-31' })
    await page.getByText(/^[\d,]+ events in [\d.]+ s$/).waitFor()
  })

  test('keep the previous result, dimmed, while another is computed, and announce a slow one', async () => {
    const page = await opened.browser.context.newPage()
    await page.clock.install()
    await page.goto(`${base}/insights?${new URLSearchParams({ spec: JSON.stringify(RANKED) })}`)
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.locator('.bar-row').first().waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route(/InsightsService\/Query$/, async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByRole('tab', { name: 'Countries' }).click()
    await answer.locator('.result-main[aria-busy="true"]').waitFor()
    await page.clock.fastForward(6000)
    await answer.getByText('This takes longer than usual').waitFor()
    expect(await answer.locator('.bar-row').count()).toBeGreaterThan(0)
    expect(await answer.locator('.world-outlines').count()).toBe(0)
    const opacity = "getComputedStyle(document.querySelector('.result-answer')).opacity"
    await expect.poll(async () => await page.evaluate(opacity)).toBe('0.6')
    answered.resolve()
    await answer.locator('.world-outlines').waitFor()
    await answer.locator('.result-main[aria-busy="false"]').waitFor()
    expect(await answer.getByText('This takes longer than usual').count()).toBe(0)
    await page.close()
  })

  test('announce a slow query, and finish it', async () => {
    const page = await opened.browser.context.newPage()
    const answered = Promise.withResolvers<void>()
    await page.clock.install()
    await page.route(/InsightsService\/Query$/, async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.goto(`${base}/insights?new=trends`)
    const answer = page.getByRole('region', { name: 'Answer' })
    await answer.getByText('Loading').first().waitFor({ state: 'attached' })
    await page.clock.fastForward(6000)
    await answer.getByText('This takes longer than usual').waitFor()
    answered.resolve()
    await page.locator('.uplot').waitFor()
    await page.close()
  })

  test('of countries are a map, with a list beside it, for the pointer and the keyboard', async () => {
    const { page } = opened
    await open(MAP, { range: 'LAST_14_DAYS' })
    await page.locator('path[data-code="BR"]:not(.shade-0)').waitFor()
    expect(await page.locator('.world-outlines path').count()).toBeGreaterThan(150)
    await page.getByRole('row', { name: /^Brazil/ }).waitFor()
    await page.getByRole('region', { name: /^World map/ }).focus()
    await page.keyboard.press('ArrowDown')
    const first = await page.locator('.world-spoken').innerText()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('.world-spoken').innerText()).not.toBe(first)
    await page.locator('path[data-code="BR"]').hover()
    await page
      .locator('.world-spoken')
      .getByText(/^Brazil: \d+/)
      .waitFor()
    await page.locator('path[data-code="AU"]').hover()
    await page.locator('.world-spoken').getByText('Australia: none').waitFor({ state: 'attached' })
    expect(await findBarriers(page)).toEqual([])
  })

  /** The picture that the page saves, by its size. */
  const savePicture = async () => {
    const { page } = opened
    const download = page.waitForEvent('download')
    await exportAs('Export PNG')
    const bytes = readFileSync(await (await download).path())
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), byteCount: bytes.length }
  }

  test.each([
    ['lines', BY_BROWSER, 'line'],
    ['a number', NUMBER, 'kpi'],
    ['a map', MAP, 'chart'],
    ['a flow', FLOW, 'chart'],
    ['retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: visits }, 'chart'],
  ])('are saved as a picture of %s, twice as large as on the page', async (_, spec, view) => {
    await open(spec, { view })
    const chart = opened.page.locator('.answer')
    await opened.page.locator('.answer canvas, .answer svg, .answer table, .answer .kpi').first().waitFor()
    const box = await chart.boundingBox()
    const { width, height, byteCount } = await savePicture()
    expect(width).toBeGreaterThanOrEqual(Math.floor(2 * (box?.width ?? 0)))
    expect(height).toBeGreaterThan(2 * (box?.height ?? 0))
    // A picture without the chart has hardly more than its words.
    expect(byteCount).toBeGreaterThan(8000)
  })

  test('of sessions are a table in their unit, with times in the zone', async () => {
    const { page } = opened
    await open(
      { insightType: 'INSIGHT_TYPE_TRENDS', session: { metric: 'SESSION_METRIC_BOUNCE_RATE' } },
      { view: 'table' },
    )
    const cells = page.locator('.answer tbody tr').first().locator('td')
    expect(await cells.nth(1).innerText()).toMatch(/^\d+ [A-Z][a-z]{2} \d{4}$|^[A-Z][a-z]{2} \d+, \d{4}$/)
    expect(await cells.nth(2).innerText()).toMatch(/%$/)
    const download = page.waitForEvent('download')
    await exportAs('Export CSV')
    const [head, first] = readFileSync(await (await download).path(), 'utf8').split('\r\n')
    expect(head).toMatch(/^\uFEFFSeries,Time,Local date \(\S+\),Value$/)
    expect(first).toMatch(/^Sessions,\d{4}-\d\d-\d\dT[\d:.]+Z,\d{4}-\d\d-\d\d,[\d.]+$/)
  })

  test('of the last days have a bucket for each, and are the number of all of them', async () => {
    const { page } = opened
    await open(TRENDS, { range: 'LAST_14_DAYS', granularity: 'GRANULARITY_DAY', view: 'table' })
    const values = page.locator('.answer tbody tr td:nth-child(3)')
    await values.nth(13).waitFor()
    const counts = (await values.allInnerTexts()).map((text) => Number(text.replaceAll(',', '')))
    expect(counts.length).toBe(14)
    await page.getByRole('radio', { name: 'Number' }).check({ force: true })
    const sum = counts.reduce((total, count) => total + count, 0)
    expect(await page.locator('.number-card .kpi').innerText()).toBe(sum.toLocaleString('en-US'))
  })

  test('that do not add up are the number that the service counts over the range', async () => {
    const { page } = opened
    const events = [{ event: { kind: 'page_view' }, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }]
    const numberOf = async (spec: object): Promise<string> => {
      await open(spec, { range: 'LAST_14_DAYS', view: 'kpi' })
      return await page.locator('.number-card .kpi').innerText()
    }
    const people = await numberOf({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events })
    expect(await numberOf({ insightType: 'INSIGHT_TYPE_TRENDS', events })).toBe(people)
    expect(Number(people.replaceAll(',', ''))).toBeGreaterThan(0)
  })

  test('of one bucket are drawn around it', async () => {
    const { page } = opened
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await open(TRENDS, { range: `${yesterday}..${yesterday}`, granularity: 'GRANULARITY_DAY' })
    await page.locator('.uplot canvas').waitFor()
    const box = await page.locator('.u-over').boundingBox()
    await page.locator('.chart').hover({ position: { x: (box?.width ?? 0) / 2 + 40, y: 20 } })
    const middle = (at: typeof box): number => (at?.x ?? 0) + (at?.width ?? 0) / 2
    await expect
      .poll(async () => middle(await page.locator('.crosshair-point').boundingBox()))
      .toBeCloseTo(middle(box), -1)
  })

  test('that are a table are no picture', async () => {
    await open(NUMBER, { view: 'table' })
    await opened.page.getByRole('button', { name: 'Export', exact: true }).click()
    const picture = opened.page.getByRole('menuitem', { name: 'Export PNG' })
    expect(await picture.getAttribute('aria-disabled')).toBe('true')
    await opened.page.keyboard.press('Escape')
  })

  test.each([
    ['a chart', BY_BROWSER],
    ['a map', MAP],
    ['a number', NUMBER],
  ])('open as %s without anything that jumps', async (_, spec) => {
    const { page } = opened
    await open(spec)
    await page.reload()
    await watchShifts(page)
    await page.locator('.answer canvas, .answer .world, .answer .kpi').first().waitFor()
    expect(await readShift(page)).toBeLessThan(SHIFT_MAX)
  })

  test('fit on a phone, with the query in a sheet', async () => {
    const { page } = opened
    await page.setViewportSize({ width: 360, height: 740 })
    await open(BY_BROWSER)
    await page.locator('.uplot').waitFor()
    await expectToFit(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Query' })
    await sheet.getByRole('button', { name: 'page_view, change event' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await open({ ...TRENDS, events: [...visits, { event: { kind: `a${'_long'.repeat(30)}` } }] })
    await page.locator('.uplot').waitFor()
    await expectToFit(page, 'the name of an event is too long for the window')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('button', { name: 'page_view, change event' }).waitFor()
  })

  test('need little script and few requests', async () => {
    // A blank page cancels what the last one still loads.
    await opened.page.goto('about:blank')
    const before = opened.requests.length
    await open(BY_BROWSER)
    await opened.page.locator('.uplot').waitFor()
    const asked = opened.requests.slice(before)
    const scripts = asked.filter((request) => request.resourceType() === 'script')
    const sizes = await Promise.all([...new Set(scripts.map((one) => one.url()))].map(countCompressedBytes))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThan(SCRIPT_BYTES_MAX)
    expect(asked.length).toBeLessThan(90)
  })

  test('cause no console errors and no requests to other hosts', () => {
    expect(withoutRefusals(opened.complaints)).toEqual([])
    expect(opened.requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
  })
})
