import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsoleAs, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'

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
    await page.locator('.event-row').first().waitFor()
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const fill = async (label: string, value: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByLabel(label, { exact: true }).blur()
  }
  const suggestionsOf = async (label: string): Promise<readonly string[]> => {
    const field = page.getByLabel(label, { exact: true })
    await field.focus()
    const list = page.locator(`#${await field.getAttribute('list')} option`)
    await list.first().waitFor({ state: 'attached' })
    return await Promise.all((await list.all()).map(async (one) => (await one.getAttribute('value')) ?? ''))
  }

  test('live events stay while the event names of the project are loaded', async () => {
    const asked = Promise.withResolvers<void>()
    await page.route('**/*ActivityService/GetFilterSchema', () => asked.resolve(), { times: 1 })
    await page.reload()
    await asked.promise
    await page.locator('.event-row').first().waitFor()
    await page.unrouteAll()
    await page.reload()
  })

  test('live events are narrowed by a property, whose names and values are offered', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    expect(await suggestionsOf('Property')).toEqual(expect.arrayContaining(['$country', 'price', 'plan']))
    await fill('Property', '$country')
    expect(await suggestionsOf('Value')).toEqual(expect.arrayContaining(['DE', 'FR', 'JP']))
    await fill('Value', 'JP')
    const rows = page.locator('.event-row')
    const expected = traffic.filter((event) =>
      JSON.stringify(event).includes('"$country":{"stringValue":"JP"}'),
    )
    expect(expected.length).toBeGreaterThan(5)
    await expect.poll(async () => await rows.count()).toBe(expected.length)
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.count()).toBe(expected.length)
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('JP')
    await page.getByLabel('Event', { exact: true }).selectOption('purchase')
    await page.waitForURL(/kind=purchase/)
    await page.reload()
    await rows.first().waitFor()
    expect(await page.getByLabel('Event', { exact: true }).inputValue()).toBe('purchase')
    expect(new Set(await rows.locator('strong').allTextContents())).toEqual(new Set(['purchase']))
    await page.getByLabel('Event', { exact: true }).selectOption('All events')
    await rows.first().waitFor()
    await rows.first().click()
    const drawer = page.getByRole('dialog')
    await drawer.locator('dt', { hasText: '$country' }).waitFor()
    expect(await drawer.locator('dt', { hasText: '$country' }).locator('+ dd').textContent()).toBe('JP')
    await page.keyboard.press('Escape')
  })

  test('a filter that the service rejects shows the reason', async () => {
    await fill('Property', 'price')
    await page.getByLabel('Condition').selectOption('>')
    await fill('Value', 'much')
    await page.getByRole('alert').getByText('Request').waitFor()
    expect(await page.locator('.filter .problem').allTextContents()).not.toEqual([])
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await fill('Value', '90')
    await page.locator('.event-row').first().waitFor()
    await page.getByRole('button', { name: 'Remove filter' }).click()
    await expect.poll(async () => await page.locator('.event-row').count()).toBe(100)
  })

  test('a refused filter shows its error itself, also below an unfinished one', async () => {
    for (const _ of ['not finished', 'refused'])
      await page.getByRole('button', { name: 'Add filter' }).click()
    const [first, second] = ['Filter 1', 'Filter 2'].map((name) => page.getByRole('group', { name }))
    if (!first || !second) throw new Error('there are no two filters')
    await second.getByLabel('Property').fill('price')
    await second.getByLabel('Property').blur()
    await second.getByLabel('Condition').selectOption('>')
    await second.getByLabel('Value').fill('much')
    await second.getByLabel('Value').blur()
    await second.locator('.problem').waitFor()
    expect(await first.locator('.problem').count()).toBe(0)
    for (const row of [second, first]) await row.getByRole('button', { name: 'Remove filter' }).click()
    await page.locator('.event-row').first().waitFor()
  })

  test('a filter without matches has an empty state of its own, which is not the first run', async () => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Of', { exact: true }).selectOption('the person')
    await fill('Property', 'plan')
    await fill('Value', 'free of charge')
    await page.getByText('No events match').waitFor()
  })

  const rowsOfPeople = () => page.getByRole('region', { name: 'People' }).locator('tbody tr')
  const openPeople = async (parameters: Readonly<Record<string, string>> = {}): Promise<void> => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/people?${new URLSearchParams(parameters)}`)
    await rowsOfPeople().first().waitFor()
  }

  test('people are searched by name, email and ID, and sorted', async () => {
    await page.getByRole('link', { name: 'People' }).click()
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
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('1–50 of 60').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('51–60 of 60').waitFor()
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

  test('a profile is hidden after a confirmation, and no list shows it', async () => {
    await openPeople({ search: 'Customer' })
    await page.getByRole('link', { name: 'Customer 9', exact: true }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Hide profile' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Hide profile' }).click()
    await page.getByText('1–50 of 59').waitFor()
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
    for (const [section, property] of [['Live', '$country']] as const) {
      const link = page.getByRole('link', { name: section, exact: true })
      await link.click()
      await page.getByRole('heading', { name: section, exact: true }).waitFor()
      await page.getByRole('button', { name: 'Add filter' }).click()
      await fill('Property', property)
      await link.click()
      await page.locator('.filter').waitFor({ state: 'detached' })
      await page.goBack()
      expect(await page.getByLabel('Property', { exact: true }).inputValue()).toBe(property)
    }
  })

  test('a slow answer and a missing answer are announced', async () => {
    await page.route('**/GetEventExplorer', async () => undefined)
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByText('This takes longer than usual').waitFor()
    await page.unrouteAll()
    await page.route('**/GetEventExplorer', async (route) => await route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.event-row').first().waitFor()
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
    await page.locator('.event-row').first().waitFor()
  })

  test('the keyboard opens an event, and focus returns to its row', async () => {
    const row = page.locator('.event-row').nth(2)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await row.evaluate('document.activeElement.className')).toBe('event-row')
    await page.reload()
    await page.locator('.event-row').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('filters fit a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page)
  })

  test('nothing threw or broke the content security policy', () => {
    expect(withoutRefusals(opened.complaints).filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
  })
})
