import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsoleAs, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { makeEvent } from './harness/events.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'

/** Whether a message has an id, which only a cohort of these requests has. */
const namesCohort = (body: Buffer | null): boolean => /[0-9a-f-]{36}/.test(body?.toString('latin1') ?? '')

/** What a test reads of an element; tests are compiled without the types of browsers. */
interface Placed {
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly getBoundingClientRect: () => { readonly left: number }
}

describe.skipIf(!hasChromium())('lists', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  const traffic = makeTraffic(Date.now())

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, traffic)
    opened = await openConsoleAs(service, ADMIN)
    page = opened.page
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.locator('.live-row').first().waitFor()
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  /** Adds a filter by its property, operator and value, one list after another. */
  const addFilter = async (...choices: readonly string[]): Promise<void> => {
    await page
      .getByRole('group', { name: 'Filters' })
      .getByRole('button', { name: 'Filter', exact: true })
      .click()
    const layer = page.getByRole('dialog', { name: 'Filter' })
    for (const choice of choices)
      await layer.getByRole('option', { name: choice, exact: false }).first().click()
  }

  test('live events stay while the event names of the project are loaded', async () => {
    const asked = Promise.withResolvers<void>()
    await page.route('**/*InsightsService/GetFilterSchema', () => asked.resolve(), { times: 1 })
    await page.reload()
    await asked.promise
    await page.locator('.live-row').first().waitFor()
    await page.unrouteAll()
    await page.reload()
  })

  test('live events are narrowed by a property and an event, and the address keeps both', async () => {
    await addFilter('Country', 'is', 'Japan')
    await page.keyboard.press('Escape')
    const rows = page.locator('.live-row')
    const expected = traffic.filter((event) =>
      JSON.stringify(event).includes('"$country":{"stringValue":"JP"}'),
    )
    expect(expected.length).toBeGreaterThan(5)
    await expect.poll(async () => await rows.count()).toBe(expected.length)
    const named = expected.filter(({ distinctId }) => String(distinctId).startsWith('customer-'))
    expect(named.length).toBeGreaterThan(0)
    expect(await rows.filter({ hasText: /Customer \d/ }).count()).toBe(named.length)
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.count()).toBe(expected.length)
    await page.getByRole('group', { name: 'Country is Japan' }).waitFor()
    await rows.filter({ hasText: 'purchase' }).first().click()
    const drawer = page.getByRole('complementary', { name: 'purchase' })
    await drawer.getByRole('tab', { name: 'Page and visit' }).click()
    await drawer.locator('code', { hasText: /^JP$/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await drawer.getByRole('button', { name: 'Filter by this' }).click()
    await page.waitForURL(/kind=purchase/)
    await expect
      .poll(async () => new Set(await rows.locator('strong').allTextContents()))
      .toEqual(new Set(['purchase']))
    await page.getByRole('button', { name: 'Remove filter: Country is Japan' }).click()
    await expect
      .poll(async () => await rows.count())
      .toBe(traffic.filter(({ kind }) => kind === 'purchase').length)
    await page.getByRole('link', { name: 'Live', exact: true }).click()
  })

  test('a filter that the service refuses shows the reason', async () => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    const filter = { property: 'price', source: 'PROPERTY_SOURCE_CUSTOM', operator: 'FILTER_OPERATOR_GT' }
    const filters = JSON.stringify([{ ...filter, values: ['much'] }])
    await page.goto(`${base}/live?${new URLSearchParams({ filters })}`)
    await page.locator('.filter-problem', { hasText: 'This is not a number' }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Remove filter/ }).click()
    await page.locator('.live-row').first().waitFor()
  })

  test('a filter without matches has an empty state of its own, which is not the first run', async () => {
    await addFilter('Browser', 'contains')
    await page.getByRole('dialog', { name: 'Filter' }).getByRole('textbox').fill('Netscape')
    await page.keyboard.press('Enter')
    await page.getByText('No events match').waitFor()
    await page.getByRole('button', { name: 'Remove filters' }).click()
    await page.locator('.live-row').first().waitFor()
  })

  const rowsOfPeople = () => page.getByRole('region', { name: 'People' }).locator('tbody tr')
  const openPeople = async (parameters: Readonly<Record<string, string>> = {}): Promise<void> => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/people?${new URLSearchParams(parameters)}`)
    await rowsOfPeople().first().waitFor()
  }

  test('people are searched by name, email and ID, and sorted', async () => {
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await rowsOfPeople().first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('/')
    await page.keyboard.type('MER 3')
    await page.waitForURL(/search=MER/)
    await expect.poll(async () => await rowsOfPeople().count()).toBe(5)
    await page.getByText(/^5 of \d+ people match$/).waitFor()
    await page.getByRole('button', { name: 'Person', exact: true }).click()
    await page.waitForURL(/sort=name/)
    await expect
      .poll(async () => await rowsOfPeople().getByRole('link').allTextContents())
      .toEqual(['Customer 3', 'Customer 30', 'Customer 33', 'Customer 36', 'Customer 39'])
    // An address that changes draws no row and no head anew, so that focus stays where it was.
    expect(await page.locator('th button:focus').innerText()).toBe('Person')
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText(/^1–\d+ of 60$/).waitFor()
  })

  test('only the visible people are in the page, and the keyboard reaches the others', async () => {
    await openPeople({ sort: 'name' })
    const inFocus = page.locator('tr:has(a:focus)')
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('61')
    expect(await rowsOfPeople().count()).toBeLessThan(60)
    await page.keyboard.press('j')
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('2')
    await page.getByRole('region', { name: 'People' }).hover()
    await page.mouse.wheel(0, 5000)
    await page.getByText(/^\d+–60 of 60$/).waitFor()
    // A row that has focus stays in the page.
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('2')
    await page.keyboard.press('End')
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('61')
    await page.getByText(/^\d+–60 of 60$/).waitFor()
    expect(await inFocus.isVisible()).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('k')
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('60')
    const name = await inFocus.getByRole('link').innerText()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, exact: true }).waitFor()
    await page.goBack()
    await page.getByText(/^\d+–60 of 60$/).waitFor()
    await page.keyboard.press('j')
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('61')
    await page.keyboard.press('Home')
    expect(await inFocus.getAttribute('aria-rowindex')).toBe('2')
    await page.getByText(/^1–\d+ of 60$/).waitFor()
  })

  test('people are filtered by a property of theirs and by one of their last event', async () => {
    const filterBy = (property: string, source: string, values: readonly string[]) => ({
      filters: JSON.stringify([{ property, source, operator: 'FILTER_OPERATOR_IN', values }]),
    })
    await openPeople(filterBy('name', 'PROPERTY_SOURCE_PROFILE', ['Customer 3', 'Customer 6']))
    await expect.poll(async () => await rowsOfPeople().count()).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    await openPeople(filterBy('$country', 'PROPERTY_SOURCE_AUTO', ['DE']))
    await expect
      .poll(async () => new Set(await rowsOfPeople().locator('td:nth-child(2)').allInnerTexts()))
      .toEqual(new Set(['Germany']))
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('option', { name: /^plan/ }).first().waitFor()
    expect(await page.getByRole('option', { name: /^price/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('columns are chosen, and stay', async () => {
    await openPeople()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'plan' }).check()
    await page.getByRole('button', { name: 'Move plan up' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'plan' }).waitFor()
    expect((await page.getByRole('columnheader').allInnerTexts()).slice(-2)).toEqual(['plan', 'Last seen'])
  })

  test('a person leads to the next one of the list by a key', async () => {
    await openPeople({ sort: 'name', search: 'Customer 1' })
    await page.getByRole('link', { name: 'Customer 12', exact: true }).click()
    await page.getByRole('heading', { name: 'Customer 12', exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Customer 15', exact: true }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Customer 12', exact: true }).waitFor()
  })

  test('a cohort is made of a condition, narrows the list of people and is on their pages', async () => {
    await openPeople()
    await page.getByRole('tab', { name: 'Cohorts' }).click()
    await page.getByText('No cohorts yet').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'New cohort' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Buyers')
    const condition = page.getByRole('group', { name: 'Condition A' })
    await condition.getByRole('button', { name: /, change event$/ }).click()
    await page
      .getByRole('option', { name: /^purchase/ })
      .first()
      .click()
    await condition.getByRole('button', { name: 'in the last 30 days' }).click()
    await page.getByRole('option', { name: 'at any time' }).click()
    const definition = { condition: { performed: { event: { kind: 'purchase' } } } }
    const { body } = await service.call('millrace.cohorts.v1.CohortsService/Count', { definition })
    const buyers = Number(body.users)
    expect(buyers).toBeGreaterThan(5)
    await expect.poll(async () => await page.locator('.cohorts-number').innerText()).toBe(String(buyers))
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/people\/cohorts\/[0-9a-f-]{36}$/)
    const address = page.url()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectToFit(page)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${address.replace(/cohorts\/.*$/, '')}?cohort=${address.split('/').at(-1)}`)
    await page.getByText(new RegExp(`^${buyers} of \\d+ people match$`)).waitFor()
    await page.getByRole('group', { name: 'Person is in Buyers' }).waitFor()
    await page.getByRole('button', { name: 'Save as cohort' }).click()
    const name = page.getByRole('dialog', { name: 'Save as cohort' }).getByRole('textbox', { name: 'Name' })
    await name.fill('The same')
    await name.press('Enter')
    await page.getByText('Cohort ‘The same’ created').waitFor()
    await rowsOfPeople().first().getByRole('link').first().click()
    await page.getByRole('link', { name: 'Buyers', exact: true }).click()
    await page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'The same' }).waitFor()
    const sample = page.getByRole('region', { name: 'Sample' })
    await expect.poll(async () => await sample.getByRole('listitem').count()).toBe(Math.min(8, buyers))
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('menuitem', { name: 'Performed an event', exact: true }).click()
    const counts = page.getByRole('list', { name: 'People after each condition' })
    await expect
      .poll(async () => await counts.allInnerTexts())
      .toEqual([expect.stringContaining(`\n${buyers}\n`)])
    await page.getByText(/^\d+(\.\d)?% of \d+ people$/).waitFor()
    await page.getByRole('figure', { name: /^Active people each day/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete cohort' }).click()
    const refusal = page.getByRole('dialog', { name: 'This cohort is in use' })
    await refusal.getByRole('link', { name: 'The same' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await refusal.getByRole('button', { name: 'Close' }).last().click()
    // The page asks whether to leave the condition that was added.
    page.once('dialog', async (dialog) => await dialog.accept())
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('navigation', { name: 'People' }).getByText('Copy of Buyers').waitFor()
  })

  test('a list of people in a cohort that is deleted leads to all people', async () => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/people?cohort=00000000-0000-4000-8000-000000000000`)
    await page.getByText('There is no such cohort').waitFor()
    await page.getByRole('button', { name: 'All people' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ people$/ })
      .waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('a cohort filters the overview', async () => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/overview`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('option', { name: 'Cohort', exact: true }).click()
    await page.getByRole('option', { name: 'Buyers', exact: true }).click()
    await page.waitForURL(/[?&]cohort=[0-9a-f-]{36}$/)
    await page.getByRole('group', { name: 'Person is in Buyers' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('a cohort filters the list of sessions', async () => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/sessions`)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('option', { name: 'Cohort', exact: true }).click()
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('VisitsService/List') && namesCohort(request.postDataBuffer()),
    )
    await page.getByRole('option', { name: 'Buyers', exact: true }).click()
    await asked
    await page.waitForURL(/[?&]cohort=[0-9a-f-]{36}$/)
    await page.getByRole('group', { name: 'Person is in Buyers' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('a cohort filters the numbers and the events of Live, and its address keeps it', async () => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/live`)
    const bar = page.locator('.live-bar')
    await bar.getByRole('button', { name: 'Cohort', exact: true }).click()
    const listed = page.waitForRequest(
      (request) =>
        request.url().endsWith('ActivityService/GetEventExplorer') && namesCohort(request.postDataBuffer()),
    )
    await page.getByRole('option', { name: 'Buyers', exact: true }).click()
    await listed
    await page.waitForURL(/[?&]cohort=[0-9a-f-]{36}$/)
    await page.reload()
    await bar.getByRole('group', { name: 'Person is in Buyers' }).waitFor()
    const now = page.getByRole('region', { name: 'The last 30 minutes' })
    await now.getByRole('definition').filter({ hasText: /^\d+$/ }).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  test('a profile is hidden after a confirmation, and no list shows it', async () => {
    await openPeople({ search: 'Customer' })
    await page.getByRole('link', { name: 'Customer 9', exact: true }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Hide profile' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Hide profile' }).click()
    await page.getByText(/^1–\d+ of 59$/).waitFor()
    await openPeople({ search: 'Customer' })
    expect(await page.getByRole('link', { name: 'Customer 9', exact: true }).count()).toBe(0)
  })

  const visit = { event: { kind: 'page_view' }, aggregation: 'AGGREGATION_TYPE_UNIQUE_USERS' }
  const openInsight = async (spec: object): Promise<void> => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    const query = new URLSearchParams({ spec: JSON.stringify(spec), range: 'LAST_14_DAYS' })
    await page.goto(`${base}/insights?${query}`)
  }
  /** The number in the title of the drawer, once the people are listed. */
  const totalOfDrawer = async (): Promise<number> => {
    const title = page.locator('.ui-drawer-title')
    await title.filter({ hasText: /\([\d,]+\)$/ }).waitFor()
    return Number(/\(([\d,]+)\)$/.exec(await title.innerText())?.[1]?.replaceAll(',', ''))
  }
  const numberIn = async (place: Locator): Promise<number> =>
    Number((await place.innerText()).replaceAll(/[^\d]/g, ''))

  test.each([
    [
      'a funnel step',
      {
        insightType: 'INSIGHT_TYPE_FUNNEL',
        events: [visit, { event: { kind: 'sign_up' } }].map(({ event }) => ({ event })),
      },
      'button.funnel-count >> nth=2',
    ],
    ['a single number', { insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [visit] }, '.kpi'],
  ])('the people behind %s are as many as the chart counts', async (_, spec, place) => {
    await openInsight(spec)
    const opener = page.locator(place)
    const shown = await numberIn(opener)
    expect(shown).toBeGreaterThan(0)
    await opener.click()
    expect(await totalOfDrawer()).toBe(shown)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('.ui-drawer').waitFor({ state: 'detached' })
    expect(await opener.evaluate('document.activeElement.tagName')).toBe('BUTTON')
  })

  test('the people behind a number become a cohort, which a chart compares with another one', async () => {
    await openInsight({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [visit] })
    await page.locator('.kpi').click()
    await totalOfDrawer()
    await page.getByRole('button', { name: 'Save as cohort' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as cohort' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Visitors')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Cohort ‘Visitors’ created').waitFor()
    const { body } = await service.call('millrace.cohorts.v1.CohortsService/List', {})
    const ids = (body.cohorts as readonly { readonly id: string }[]).map(({ id }) => id)
    await openInsight({ insightType: 'INSIGHT_TYPE_TRENDS', events: [visit], breakdownCohortIds: ids })
    await page.getByRole('rowheader', { name: 'Visitors', exact: true }).waitFor()
    await page.getByRole('rowheader', { name: 'Buyers', exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByRole('rowheader', { name: 'Buyers', exact: true }).waitFor()
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  test('the people behind a row, a country and a day are as many as the chart counts', async () => {
    const metric = { metric: 'AGGREGATION_TYPE_UNIQUE_USERS' }
    await openInsight({
      insightType: 'INSIGHT_TYPE_TOP_K',
      topK: { dimension: 'DIMENSION_EVENT_KIND', ...metric },
    })
    const row = page.locator('.bar-row').first()
    const shown = await numberIn(row.locator('.bar-value'))
    await row.getByRole('button').click()
    expect(await totalOfDrawer()).toBe(shown)
    await openInsight({ insightType: 'INSIGHT_TYPE_MAP', map: metric })
    const country = page.locator('.world-list tbody tr').first()
    const ofCountry = await numberIn(country.locator('td').nth(1))
    await country.getByRole('button').click()
    expect(await totalOfDrawer()).toBe(ofCountry)
    await openInsight({ insightType: 'INSIGHT_TYPE_TRENDS', events: [visit] })
    await page.locator('.chart').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    const ofDay = await numberIn(page.locator('.chart-tooltip-row').first().locator('.chart-tooltip-value'))
    await page.keyboard.press('Enter')
    expect(await totalOfDrawer()).toBe(ofDay)
  })

  test('the address keeps the people of a cell and a person among them', async () => {
    await openInsight({
      insightType: 'INSIGHT_TYPE_RETENTION',
      events: [visit, visit].map(({ event }) => ({ event })),
    })
    const rows = page.locator('.heat tbody tr')
    await rows.first().waitFor()
    const counts = await rows.locator('td:first-of-type').allTextContents()
    // After the average, the first day with people.
    const cells = rows.nth(counts.findIndex((count, index) => index > 0 && count.trim() !== '0'))
    const people = await numberIn(cells.locator('td').first())
    await cells.locator('[data-period="1"]').click()
    const returned = await totalOfDrawer()
    await page.getByRole('radio', { name: 'Did not come back' }).check({ force: true })
    await page.locator('.ui-drawer-title').filter({ hasText: 'did not come back' }).waitFor()
    await expect.poll(async () => (await totalOfDrawer()) + returned).toBe(people)
    const title = page.locator('.ui-drawer-title').filter({ hasText: 'did not come back' })
    await page.reload()
    await title.waitFor()
    await page.locator('.people-row').first().click()
    await page.getByRole('link', { name: 'Open person' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Open person' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.locator('.people-row').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL((url) => !url.searchParams.has('people'))
  })

  test('the navigation opens a list without filters, and Back restores them', async () => {
    const live = page.getByRole('link', { name: 'Live', exact: true })
    await live.click()
    await addFilter('Country', 'is', 'Japan')
    await page.keyboard.press('Escape')
    const chip = page.getByRole('group', { name: 'Country is Japan' })
    await chip.waitFor()
    await live.click()
    await chip.waitFor({ state: 'detached' })
    await page.goBack()
    await chip.waitFor()
  })

  test('a list is read further as one scrolls, and a failure on the way is not the end', async () => {
    // Older than all other events, which stay at the top of Live.
    const lastMs = Date.now() - 11 * 86_400_000
    const guests = Array.from({ length: 250 }, (_, at) =>
      makeEvent({ distinctId: `guest-${at}`, occurTime: new Date(lastMs - at * 60_000).toISOString() }),
    )
    await sendTraffic(service, guests)
    await expect
      .poll(async () => {
        await openPeople()
        return await page.locator('.people-count').innerText()
      })
      .toBe('309 people')
    await openPeople({ search: 'guest-' })
    const last = async (): Promise<void> => {
      await page.getByRole('region', { name: 'People' }).focus()
      await page.keyboard.press('End')
    }
    await page.getByText(/^1–\d+ of 250$/).waitFor()
    await page.route('**/*ProfilesService/List', async (route) => await route.abort())
    await last()
    await page.getByRole('alert').getByText('The people could not be loaded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect
      .poll(async () => {
        await last()
        return await page.getByText(/^\d+–250 of 250$/).count()
      })
      .toBe(1)
    await page.getByRole('link', { name: 'Visitor guest-249', exact: true }).click()
    await page.getByRole('heading', { name: 'Visitor guest-249', exact: true }).waitFor()
    await page.goBack()
    await page.getByText(/^\d+–250 of 250$/).waitFor()
    await page.getByRole('link', { name: 'Visitor guest-249', exact: true }).waitFor()
    await openPeople({ search: 'guest-' })
    await page.getByText('100 loaded', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Reverse the order' }).click()
    await page.getByRole('link', { name: 'Visitor guest-249', exact: true }).waitFor()
    await page.getByText(/^1–\d+ of 250$/).waitFor()
  })

  test('a missing answer is announced', async () => {
    await page.route('**/GetEventExplorer', async (route) => await route.abort())
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.live-row').first().waitFor()
  })

  test('a page and a layer whose files cannot be loaded come once they can', async () => {
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await rowsOfPeople().first().waitFor()
    await page.reload()
    await rowsOfPeople().first().waitFor()
    const fail = async (): Promise<void> => {
      await page.route('**/assets/**', async (route) => await route.abort())
    }
    const notice = page.getByText('A part of the page could not be loaded.')
    await fail()
    await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await notice.waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Dashboards' }).waitFor()
    await notice.waitFor({ state: 'detached' })
    await fail()
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await notice.waitFor()
    await page.unrouteAll()
    await page.getByRole('dialog', { name: 'New dashboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.locator('.live-row').first().waitFor()
  })

  test('a retry after a failure is announced', async () => {
    const list = '**/*ProfilesService/List'
    // The console asks a second time by itself.
    await page.route(list, async (route) => await route.abort(), { times: 2 })
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/people`)
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route(list, async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.ui-skeleton-group').waitFor()
    answered.resolve()
    await rowsOfPeople().first().waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Live' }).click()
    await page.locator('.live-row').first().waitFor()
  })

  test('the keyboard opens an event, and focus returns to its row', async () => {
    const row = page.locator('.live-row').nth(2)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.locator('.ui-drawer').waitFor()
    await page.keyboard.press('j')
    await page.locator('.live-list li:nth-child(4) .live-row[aria-pressed="true"]').waitFor()
    await page.keyboard.press('k')
    await page.locator('.live-list li:nth-child(3) .live-row[aria-pressed="true"]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.ui-drawer').waitFor({ state: 'detached' })
    expect(await row.evaluate('document.activeElement.className')).toBe('live-row')
    await page.reload()
    await page.locator('.live-row').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('a long name of a live event is whole where there is room, and its column keeps its width', async () => {
    const kind = 'customer_completed_the_checkout'
    await sendTraffic(service, [makeEvent({ kind, occurTime: new Date().toISOString() })])
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    const name = page.locator('.live-row > strong').filter({ hasText: kind })
    await name.waitFor()
    const isWhole = await name.evaluate((one: Placed) => one.scrollWidth <= one.clientWidth)
    expect(isWhole).toBe(true)
    const starts = await page
      .locator('.live-row > .live-person')
      .evaluateAll((people: readonly Placed[]) => people.map((one) => one.getBoundingClientRect().left))
    expect(new Set(starts).size).toBe(1)
  })

  test('an event that is dated ahead is marked, and stays below events that arrive later', async () => {
    const rows = page.locator('.live-row')
    const send = async (kind: string, aheadMs: number): Promise<void> => {
      const occurTime = new Date(Date.now() + aheadMs).toISOString()
      await sendTraffic(service, [makeEvent({ kind, occurTime })])
      await rows.first().filter({ hasText: kind }).waitFor()
    }
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await send('from_tomorrow', 26 * 3_600_000)
    expect(await rows.first().textContent()).toContain('ahead')
    await send('from_now', 0)
    expect(await rows.nth(1).textContent()).toContain('from_tomorrow')
  })

  test('a bar leads to its minute, with the events that happened by then', async () => {
    const occurTime = new Date(Date.now() - 10 * 60_000).toISOString()
    await sendTraffic(service, [makeEvent({ kind: 'ten_minutes_ago', occurTime })])
    await page.reload()
    const rows = page.locator('.live-row')
    await rows.first().filter({ hasText: 'ten_minutes_ago' }).waitFor()
    const bars = page.getByRole('group', { name: 'Events in each of the last 30 minutes' })
    const bar = bars.getByRole('button', { name: `${occurTime.slice(11, 16)}: ` })
    await bar.click()
    await page.getByRole('group', { name: /^Until / }).waitFor()
    await expect.poll(async () => await rows.first().textContent()).toContain('ten_minutes_ago')
    expect(await page.getByText('from_now').count()).toBe(0)
    await bar.click()
    await page.getByText('from_now').waitFor()
  })

  test('live events of a period have columns of choice, which stay', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const ofYesterday = traffic.filter(({ occurTime }) => String(occurTime).startsWith(yesterday))
    expect(ofYesterday.length).toBeGreaterThan(5)
    const rows = page.locator('.live-row')
    await page.getByRole('button', { name: 'Newest events' }).click()
    await page.getByRole('button', { name: 'Yesterday' }).click()
    await page.waitForURL(/range=yesterday/)
    await expect.poll(async () => await rows.count()).toBe(Math.min(100, ofYesterday.length))
    await page.getByRole('button', { name: 'Columns' }).click()
    const columns = page.getByRole('dialog', { name: 'Columns' })
    await columns.getByRole('checkbox', { name: 'plan' }).check()
    await columns.getByRole('checkbox', { name: 'Browser' }).check()
    await columns.getByRole('button', { name: 'Move Browser up' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.reload()
    await rows.first().waitFor()
    expect(await page.locator('.live-columns > .ui-ellipsis').allInnerTexts()).toEqual(['Browser', 'plan'])
    expect(await rows.first().textContent()).toContain('plan: pro')
    // A period that is over is read again only when the reader returns to the window.
    await sendTraffic(service, [makeEvent({ kind: 'late_arrival', occurTime: `${yesterday}T23:59:59.000Z` })])
    await expect
      .poll(async () => {
        await page.evaluate('dispatchEvent(new Event("focus"))')
        return await rows.first().textContent()
      })
      .toContain('late_arrival')
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('button', { name: 'Columns' }).click()
    await columns.getByRole('button', { name: 'Default columns' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Yesterday', exact: false }).first().click()
    await page.getByRole('button', { name: 'Newest events' }).click()
    await rows.first().filter({ hasText: 'late_arrival' }).waitFor()
  })

  test('new events wait behind a button while the list is paused', async () => {
    const rows = page.locator('.live-row')
    await page.getByRole('button', { name: 'Pause' }).click()
    await sendTraffic(service, [makeEvent({ kind: 'while_paused' })])
    await page.getByRole('button', { name: '1 new event' }).click()
    await rows.first().filter({ hasText: 'while_paused' }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
  })

  test('filters fit a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
  })

  test('an unknown country is whole in the list of people, which fits beside the rail', async () => {
    const event = makeEvent({
      distinctId: 'anon-nowhere',
      autoProperties: { $country: { stringValue: 'ZZ' } },
    })
    await sendTraffic(service, [event])
    await page.setViewportSize({ width: 1024, height: 800 })
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/people`)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Default columns' }).click()
    await page.keyboard.press('Escape')
    const place = rowsOfPeople().locator('.people-place > span').filter({ hasText: 'Unknown Region' })
    // The event counts a moment after it is sent.
    await expect
      .poll(
        async () => {
          await page.reload()
          await rowsOfPeople().first().waitFor()
          return await place.count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    expect(await place.evaluate((one: Placed) => one.scrollWidth <= one.clientWidth)).toBe(true)
    const list = page.getByRole('region', { name: 'People' })
    expect(await list.evaluate((one: Placed) => one.scrollWidth <= one.clientWidth)).toBe(true)
  })

  test('nothing threw or broke the content security policy', () => {
    expect(withoutRefusals(opened.complaints).filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  })
})
