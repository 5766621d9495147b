import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { type ConsolePage, openConsolePage, openProject } from './harness/console-page.ts'
import { makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { makePlausibleExport, type PlausibleExport } from './harness/plausible-export.ts'
import { PRIVATE_KEY, runMillrace, type TestService } from './harness/service.ts'

const DAY_MS = 86_400_000

/** Where pictures of the page are kept; none without it. */
const SCREENSHOTS = process.env.IMPORTED_SCREENSHOTS

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

describe.skipIf(!hasChromium())('imported days in the overview', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base = ''
  let folder = ''
  let exported: PlausibleExport

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-imported-'))
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    const [firstDay, lastDay] = [dayBefore(20), dayBefore(2)]
    exported = makePlausibleExport({ firstDay, lastDay, seed: 5 })
    const path = join(folder, 'export.zip')
    writeFileSync(path, exported.zip)
    const words = ['import', 'plausible', path, '--until', lastDay, '--key', PRIVATE_KEY]
    const { code, stderr } = await runMillrace(words, service.environment)
    expect([code, stderr.includes('stopped')]).toEqual([0, false])
    opened = await openConsolePage({ width: 1440, height: 900, colorScheme: 'light' })
    page = opened.page
    base = await openProject(page, service.url)
    await strip().first().waitFor()
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
    rmSync(folder, { recursive: true, force: true })
  })

  const strip = () => page.locator('.metric-imported')
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const digitsOf = (text: string): number => Number(text.replaceAll(/\D/g, ''))
  const sumOf = (table: string, column: string): number =>
    (exported.tables[table] ?? []).reduce((sum, row) => sum + Number(row[column]), 0)
  const keepPicture = async (name: string): Promise<void> => {
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  test('the strip has the imported numbers beside its own, which stay as they are', async () => {
    const texts = await strip().allInnerTexts()
    expect(texts).toHaveLength(6)
    expect(texts.slice(0, 3).map(digitsOf)).toEqual([
      sumOf('visitors', 'visitors'),
      sumOf('visitors', 'visits'),
      sumOf('visitors', 'pageviews'),
    ])
    expect(await page.locator('.metric-value').first().innerText()).toBe('60')
    await page.locator('.legend-entry[data-line="imported"]').getByText('Imported, aggregated').waitFor()
    await page.locator('.overview-plot canvas').waitFor()
    await strip().first().hover()
    await page.getByText('someone who comes on three days counts three times').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('1440-light')
  })

  test('a panel shows own or imported rows, and the list of all has columns for both', async () => {
    const devices = panel('Devices')
    await devices.getByText('Imported, aggregated', { exact: true }).click()
    const list = devices.getByRole('list', { name: 'Imported, aggregated' })
    await list.waitFor()
    const rows = await list.locator('.ui-bar-value').allInnerTexts()
    const total = rows.map(digitsOf).reduce((sum, value) => sum + value, 0)
    expect(total).toBe(sumOf('browsers', 'visitors'))
    await devices.scrollIntoViewIfNeeded()
    await keepPicture('1440-light-panel')
  })

  test('a condition that imported days cannot answer leaves them out, and the page says so', async () => {
    await page.goto(`${base}/overview?filter=country:is:DE&filter=device:is:mobile`)
    await page.getByText('Imported days are left out').first().waitFor()
    expect(await strip().count()).toBe(0)
    await keepPicture('1440-filtered')
    await page.goto(`${base}/overview`)
    await strip().first().waitFor()
  })

  test.each(['de', 'es', 'fr', 'ja'])('in %s the numbers are labelled', async (language) => {
    await opened.browser.context.addCookies([
      { name: 'millrace_language', value: language, url: service.url },
    ])
    await page.reload()
    await strip().first().waitFor()
    expect((await strip().first().innerText()).toLowerCase()).toMatch(/impor|インポート/)
    await opened.browser.context.addCookies([{ name: 'millrace_language', value: 'en', url: service.url }])
  })

  test.each(['dark', 'light'] as const)('a phone shows it in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${base}/overview`)
    await strip().first().waitFor()
    await page.locator('.overview-plot canvas').waitFor()
    await keepPicture(`1440-${colorScheme}-again`)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await strip().first().waitFor()
    await page.locator('.overview-plot canvas').waitFor()
    await expectToFit(page)
    await keepPicture(`390-${colorScheme}`)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})
