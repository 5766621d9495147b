import { readFileSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { openBrowser, type TestBrowser } from './harness/browser.ts'
import { hasChromium } from './harness/chromium.ts'
import { countCompressedBytes, signOutOf } from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, signInAt, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

/** Compressed bytes of script that sign-in and the first run may need together. */
const SCRIPT_BYTES_MAX = 165_000

describe.skipIf(!hasChromium())('the console', () => {
  let service: TestService
  let browser: TestBrowser
  let page: Page
  const requests: Request[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    service = await startConsoleService()
    browser = await openBrowser({ width: 1280, height: 900, colorScheme: 'light' })
    page = await browser.context.newPage()
    page.on('request', (request) => requests.push(request))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
  })

  afterAll(async () => {
    await browser?.close()
    await service?.destroy()
  })

  test('signs in, stores nothing that a script can read, and has no accessibility violation', async () => {
    await page.goto(service.url)
    await page.getByLabel('Email').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await signInAt(page, service.url)
    const [cookie] = (await browser.context.cookies()).filter(({ name }) => name === 'millrace_session')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console/session' })
    await page.getByText('already filled in').waitFor()
    const stored = await page.evaluate('document.cookie + JSON.stringify([localStorage, sessionStorage])')
    // A public key can only send, and stands in pages.
    expect(stored).toMatch(/^\[\{\},\{"millrace\.public-key\.\d+":"pub_[\w-]+"\}\]$/)
  })

  test('a page that is loaded again is still signed in', async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test.each([
    ['the session', '**/console/session/RefreshSession'],
    ['the account', '**/dashboard.customers.v1.CustomersService/GetMe'],
  ])('a service that starts is asked for %s again, without a click', async (_, call) => {
    const json = { status: 503, contentType: 'application/json', body: '{"code":"unavailable"}' }
    await page.route(call, async (route) => await route.fulfill(json))
    await page.reload()
    const failure = page.getByRole('alert').filter({ hasText: 'Millrace could not be loaded' })
    await failure.waitFor()
    await page.waitForResponse(call)
    await failure.waitFor()
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
  })

  test('the first event can be sent from any system: its ids are in the text', async () => {
    await page.getByRole('radio', { name: 'curl' }).check()
    const text = await page.locator('pre').filter({ hasText: 'first_event' }).innerText()
    const [, body = ''] = /-d '(.*)'$/s.exec(text) ?? []
    const { events } = JSON.parse(body.replace(`'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'`, ''))
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    const id = expect.stringMatching(uuid)
    expect(events).toEqual([
      { eventId: id, kind: 'first_event', occurTime: '', distinctId: 'anon-1', sessionId: id },
    ])
    expect(events[0].eventId).not.toBe(events[0].sessionId)
  })

  test('sign-in and the first run need little script', async () => {
    const scripts = requests.filter((request) => request.resourceType() === 'script')
    const urls = [...new Set(scripts.map((request) => request.url()))]
    const sizes = await Promise.all(urls.map(countCompressedBytes))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total).toBeGreaterThan(10_000)
    expect(total).toBeLessThan(SCRIPT_BYTES_MAX)
  })

  test('the first event turns the page into the overview, and is among the live events', async () => {
    await sendTraffic(service, makeTraffic(Date.now()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByRole('heading', { name: 'Live' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.locator('.live-row').filter({ hasText: 'purchase' }).first().click()
    const drawer = page.locator('.ui-drawer')
    await drawer.getByRole('heading', { name: 'purchase' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
  })

  const insight = async (spec: object): Promise<void> => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    const query = new URLSearchParams({ spec: JSON.stringify(spec), range: 'LAST_14_DAYS' })
    await page.goto(`${base}/insights?${query}`)
  }
  const visits = [{ event: { kind: 'page_view' } }]

  test.each([
    [
      'trends',
      { insightType: 'INSIGHT_TYPE_TRENDS', events: visits, breakdowns: [{ property: '$browser' }] },
      '.uplot',
    ],
    ['a single number', { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: visits }, '.kpi'],
    [
      'sessions',
      { insightType: 'INSIGHT_TYPE_TRENDS', session: { metric: 'SESSION_METRIC_BOUNCE_RATE' } },
      '.uplot',
    ],
    [
      'a funnel',
      { insightType: 'INSIGHT_TYPE_FUNNEL', events: [...visits, { event: { kind: 'sign_up' } }] },
      '.funnel-step:nth-child(2)',
    ],
    ['retention', { insightType: 'INSIGHT_TYPE_RETENTION', events: visits }, '.heat .cell'],
    ['a user flow', { insightType: 'INSIGHT_TYPE_USER_FLOW', userFlow: {} }, '.paths svg'],
    ['a ranking', { insightType: 'INSIGHT_TYPE_TOP_K', topK: { dimension: 'DIMENSION_USER' } }, '.bar-row'],
    ['countries', { insightType: 'INSIGHT_TYPE_MAP', map: {} }, '.world-outlines'],
  ])('the address of %s shows its answer, and the same as a table', async (_, spec, shown) => {
    await insight(spec)
    await page.locator(shown).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('radio', { name: 'Table' }).check({ force: true })
    await page.waitForURL((url) => url.searchParams.get('view') === 'table')
    await page.getByRole('region', { name: 'Answer' }).locator('td').first().waitFor()
  })

  test('an insight is built from chips, and only numbers are added up', async () => {
    await insight({ insightType: 'INSIGHT_TYPE_TRENDS', events: visits })
    await page.locator('.uplot').waitFor()
    await page.getByRole('button', { name: 'Total events, change measure' }).click()
    await page.getByRole('option', { name: /^Sum of/ }).click()
    await page.getByRole('option', { name: /^price/ }).waitFor()
    expect(await page.getByRole('option', { name: /^plan/ }).count()).toBe(0)
    await page.getByRole('option', { name: /^price/ }).click()
    await page.waitForURL(/AGGREGATION_TYPE_SUM/)
    await page.locator('.uplot').waitFor()
    const spec = JSON.parse(new URL(page.url()).searchParams.get('spec') ?? '{}')
    expect(spec.events).toMatchObject([{ aggregation: 'AGGREGATION_TYPE_SUM', aggregationProperty: 'price' }])
  })

  test('an answer is saved as CSV', async () => {
    await insight({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events: visits })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Export CSV' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/^\uFEFFValue\r\n\d+$/)
  })

  test('an insight becomes a tile of a new dashboard, beside a text', async () => {
    await insight({ insightType: 'INSIGHT_TYPE_TRENDS', events: visits })
    await page.getByRole('button', { name: 'Add to dashboard' }).click()
    await page.getByLabel('Tile name').fill('Visits')
    await page.getByLabel('Dashboard name').fill('Growth')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Open dashboard' }).click()
    await page.getByRole('heading', { name: 'Visits' }).waitFor()
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page
      .getByLabel('Text in Markdown')
      .fill('# Read me\n\nIt is **good**: <img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    await page.locator('.uplot').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('a shared dashboard is readable without sign-in until its link is revoked', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('switch', { name: 'Public link' }).click()
    const address = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    const reader = await openBrowser({ width: 360, height: 740, colorScheme: 'light' })
    try {
      const shared = await reader.context.newPage()
      await shared.goto(address)
      await shared.locator('.uplot').waitFor()
      await shared.getByRole('heading', { name: 'Growth' }).waitFor()
      expect(await shared.getByRole('group', { name: 'Choose a date range' }).count()).toBe(0)
      expect(await findBarriers(shared)).toEqual([])
      await expectToFit(shared)
      await page.getByRole('switch', { name: 'Readers may choose the date range' }).click()
      await expect
        .poll(async () => {
          await shared.reload()
          await shared.locator('.uplot').waitFor()
          return await shared.getByRole('group', { name: 'Choose a date range' }).count()
        })
        .toBe(1)
      await shared.getByRole('button', { name: 'Previous period' }).click()
      await shared.waitForURL((url) => url.searchParams.has('range'))
      await shared.locator('.tile-body:not([aria-busy])').first().waitFor()
      expect(await findBarriers(shared)).toEqual([])
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('switch', { name: 'Public link' }).click()
      await page.getByRole('button', { name: 'Turn link off' }).click()
      await page.getByRole('switch', { name: 'Public link' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'Link' }).count()).toBe(0)
      await shared.reload()
      await shared.getByRole('alert').waitFor()
      expect(await shared.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    } finally {
      await reader.close()
    }
    await page.keyboard.press('Escape')
  })

  test('a person has a page with their activity, and is erased after their id was typed', async () => {
    const claim = { externalId: 'customer-3', anonymousId: 'anon-of-customer-3' }
    await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', claim)
    await waitFor('the merge', async () => {
      const request = { externalId: 'customer-3', withMergedIds: true }
      const { body } = await service.call('shared.profiles.v1.ProfilesService/GetByExternalId', request)
      return body.totalMergedIds === '1' ? true : undefined
    })
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search people' }).waitFor()
    // The key counts from when the page listens for it.
    const focused = page.locator('input[type="search"]:focus')
    await expect
      .poll(async () => {
        if ((await focused.count()) === 0) await page.keyboard.press('/')
        return await focused.count()
      })
      .toBe(1)
    await focused.fill('customer-3')
    await page.getByText(/^5 of \d+ people match$/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('heading', { name: 'People' }).click()
    const inFocus = page.locator('a:focus')
    await page.keyboard.press('j')
    const first = await inFocus.textContent()
    await page.keyboard.press('j')
    expect(await inFocus.textContent()).not.toBe(first)
    await page.keyboard.press('k')
    expect(await inFocus.textContent()).toBe(first)
    await page.getByRole('link', { name: 'Customer 3', exact: true }).click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.locator('.timeline-event').first().waitFor()
    await page.getByRole('img', { name: /^Events on \d+ days/ }).waitFor()
    const ids = page.getByRole('region', { name: 'Known as' })
    expect(await ids.locator('code').allTextContents()).toEqual([
      'customer-3',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      'anon-of-customer-3',
    ])
    await ids.getByText(/^Merged (?:now|.* ago)$/).waitFor()
    await ids.getByText('3 IDs').waitFor()
    await page.locator('.timeline-open').first().click()
    await page.locator('.timeline-details').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Export all data' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('person-customer-3.jsonl')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(
      /^\{"person":.*"customer-3".*\n(?:\{.*\n)*\{"event":.*\}\n$/,
    )
    await page.getByText('All data exported').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete person and data' }).click()
    const erase = page.getByRole('button', { name: 'Delete permanently' })
    expect(await erase.isDisabled()).toBe(true)
    await page.getByLabel('Type the person’s ID to confirm').fill('customer-3')
    expect(await findBarriers(page)).toEqual([])
    await erase.click()
    await page.getByText('All data is deleted.').waitFor()
    // The button that had focus is gone.
    await page.keyboard.press('Escape')
    // The dialog gives focus back while the list loads: text that is typed before then is lost.
    await page.getByText(/^\d+ people$/).waitFor()
    await page.getByRole('searchbox', { name: 'Search people' }).fill('customer-3')
    await page.getByText(/^4 of \d+ people match$/).waitFor()
    expect(await page.getByRole('link', { name: 'Customer 3', exact: true }).count()).toBe(0)
  })

  test('a session that ends by itself leads to the sign-in, which says so and leads back', async () => {
    const service = '**/dashboard.dashboards.v1.DashboardsService/*'
    const json = { status: 401, contentType: 'application/json', body: '{"code":"unauthenticated"}' }
    await page.route(service, async (route) => await route.fulfill(json))
    await browser.context.clearCookies()
    await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await page.getByText('Your session has ended.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.unrouteAll()
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('heading', { name: 'Dashboards', exact: true }).waitFor()
    expect(page.url()).toMatch(/\/dashboards$/)
  })

  test('signing out ends the session', async () => {
    await signOutOf(page)
    await page.getByLabel('Email').waitFor()
    expect(await page.getByText('Your session has ended.').count()).toBe(0)
    await page.reload()
    await page.getByLabel('Email').waitFor()
    expect((await browser.context.cookies()).map(({ name }) => name)).not.toContain('millrace_session')
  })

  test('a link signs in at a click, and once', async () => {
    await page.getByRole('button', { name: 'Sign in by email link' }).click()
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('A link is on its way').waitFor()
    // Without a mail server, links are in the log.
    const link = await waitFor(
      'the link',
      () => /http[^\s"\\]*\/sign-in\?token=[\w-]+/.exec(service.output.stderr)?.[0],
    )
    await page.goto(link)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).not.toContain('token')
    await signOutOf(page)
    await page.getByLabel('Email').waitFor()
    await page.goto(link)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('alert').getByText('The link was used already').waitFor()
    expect(await page.getByRole('button', { name: 'Continue', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in another way' }).click()
    await page.getByLabel('Password').waitFor()
  })

  test('a wrong password is refused with the id of the request', async () => {
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('alert').getByText('Request').waitFor()
  })

  test('no page sent a request to another host, threw, or broke the content security policy', () => {
    expect(requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
    // The browser itself reports the refused sign-in and the refused query as errors.
    expect(complaints.filter((text) => !/status of (40[01]|503)/.test(text))).toEqual([])
  })
})
