import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { type ConsolePage, openConsoleAs, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import type { TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'

/** Of a page on a busy machine. */
const PATIENCE = { timeout: 20_000 } as const

describe.skipIf(!hasSystemTool('chromium', 'chromium'))('lists', () => {
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
    await expect.poll(async () => await rows.count(), PATIENCE).toBe(expected.length)
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
    await expect.poll(async () => await page.locator('.event-row').count(), PATIENCE).toBe(100)
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

  test('users are filtered by a trait and by properties of their last event', async () => {
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('link', { name: 'Customer 3', exact: true }).waitFor()
    const people = page.getByRole('region', { name: 'People' }).locator('tbody tr')
    await page.getByRole('button', { name: 'Add filter' }).click()
    expect(await suggestionsOf('Property')).toEqual(expect.arrayContaining(['name', 'plan']))
    await fill('Property', 'name')
    await page.getByLabel('Condition').selectOption('is any of')
    await fill('Values, one per line', 'Customer 3\nCustomer 6')
    await expect.poll(async () => await people.count(), PATIENCE).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Condition').selectOption('is set')
    await expect.poll(async () => await people.count(), PATIENCE).toBe(20)
    await page.getByLabel('Of', { exact: true }).selectOption('the last event')
    expect(await suggestionsOf('Property')).not.toContain('price')
    await fill('Property', '$country')
    await page.getByLabel('Condition').selectOption('is')
    await fill('Value', 'DE')
    await expect
      .poll(async () => new Set(await people.locator('td:nth-child(3)').allTextContents()), PATIENCE)
      .toEqual(new Set(['Germany']))
  })

  test('a profile is hidden after a confirmation, and no list shows it', async () => {
    await page.getByRole('link', { name: 'People' }).click()
    await page.reload()
    await page.getByRole('link', { name: 'Customer 9', exact: true }).click()
    await page.getByRole('button', { name: 'Hide profile' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Hide profile' }).click()
    await page.getByRole('link', { name: 'Customer 3', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Customer 9', exact: true }).count()).toBe(0)
  })

  test('the navigation opens a list without filters, and Back restores them', async () => {
    for (const [section, property] of [
      ['Live', '$country'],
      ['People', 'plan'],
    ] as const) {
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
    await page.route(list, async (route) => await route.abort(), { times: 1 })
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    const answered = Promise.withResolvers<void>()
    await page.route(list, async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Trying again…', disabled: true }).waitFor()
    answered.resolve()
    await page.getByRole('link', { name: 'Customer 3', exact: true }).waitFor()
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
