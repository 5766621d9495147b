import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { openBrowser, type TestBrowser } from './harness/browser.ts'
import { hasChromium } from './harness/chromium.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { type GallerySite, startGallery } from './harness/gallery-site.ts'

/** Screenshots are kept here when this names a folder. */
const SCREENSHOTS = process.env.GALLERY_SCREENSHOTS

describe.skipIf(!hasChromium())('the gallery of components', () => {
  let site: GallerySite
  let browser: TestBrowser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    site = await startGallery()
    browser = await openBrowser({ width: 1270, height: 1062, colorScheme: 'light' })
    page = await browser.context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
  })

  beforeEach(async () => {
    await page.setViewportSize({ width: 1270, height: 1062 })
    await page.goto(site.url)
    await page.getByRole('heading', { name: 'Components' }).waitFor()
  })

  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function keep(name: string): Promise<void> {
    if (SCREENSHOTS === undefined) return
    mkdirSync(SCREENSHOTS, { recursive: true })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}.png`), fullPage: true })
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }

  /** The name of the element that has focus. */
  async function focused(): Promise<unknown> {
    return await page.evaluate(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
    )
  }

  test('has no accessibility violation at rest', async () => {
    await keep('gallery')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
  })

  test('loads fonts of its own and keeps the content security policy', async () => {
    await page.evaluate('document.fonts.ready')
    expect(await page.evaluate('document.fonts.check("13px \\"Inter Variable\\"")')).toBe(true)
    const flag = 'document.querySelector("img.ui-flag").decode().then(() => true)'
    expect(await page.evaluate(flag)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 320, height: 844 })
    await expectToFit(page)
    await keep('gallery-phone')
  })

  test('a menu opens with keys, has no violation, and gives focus back', async () => {
    await page.getByRole('button', { name: 'Insight actions' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await keep('menu')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Insight actions')
  })

  test('a combobox is searched and chosen with keys', async () => {
    const chip = page.getByRole('button', { name: 'signup', exact: true })
    await chip.focus()
    await page.keyboard.press('Enter')
    const field = page.getByRole('dialog', { name: 'Event' }).getByRole('combobox', { name: 'Event' })
    await field.fill('gift purch')
    await expect.poll(() => page.getByRole('option').filter({ visible: true }).count()).toBeGreaterThan(0)
    await keep('combobox')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await field.fill('PUR')
    const labels = page.getByRole('dialog', { name: 'Event' }).locator('.ui-option-label')
    expect(await labels.allTextContents()).toEqual(['purchase', 'purchase_refunded', 'gift_purchase'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'purchase_refunded', exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('purchase_refunded')
  })

  test('an option that is disabled is not chosen', async () => {
    await page.getByRole('button', { name: 'signup', exact: true }).click()
    await page.getByRole('dialog', { name: 'Event' }).getByRole('combobox').fill('checkout')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog', { name: 'Event' }).isVisible()).toBe(true)
  })

  test('a list of several values stays open, and offers a typed value', async () => {
    await page.getByRole('button', { name: 'Germany, Georgia +1' }).click()
    const layer = page.getByRole('dialog', { name: 'Countries' })
    await layer.getByRole('option', { name: 'Algeria' }).click()
    await expect.poll(() => layer.getByText('2 selected').isVisible()).toBe(true)
    const open = page.getByRole('combobox', { name: 'Country', exact: true })
    await page.keyboard.press('Escape')
    await open.fill('Narnia')
    await page.getByRole('option', { name: 'Use ‘Narnia’' }).waitFor()
  })

  test('an event is found, previewed and chosen with keys', async () => {
    const chip = page.getByRole('button', { name: 'page_view, change event' })
    await chip.focus()
    await page.keyboard.press('Enter')
    const layer = page.getByRole('dialog', { name: 'Choose an event' })
    const field = layer.getByRole('combobox', { name: 'Choose an event' })
    await field.fill('PUR')
    expect(await layer.locator('.entry-name').allTextContents()).toEqual([
      'purchase',
      'purchase_refunded',
      'gift_purchase',
      'Purchase',
    ])
    await layer.getByText('Common properties').waitFor()
    await keep('event-picker')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await layer.locator('.entry-name').allTextContents()).toEqual(['Purchase'])
    await field.fill('purx')
    await layer.getByText('No event called ‘purx’').waitFor()
    await field.fill('<img')
    await page.keyboard.press('Enter')
    await layer.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('<img src=x onerror=alert(1)>, change event')
    expect(complaints).toEqual([])
  })

  test('of thousands of names the most frequent are listed, and a phone shows them on a sheet', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'purchase, change event' }).click()
    const layer = page.getByRole('dialog', { name: 'Choose an event' })
    expect(await layer.getByRole('option').count()).toBeLessThan(300)
    await keep('event-picker-phone')
    await expectToFit(page)
    const box = await layer.boundingBox()
    expect([box?.width, box?.height]).toEqual([390, 844])
    await layer.getByRole('button', { name: 'Close' }).click()
    await layer.waitFor({ state: 'detached' })
  })

  test('a filter gets its property, operator and values in one layer', async () => {
    const row = page.getByRole('group', { name: 'Filters of a list' })
    await row.getByRole('button', { name: 'Filter', exact: true }).focus()
    await page.keyboard.press('Enter')
    const layer = page.getByRole('dialog', { name: 'Filter' })
    await layer.getByRole('combobox').fill('$country')
    await page.keyboard.press('Enter')
    await layer.getByRole('option', { name: 'is any of' }).click()
    await layer.getByRole('option', { name: 'Germany' }).click()
    await layer.getByRole('option', { name: 'Austria' }).click()
    await layer.getByText('2 selected').waitFor()
    await keep('filter-values')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Filter')
    const added = row.getByRole('group', { name: 'Country is any of Germany, Austria', exact: true })
    await added.getByRole('button', { name: 'is any of, change operator' }).click()
    await layer.getByRole('option', { name: 'is set' }).click()
    await row.getByRole('group', { name: 'Country is set' }).waitFor()
    await row.getByRole('button', { name: 'Remove filter: Country is set' }).click()
    expect(await row.getByRole('group').count()).toBe(3)
  })

  test('a range of numbers is refused in words until it is one', async () => {
    const row = page.getByRole('group', { name: 'Filters of a list' })
    await row.getByRole('button', { name: '1 and …, change value' }).click()
    const layer = page.getByRole('dialog', { name: 'Filter' })
    await layer.getByLabel('To').fill('much')
    await page.keyboard.press('Enter')
    await layer.getByText('Enter a number').waitFor()
    await layer.getByLabel('To').fill('0')
    await page.keyboard.press('Enter')
    await layer.getByText('must not be larger').waitFor()
    await layer.getByLabel('To').fill('2.50')
    await page.keyboard.press('Enter')
    await row.getByRole('group', { name: 'price is between 1 and 2.5' }).waitFor()
  })

  test('a measure of a property asks which number', async () => {
    const row = page.getByRole('group', { name: 'series A', exact: true })
    await row.getByRole('button', { name: 'Unique people, change measure' }).click()
    const layer = page.getByRole('dialog', { name: 'Choose a measure' })
    await layer.getByRole('option', { name: 'Sum of' }).click()
    expect(await layer.locator('.entry-name').allTextContents()).toEqual(['price'])
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: 'Sum of price, change measure' }).waitFor()
  })

  test('a row moves with Alt and an arrow, by its grip and by its menu', async () => {
    const events = page.locator('.query-row-chips > .ui-chip:first-child')
    const names = async (): Promise<readonly string[]> => await events.allTextContents()
    await page.getByRole('button', { name: 'page_view, change event' }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    expect(await names()).toEqual(['signup', 'page_view', 'purchase'])
    const grip = page.getByRole('button', { name: 'Move series A' })
    await grip.hover()
    await page.mouse.down()
    const last = await page.getByRole('group', { name: 'series C', exact: true }).boundingBox()
    await page.mouse.move((last?.x ?? 0) + 40, (last?.y ?? 0) + 10)
    await page.mouse.up()
    expect(await names()).toEqual(['page_view', 'purchase', 'signup'])
    await page.getByRole('button', { name: 'Actions of series C' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    expect(await names()).toEqual(['page_view', 'signup', 'purchase'])
  })

  test('Escape closes only the topmost layer', async () => {
    await page.getByRole('button', { name: 'Dialog', exact: true }).click()
    await page.getByRole('dialog', { name: 'Name this insight' }).waitFor()
    await keep('dialog')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Dialog')
  })

  test('a deletion needs the typed name first', async () => {
    await page.getByRole('button', { name: 'Confirm…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete person and data' })
    const verb = dialog.getByRole('button', { name: 'Delete person' })
    expect(await verb.isDisabled()).toBe(true)
    const field = dialog.getByLabel('Type the person’s ID to confirm')
    await field.press('Enter')
    await field.fill('ann')
    await field.press('Enter')
    expect(await verb.isDisabled()).toBe(true)
    await field.fill('anna')
    await field.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Confirm…' }).click()
    await field.fill('anna')
    await dialog.getByText('It cannot be undone.').click()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a drawer pushes a wide page and covers a narrow one', async () => {
    await page.getByRole('button', { name: 'Drawer', exact: true }).click()
    await page.getByRole('dialog', { name: 'People who dropped off' }).waitFor()
    await keep('drawer-covers')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Drawer', exact: true }).click()
    await page.getByRole('complementary', { name: 'People who dropped off' }).waitFor()
    await keep('drawer-pushes')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Drawer')
  })

  test('a message with Undo can be closed, and at most three are shown', async () => {
    for (let at = 0; at < 4; at += 1) await page.getByRole('button', { name: 'Remove tile' }).click()
    const messages = page.getByRole('region', { name: 'Messages' }).getByRole('listitem')
    expect(await messages.count()).toBe(3)
    await messages.first().getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => messages.count()).toBe(2)
    await page.getByRole('button', { name: 'Export', exact: true }).last().click()
    await keep('toasts')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
  })

  test('an icon button has a tooltip', async () => {
    await page.getByRole('button', { name: 'More actions' }).hover()
    await page.getByRole('tooltip').waitFor()
    expect(await page.getByRole('tooltip').textContent()).toBe('More actions')
    await keep('tooltip')
    await page.keyboard.press('Escape')
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
  })

  test('a date range understands phrases, and steps by its length', async () => {
    await page.getByRole('button', { name: 'Last 30 days' }).first().click()
    const layer = page.getByRole('dialog', { name: 'Choose a date range' })
    await layer.getByLabel('First day').fill('last 6 weeks')
    await layer.getByLabel('First day').press('Enter')
    await layer.waitFor({ state: 'detached' })
    const range = page.getByRole('group', { name: 'Choose a date range' })
    await range.getByRole('button', { name: /Last 6 weeks/ }).waitFor()
    expect(await range.getByRole('button', { name: 'Next period' }).isDisabled()).toBe(true)
    await range.getByRole('button', { name: 'Previous period' }).click()
    await range.getByRole('button', { name: '31 Aug – 11 Oct' }).waitFor()
  })

  test('a date range is chosen in the calendar with keys', async () => {
    await page.getByRole('button', { name: 'Last 30 days' }).first().click()
    const layer = page.getByRole('dialog', { name: 'Choose a date range' })
    await layer.locator('[data-date="2026-11-22"]').focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await keep('date-range')
    expect(await findBarriers(page, { atOnce: true })).toEqual([])
    await layer.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: '15 Oct – 15 Nov' }).waitFor()
  })

  test('a date that is none is refused in words', async () => {
    const field = page.getByLabel('Last day').last()
    await field.fill('Feb 30')
    await field.blur()
    expect(await page.getByRole('alert').filter({ hasText: 'Enter a day' }).isVisible()).toBe(true)
  })

  test('tabs and segments move with arrow keys', async () => {
    await page.getByRole('tab', { name: 'Trends' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('tab', { name: 'Funnel' }).getAttribute('aria-selected')).toBe('true')
    await expect.poll(focused).toBe('Funnel')
    await page.getByRole('radio', { name: 'Top' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: 'Entry' }).isChecked()).toBe(true)
  })

  test('a table sorts by its heads', async () => {
    const table = page.getByRole('table').filter({ hasText: '/chairs' })
    await table.getByRole('button', { name: 'Page' }).click()
    expect(await table.getByRole('columnheader', { name: 'Page' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )
    expect(await table.getByRole('link').allTextContents()).toEqual(['/chairs', '/lamps', '/pricing'])
    await table.getByRole('button', { name: 'Page' }).click()
    expect(await table.getByRole('link').allTextContents()).toEqual(['/pricing', '/lamps', '/chairs'])
  })
})
