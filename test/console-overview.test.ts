import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import {
  type ConsolePage,
  openConsolePage,
  openProject,
  weigh,
  withoutRefusals,
} from './harness/console-page.ts'
import { makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'

/** The most that the first view loads, compressed: scripts, and styles with fonts. */
const SCRIPT_BYTES_MAX = 150_000
const LOOKS_BYTES_MAX = 80_000
const REQUESTS_MAX = 50

/** The name of the first measure in each language, and a word of another panel. */
const WORDS = [
  ['de', 'Besucher', 'Quellen'],
  ['es', 'Visitantes', 'Fuentes'],
  ['fr', 'Visiteurs', 'Sources'],
  ['ja', '訪問者', '流入元'],
  ['en', 'Visitors', 'Sources'],
] as const

describe.skipIf(!hasChromium())('the overview', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base = ''

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsolePage({ width: 1440, height: 900, colorScheme: 'light' })
    page = opened.page
    base = await openProject(page, service.url)
    await visitors().waitFor()
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  /** The number of visitors in the strip. */
  const visitors = () => page.locator('.metric-tile').first().locator('.metric-value')
  const readVisitors = async (): Promise<number> => {
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    return Number((await visitors().innerText()).replaceAll(/\D/g, ''))
  }
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const filters = (): readonly string[] => new URL(page.url()).searchParams.getAll('filter')

  test('is the landing page, and shows every visitor of the period', async () => {
    expect(page.url()).toBe(`${base}/overview`)
    expect(await page.title()).toMatch(/^Overview · /)
    expect(await readVisitors()).toBe(60)
    await page.locator('.overview-plot canvas').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('needs few requests, and little script, style and fonts', async () => {
    const before = opened.requests.length
    await page.reload()
    await page.locator('.overview-plot canvas').waitFor()
    await page.waitForLoadState('networkidle')
    const asked = opened.requests.slice(before)
    const { script, looks } = await weigh(asked)
    expect(script).toBeGreaterThan(50_000)
    expect(script).toBeLessThan(SCRIPT_BYTES_MAX)
    expect(looks).toBeGreaterThan(20_000)
    expect(looks).toBeLessThan(LOOKS_BYTES_MAX)
    expect(asked.length).toBeLessThan(REQUESTS_MAX)
  })

  test('places are on a map, and by city once the page is about one country', async () => {
    await panel('Locations').scrollIntoViewIfNeeded()
    await panel('Locations').locator('path[data-code="DE"]').hover()
    await page.locator('.chart-tooltip').getByText('Germany').waitFor()
    await panel('Locations').locator('path[data-code="DE"]').click()
    await page.getByRole('group', { name: 'Country is Germany' }).waitFor()
    expect(await panel('Locations').getByRole('radio', { name: 'Cities' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Remove filter: Country is Germany' }).click()
    expect(await readVisitors()).toBe(60)
  })

  test('a click on a row filters everything, and a second one lets go', async () => {
    await panel('Locations').getByText('Countries', { exact: true }).click()
    const row = panel('Locations').getByRole('button', { name: 'Germany', exact: true })
    await row.click()
    await page.getByRole('group', { name: 'Country is Germany' }).waitFor()
    expect(filters()).toEqual(['country:is:DE'])
    expect(await readVisitors()).toBe(10)
    expect(await row.getAttribute('aria-pressed')).toBe('true')
    await row.click()
    expect(await readVisitors()).toBe(60)
    expect(filters()).toEqual([])
  })

  test('with Alt, a click leaves the row out', async () => {
    await panel('Locations')
      .getByRole('button', { name: 'Germany', exact: true })
      .click({ modifiers: ['Alt'] })
    await page.getByRole('group', { name: 'Country is not Germany' }).waitFor()
    expect(await readVisitors()).toBe(50)
  })

  test('loaded again, the address gives the same view, and Back the one before', async () => {
    await page.getByRole('button', { name: /^Bounce rate/ }).click()
    await panel('Devices').getByText('OS', { exact: true }).click()
    const { search } = new URL(page.url())
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      filter: 'country:is-not:DE',
      metric: 'bounce',
      devices: 'os',
      places: 'country',
    })
    await page.reload()
    await visitors().waitFor()
    expect(await readVisitors()).toBe(50)
    expect(await page.getByRole('button', { name: /^Bounce rate/ }).getAttribute('aria-pressed')).toBe('true')
    expect(await panel('Devices').getByRole('radio', { name: 'OS' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Remove filter: Country is not Germany' }).click()
    expect(await readVisitors()).toBe(60)
    await page.goBack()
    expect(await readVisitors()).toBe(50)
    await page.goto(`${base}/overview`)
  })

  const unread = () => page.getByText('A part of this link could not be read.')

  test('a link with a filter, period or comparison that it does not have states so', async () => {
    for (const query of ['filter=country:is-like:DE', 'range=fortnight', 'compare=sometimes']) {
      await page.goto(`${base}/overview?${query}`)
      await unread().waitFor()
      expect(await readVisitors()).toBe(60)
    }
    await page.goto(`${base}/overview`)
    await visitors().waitFor()
    expect(await unread().count()).toBe(0)
  })

  test.each([
    'live?filters=[1]',
    'sessions?filters=country',
    'people?sort=age',
    'dashboards/any?compare=sometimes',
    'insights?new=funnel&granularity=GRANULARITY_DECADE',
  ])('links to other pages state that they could not be read: %s', async (link) => {
    await page.goto(`${base}/${link}`)
    await unread().waitFor()
  })

  test('the keyboard adds a filter and turns the comparison off', async () => {
    await page.goto(`${base}/overview`)
    await visitors().waitFor()
    await page.keyboard.press('f')
    await page.getByRole('combobox', { name: 'Choose a property' }).waitFor()
    await page.keyboard.type('brow')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Firefox').last().waitFor()
    await page.keyboard.type('Firefox')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Browser is Firefox' }).waitFor()
    expect(filters()).toEqual(['browser:is:Firefox'])
    await page.locator('body').click({ position: { x: 700, y: 20 } })
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'No comparison' }).waitFor()
    expect(new URL(page.url()).searchParams.get('compare')).toBe('none')
    expect(await page.locator('.ui-delta').count()).toBe(0)
  })

  test('a period without visits names the reason, and offers a way out', async () => {
    await page.goto(`${base}/overview?range=2025-01-01..2025-01-31`)
    await page.getByText('No visits in this period').waitFor()
    await page.getByText('Events without a session').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Last 90 days' }).click()
    expect(await readVisitors()).toBe(60)
  })

  test('a goal is created and deleted', async () => {
    await page.goto(`${base}/overview`)
    await visitors().waitFor()
    await page.getByRole('button', { name: 'New goal' }).click()
    const dialog = page.getByRole('dialog', { name: 'New goal' })
    await dialog.getByLabel('Name').fill('Signed up')
    await dialog.getByRole('button', { name: /^Event of the goal/ }).click()
    await page.getByRole('option', { name: 'sign_up' }).click()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByLabel('Name').press('Enter')
    await page.getByRole('cell', { name: 'Signed up', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete goal Signed up' }).click()
    await page.getByText('A goal counts the visits').waitFor()
  })

  test('sessions are listed, and one opens beside the list with its events', async () => {
    await page.goto(`${base}/sessions?filter=country:is:DE`)
    const rows = page.locator('.ui-table tbody tr')
    await rows.first().waitFor()
    const count = Number((await page.locator('.people-count').innerText()).replaceAll(/\D/g, ''))
    expect(await rows.count()).toBe(Math.min(count, 50))
    expect(await findBarriers(page)).toEqual([])
    await rows.nth(1).locator('time').click()
    const drawer = page.locator('.ui-drawer')
    await drawer.locator('.timeline-event').first().waitFor()
    const second = new URL(page.url()).searchParams.get('session') ?? ''
    expect(await drawer.locator('.session-head strong').innerText()).toBe(
      await rows.nth(1).locator('.people-name').innerText(),
    )
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('k')
    await page.waitForURL((url) => url.searchParams.get('session') !== second)
    await page.goto(`${base}/sessions?session=${second}`)
    await drawer.locator('.timeline-open').first().click()
    await drawer.getByRole('link', { name: 'Open in insights' }).waitFor()
    expect(await drawer.getByRole('link', { name: 'Open session' }).count()).toBe(0)
    await drawer.getByRole('link', { name: 'Open person' }).click()
    await page.locator('.timeline-open').first().click()
    await page.getByRole('link', { name: 'Open session' }).click()
    await drawer.locator('.timeline-event').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('session')).toBe(false)
  })

  test('sessions are narrowed to one person, and to those with an event of a property', async () => {
    await page.goto(`${base}/people/${encodeURIComponent('user:customer-0')}`)
    await page.getByRole('link', { name: /^All sessions of this person/ }).click()
    const rows = page.locator('.ui-table tbody tr')
    const names = async () => new Set(await rows.locator('.people-name').allInnerTexts())
    await expect.poll(names).toEqual(new Set(['C0\nCustomer 0']))
    const ofPerson = await rows.count()
    expect(await page.locator('.people-count').innerText()).toMatch(new RegExp(`^${ofPerson} `))
    await page.getByRole('button', { name: 'Remove filter: Customer 0' }).click()
    await expect.poll(async () => await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Event property', exact: true }).click()
    const layer = page.getByRole('dialog', { name: 'Filter' })
    for (const choice of ['Browser', 'is', 'Firefox'])
      await layer.getByRole('option', { name: choice }).first().click()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.searchParams.has('filters'))
    await expect.poll(async () => await rows.count()).toBeLessThan(50)
    expect(await rows.count()).toBeGreaterThan(0)
    expect(await findBarriers(page)).toEqual([])
  })

  test.each(['overveiw', 'overview/x', 'live/x', 'insights/x', 'sessions/x', 'data/x'])(
    'the unknown address %s shows that it has no page',
    async (place) => {
      await page.goto(`${base}/${place}`)
      await page.getByText('There is no page at this address').waitFor()
      await page.getByRole('link', { name: 'Open Overview' }).click()
      await visitors().waitFor()
    },
  )

  test('the palette opens pages, and the list of keys can turn single letters off', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('funn')
    await page.getByRole('option', { name: 'Funnel', exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Search' }).fill('api k')
    await page.getByRole('option', { name: 'API keys', exact: true }).click()
    await page.waitForURL(/\/settings\/keys$/)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('peop')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).uncheck()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    expect(page.url()).toContain('/people')
    await page.getByRole('combobox', { name: 'Search' }).fill('new ins')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/insights\?/)
  })

  test('every language has all its messages', async () => {
    for (const [language, measure, sources] of WORDS) {
      const url = service.url
      await opened.browser.context.addCookies([{ name: 'millrace_language', value: language, url }])
      await page.goto(`${base}/overview`)
      await page.locator('.metric-label').first().getByText(measure, { exact: true }).waitFor()
      await panel(sources).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await page.locator('body').innerText()).not.toMatch(/\b(overview|shell|ui|common)\.[a-z]+[A-Z]?/)
    }
  })

  test('gives the side bar up for a rail in a narrow window, which its button unfolds', async () => {
    const label = page.locator('.side-nav > .section-link[data-section="overview"] > .side-label')
    const widthOf = async (): Promise<number> => (await label.boundingBox())?.width ?? 0
    await page.setViewportSize({ width: 1100, height: 900 })
    await page.goto(`${base}/overview`)
    await visitors().waitFor()
    expect(await widthOf()).toBeLessThan(2)
    await expectToFit(page)
    await page.locator('.side-fold').click()
    await expect.poll(widthOf).toBeGreaterThan(20)
    await page.setViewportSize({ width: 1280, height: 900 })
    // Two frames, so that the page sees the wide window before it is narrow again.
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
    await page.setViewportSize({ width: 1279, height: 900 })
    await expect.poll(widthOf).toBeLessThan(2)
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect.poll(widthOf).toBeGreaterThan(20)
  })

  test('fits a telephone, in light and dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/overview`)
    await visitors().waitFor()
    await expectToFit(page)
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${base}/sessions`)
    await page.locator('.session-details').first().click()
    await page.getByRole('dialog').locator('.timeline-event').first().waitFor()
    await expectToFit(page)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.waitForURL(/\/settings/)
  })

  test('nothing threw or broke the content security policy', () => {
    // The browser itself reports the dashboard that a link names and the project does not have.
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
