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
import { makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { type HttpDouble, startHttpDouble } from './harness/http-double.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import type { TestService } from './harness/service.ts'
import { verifyWebhook } from './harness/verify-webhook.ts'

const CHANNELS = 'millrace.alerts.v1.ChannelsService'
const SAVED_INSIGHTS = 'millrace.library.v1.SavedInsightsService'

describe.skipIf(!hasChromium())('the notifications of a project', () => {
  let service: TestService
  let opened: ConsolePage
  let page: Page
  let base: string
  let receiver: HttpDouble
  let status = 200

  beforeAll(async () => {
    receiver = await startHttpDouble(() => ({ status }))
    service = await startConsoleService(ALLOW_LOOPBACK)
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsolePage()
    page = opened.page
    base = await openProject(page, service.url)
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
    await receiver?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const chooseIn = async (menu: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: menu, exact: true }).first().click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  /** The details of what is open beside the page. */
  const drawer = (name: string) => page.getByRole('complementary', { name })

  test('a webhook shows its signing secret once, and the answers to tests', async () => {
    await page.goto(`${base}/settings/channels`)
    await page.getByText('No channels yet').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('New channel').click()
    await page.getByLabel('Name', { exact: true }).fill('On call')
    await page.getByRole('radio', { name: 'Webhook' }).check()
    await page.getByLabel('Webhook URL').fill('ftp://example.org')
    await button('Create channel').click()
    await page.getByText('Enter a URL that starts with').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Webhook URL').fill(`${receiver.url}/hooks/4f2a9c07`)
    await button('Create channel').click()
    const details = drawer('On call')
    const secret = await details
      .getByRole('textbox', { name: 'Your endpoint verifies the signature' })
      .inputValue()
    expect(secret).toMatch(/^whsec_/)
    await button('Send test').click()
    await details.getByRole('status').getByText('The webhook answered with status 200.').waitFor()
    expect(verifyWebhook(secret, receiver.requests.at(-1) ?? { body: '', headers: {} })).toMatchObject({
      type: 'channel.test',
    })
    status = 503
    await button('Send test').click()
    await details.getByRole('status').getByText('The webhook answered with status 503.').waitFor()
    const log = details.getByRole('region', { name: 'Deliveries' })
    await log.getByText('Failed', { exact: true }).waitFor()
    await log.getByText('Delivered', { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.reload()
    await details.getByText('Delivered', { exact: true }).waitFor()
    expect(await page.getByText('Copy this signing secret now.').count()).toBe(0)
    await chooseIn('Actions of On call', 'Replace signing secret…')
    await button('Replace secret').click()
    await expect
      .poll(async () => await details.getByRole('textbox', { name: /^Your endpoint/ }).inputValue())
      .not.toBe(secret)
    await page.keyboard.press('Escape')
  })

  test('addresses are changed, and a rejected one is named', async () => {
    await button('New channel').click()
    await page.getByLabel('Name', { exact: true }).fill('Team')
    const addresses = page.getByLabel('Email addresses, one per line')
    await addresses.fill('ada@example.org, nobody')
    await button('Create channel').click()
    await page.getByText('nobody: This is not an email address.').waitFor()
    await addresses.fill('ada@example.org\ngrace@example.org')
    await button('Create channel').click()
    await drawer('Team').getByText('ada@example.org, grace@example.org').waitFor()
    await chooseIn('Actions of Team', 'Edit')
    await addresses.fill('grace@example.org')
    await button('Save').click()
    await drawer('Team').getByText('grace@example.org', { exact: true }).waitFor()
    await chooseIn('Actions of Team', 'Disable')
    await drawer('Team').getByText('It sends nothing until an admin enables it.').waitFor()
    await chooseIn('Actions of Team', 'Enable')
    await page.getByRole('row', { name: /Team/ }).getByText('Active').waitFor()
  })

  test('a channel is deleted after a confirmation', async () => {
    await chooseIn('Actions of Team', 'Delete channel…')
    await button('Delete channel').click()
    await drawer('Team').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Team/ }).waitFor({ state: 'detached' })
    const { body } = await service.call(`${CHANNELS}/List`, {}, await signInProgram(service, base))
    expect(body.channels).toMatchObject([{ name: 'On call' }])
  })

  test('an alert is set on an insight, and shows when it would have fired', async () => {
    status = 200
    const spec = { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'purchase' } }] }
    await service.call(`${SAVED_INSIGHTS}/Create`, { content: { name: 'Orders', spec } })
    await page.goto(`${base}/alerts`)
    await page.getByText('No alerts yet').waitFor()
    await page.goto(`${base}/insights`)
    await chooseIn('Actions of Orders', 'Set an alert')
    await page.getByText('Complete the condition').waitFor()
    await page.getByLabel('Limit', { exact: true }).fill('some')
    await page.getByText('Enter a number.').waitFor()
    await page.getByLabel('Limit', { exact: true }).fill('0')
    await page.getByText(/^Would have fired [1-9]/).waitFor()
    await page.getByLabel('On call').check()
    await page.getByRole('switch', { name: 'Quiet hours' }).check()
    expect(await findBarriers(page)).toEqual([])
    await button('Save').click()
    await page.getByText('Not checked yet').waitFor()
    await page.reload()
    expect(await page.getByLabel('Limit', { exact: true }).inputValue()).toBe('0')
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('22:00')
    expect(await page.getByLabel('On call').isChecked()).toBe(true)
    await chooseIn('Actions of Orders', 'Send test')
    await page.getByText(/^Checked now: .*1 notification sent/).waitFor()
    expect(receiver.requests.at(-1)?.body).toContain('"alert.test"')
    await chooseIn('Actions of Orders', 'For an hour')
    await page.getByText('Snoozed').waitFor()
  })

  test('alerts are listed, paused, and brought back after they were deleted', async () => {
    await page.goto(`${base}/alerts`)
    const row = page.getByRole('row', { name: /Orders/ })
    await row.getByText('is above 0').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await chooseIn('Actions of Orders', 'Pause')
    await row.getByText('Paused').waitFor()
    await chooseIn('Actions of Orders', 'Delete alert')
    await page.getByText('No alerts yet').waitFor()
    await button('Undo').click()
    await row.getByText('Paused').waitFor()
  })

  test('pages fit narrow screens, and report no errors', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await expectToFit(page, 'the alerts')
    await page.getByRole('link', { name: 'Orders' }).click()
    await page.getByText(/^Would have fired/).waitFor()
    await expectToFit(page, 'an alert')
    await page.goto(`${base}/settings/channels`)
    await page.getByRole('row', { name: /On call/ }).waitFor()
    await expectToFit(page)
    await page.getByRole('button', { name: 'On call', exact: true }).click()
    await page.getByRole('dialog', { name: 'On call' }).waitFor()
    await expectToFit(page)
    expect(await findBarriers(page)).toEqual([])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
