import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { addColleague } from './harness/console-colleague.ts'
import {
  type ConsolePage,
  openConsoleAs,
  openConsolePage,
  openProject,
  signInProgram,
  withoutRefusals,
} from './harness/console-page.ts'
import { ADMIN, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { PRIVATE_KEY, type TestService } from './harness/service.ts'

const GOALS = 'millrace.web.v1.GoalsService'
const LANGUAGES = ['de', 'es', 'fr', 'ja'] as const

/** Pictures of the page for people to look at; none without it. */
const PICTURES = process.env.AUDIT_SCREENSHOTS

describe.skipIf(!hasChromium())('the audit log in the console', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string
  let program: Record<string, string>

  beforeAll(async () => {
    service = await startConsoleService()
    opened = await openConsolePage()
    page = opened.page
    base = await openProject(page, service.url)
    program = await signInProgram(service, base)
    await change()
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
  })

  const call = async (method: string, request: object, headers: Record<string, string> = program) => {
    const { status, body } = await service.call(method, request, headers)
    if (status !== 200) throw new Error(`${method} answers ${status} ${JSON.stringify(body)}`)
    return body
  }
  /** More entries than a page has: goals of a key, and a project that is renamed. */
  const change = async (): Promise<void> => {
    for (let index = 0; index < 52; index++)
      await call(
        `${GOALS}/Create`,
        { name: `Goal ${index}`, pagePattern: '/paid' },
        { 'x-api-key': PRIVATE_KEY },
      )
    const rename = 'dashboard.projects.v1.ProjectsService/UpdateMeta'
    await call(rename, { displayName: 'Shop', reportingTimezone: 'UTC' })
  }
  const rows = () => page.getByRole('row').filter({ has: page.getByRole('link') })
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).first()
  const drawer = () => page.locator('.ui-drawer')
  const choose = async (label: string, option: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^${label}:`) }).click()
    await page.getByRole('option', { name: option }).first().click()
  }
  const keepPicture = async (name: string): Promise<void> => {
    if (!PICTURES) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png`, animations: 'disabled' })
    }
  }

  test('lists who did what from where, the latest first', async () => {
    await page.goto(`${base}/settings/audit`)
    await row('Project: changed').getByText('127.0.0.1').waitFor()
    await row('Project: changed')
      .getByText(/Name: .+ → Shop/)
      .waitFor()
    await row('Project: changed').getByText(ADMIN.email).waitFor()
    await row('Goal: created').getByText('Goal 51').waitFor()
    expect(await rows().count()).toBe(50)
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('list')
  })

  test('the second page goes on where the first ends', async () => {
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Goal 0', { exact: true }).waitFor()
    await row('Session: signed in').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await row('Project: changed').waitFor()
  })

  test('an entry opens with its credential and with values before and after', async () => {
    await row('Project: changed').getByRole('link').click()
    await drawer().getByRole('heading', { name: 'Project: changed' }).waitFor()
    await drawer()
      .getByText(/^Session [\w-]+$/)
      .waitFor()
    const change = drawer().getByRole('listitem').filter({ hasText: 'Name' })
    expect(await change.locator('ins').textContent()).toBe('Shop')
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('entry')
    await page.reload()
    await drawer().getByRole('heading', { name: 'Project: changed' }).waitFor()
    await drawer().getByRole('button', { name: 'Next entry' }).click()
    await drawer().getByRole('heading', { name: 'Goal: created' }).waitFor()
    await drawer()
      .getByText(/^API key /)
      .waitFor()
    await drawer().getByRole('button', { name: 'Everything about this object' }).click()
    await drawer().waitFor({ state: 'detached' })
    await expect.poll(async () => await rows().count()).toBe(1)
  })

  test('filters by who, what, object and period, and the address has the filters', async () => {
    await page.goto(`${base}/settings/audit`)
    await choose('Action', 'Project: changed')
    await expect.poll(async () => await rows().count()).toBe(1)
    await choose('Who', /prv_/)
    await page.getByText('No entries match the filters').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('no-match')
    await choose('Who', ADMIN.email)
    await row('Project: changed').waitFor()
    await page.getByRole('searchbox', { name: 'ID of an object or a person' }).fill('no-such-id')
    await page.keyboard.press('Enter')
    await page.getByText('No entries match the filters').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      action: 'project.update',
      object: 'no-such-id',
    })
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row('Goal: created').waitFor()
    await page.goto(`${base}/settings/audit?period=2020-01-01..2020-01-31`)
    await page.getByText('No entries match the filters').waitFor()
    await page.goto(`${base}/settings/audit?period=today&action=project.update`)
    await row('Project: changed').waitFor()
  })

  test('exports what the filters select as JSON lines', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('audit-log.jsonl')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['project.update'])
    await page.goto(`${base}/settings/audit?action=audit.export`)
    await row('Audit log: exported').waitFor()
  })

  test.each(LANGUAGES)('in %s every word is there, and the page fits', async (language) => {
    const { context } = opened.browser
    await context.addCookies([{ name: 'millrace_language', value: language, url: service.url }])
    await page.goto(`${base}/settings/audit?action=project.update`)
    await page.locator('.audit-action').first().waitFor()
    expect(await page.locator('.settings-page').textContent()).not.toMatch(
      /audit\.|settings\.|project\.update/,
    )
    await expectToFit(page, language)
    await keepPicture(language)
    await context.addCookies([{ name: 'millrace_language', value: 'en', url: service.url }])
  })

  test('a member reads who can change the role instead', async () => {
    const colleague = await openConsoleAs(service, await addColleague(service, 'member'))
    try {
      await colleague.page.goto(`${base}/settings/audit`)
      await colleague.page.getByText('Your role cannot see this page').waitFor()
      await colleague.page.getByText(ADMIN.email).waitFor()
    } finally {
      await colleague.browser.close()
    }
  })

  test('the page fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/settings/audit`)
    await row('Project: changed').waitFor()
    await expectToFit(page, 'the list')
    await keepPicture('phone')
    await row('Project: changed').getByRole('link').click()
    await drawer()
      .getByText(/^Session [\w-]+$/)
      .waitFor()
    await expectToFit(page, 'an entry')
    expect(await findBarriers(page)).toEqual([])
    await keepPicture('phone-entry')
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
