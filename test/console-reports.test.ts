import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import {
  type ConsolePage,
  openConsolePage,
  openProject,
  signInProgram,
  withoutRefusals,
} from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { type MailServer, startMailServer } from './harness/mail-server.ts'
import type { TestService } from './harness/service.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const GUEST = 'ceo@example.net'

/** Runs in the page, whose types tests do not have. */
const fontSizeOf = (element: unknown): string =>
  (
    globalThis as unknown as { getComputedStyle: (element: unknown) => { readonly fontSize: string } }
  ).getComputedStyle(element).fontSize

describe.skipIf(!hasChromium())('the reports of a project', () => {
  let mail: MailServer
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string

  beforeAll(async () => {
    mail = await startMailServer()
    service = await startConsoleService({
      SERVICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SERVICE_MAIL_FROM: 'noreply@example.com',
    })
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsolePage()
    page = opened.page
    base = await openProject(page, service.url)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
    await mail?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const chooseIn = async (menu: string, entry: string): Promise<void> => {
    await button(menu).first().click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const select = async (field: string, option: string): Promise<void> => {
    await page.getByRole('button', { name: new RegExp(`^${field}: `) }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const nameField = () => page.getByLabel('Name', { exact: true })
  const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) })

  test('the overview becomes a report with its filters, and a rejected address is named', async () => {
    await page.goto(`${base}/reports`)
    await page.getByText('No reports yet').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.goto(`${base}/overview?filter=country:is:DE`)
    await chooseIn('More actions', 'Send by mail…')
    await page.getByText('Country is Germany').waitFor()
    await nameField().fill('Germany, monthly')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await select('Day of the month', 'Last day')
    await select('Period', 'Last 30 days')
    await page.getByRole('button', { name: /^Time zone: Same as the project/ }).click()
    await page.getByRole('listbox').waitFor()
    await page.getByRole('combobox').fill('Tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo', exact: true }).click()
    const addresses = page.getByLabel('Email addresses, one per line')
    expect(await addresses.inputValue()).toBe(ADMIN.email)
    await addresses.fill(`${ADMIN.email}\nnobody`)
    await button('Save').click()
    await page.getByText('nobody: This is not an email address.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await addresses.fill(`${ADMIN.email}\n${GUEST}`)
    await button('Save').click()
    await page.getByText('Waiting for confirmation').waitFor()
    await page.getByText('Gets the report').waitFor()
    await page.reload()
    await page.getByText('Country is Germany').waitFor()
    await button('Period: Last 30 days').waitFor()
    await button('Day of the month: Last day').waitFor()
    await button('Time zone: Asia/Tokyo').waitFor()
    expect(await addresses.inputValue()).toBe(`${ADMIN.email}\n${GUEST}`)
  })

  test('the newest mail is drawn with its pictures and its own styles, and sent to the reader', async () => {
    const shown = page.getByRole('region', { name: 'Preview' }).locator('.reports-mail')
    await shown.getByText('Each recipient finds a link here that unsubscribes.').waitFor()
    const picture = shown.getByRole('img').first()
    await expect
      .poll(async () => await picture.evaluate((element) => Number(Reflect.get(element, 'naturalWidth'))))
      .toBeGreaterThan(100)
    const heading = shown.getByRole('heading', { name: 'Germany, monthly' })
    expect(await heading.evaluate(fontSizeOf)).toBe('22px')
    expect(await findBarriers(page)).toEqual([])
    await button('Send me a test').click()
    await page.getByText(`Test sent to ${ADMIN.email}`).waitFor()
    expect(mail.mails.filter(({ source }) => source.includes('you tested this report'))).toMatchObject([
      { to: [ADMIN.email] },
    ])
    await nameField().fill('Germany')
    await page.getByText('Unsaved changes').waitFor()
    expect(await button('Send me a test').isDisabled()).toBe(true)
    await page.keyboard.press('Control+s')
    await page.getByText('‘Germany’ saved').waitFor()
    await shown.getByRole('heading', { name: 'Germany', exact: true }).waitFor()
  })

  test('a recipient is asked again once a day at most', async () => {
    await button(`Ask again: ${GUEST}`).click()
    await page.getByText('Too many attempts in a short time.').waitFor()
  })

  test('a report is paused and resumed in the list', async () => {
    await page.goto(`${base}/reports`)
    const row = rowOf('Germany')
    await row.getByText(/^Overview · Last day of each month at .*\(Asia\/Tokyo\)$/).waitFor()
    await row.getByText('2 recipients · 1 unconfirmed').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await chooseIn('Actions of Germany', 'Pause')
    await row.getByText('Paused').waitFor()
    await chooseIn('Actions of Germany', 'Resume')
    await row.getByText('Paused').waitFor({ state: 'detached' })
  })

  test('a dashboard becomes a report, which names that the dashboard was deleted', async () => {
    const program = await signInProgram(service, base)
    const { body } = await service.call(`${DASHBOARDS}/Create`, { displayName: 'Numbers' }, program)
    const { id } = body.dashboard as { readonly id: string }
    await page.goto(`${base}/dashboards/${id}`)
    await chooseIn('More actions', 'Send by mail…')
    await button('Show: Numbers').waitFor()
    expect(await nameField().inputValue()).toBe('Numbers')
    await select('Show', 'Overview')
    expect(await nameField().inputValue()).toBe('Overview')
    await select('Show', 'Numbers')
    await button('Save').click()
    await page.getByText('Gets the report').waitFor()
    await service.call(`${DASHBOARDS}/Delete`, { id }, program)
    await page.goto(`${base}/reports`)
    await rowOf('Numbers').getByText('Its dashboard was deleted').waitFor()
  })

  test('pages fit narrow screens, and report no errors', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await rowOf('Germany').waitFor()
    await expectToFit(page, 'the reports')
    await page.getByRole('link', { name: 'Germany' }).click()
    await page.getByText('Each recipient finds a link here that unsubscribes.').waitFor()
    await expectToFit(page, 'a report')
    expect(await findBarriers(page)).toEqual([])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })

  test('a report is deleted after a confirmation', async () => {
    await chooseIn('Actions of Germany', 'Delete report…')
    await button('Delete report').click()
    await rowOf('Numbers').waitFor()
    await rowOf('Germany').waitFor({ state: 'detached' })
  })
})
