import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import {
  type ConsolePage,
  openConsoleAs,
  openConsolePage,
  switchProject,
  withoutRefusals,
} from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import { startMailServer } from './harness/mail-server.ts'
import { type PushService, startPushService } from './harness/push-service.ts'
import type { TestService } from './harness/service.ts'

describe.skipIf(!hasChromium())('settings', () => {
  let service: TestService
  let push: PushService
  let opened: ConsolePage
  let page: Page

  beforeAll(async () => {
    push = await startPushService()
    service = await startConsoleService({ SERVICE_FCM_URL: push.url, ...ALLOW_LOOPBACK })
    await sendTraffic(service, makeTraffic(Date.now()))
    opened = await openConsoleAs(service, ADMIN)
    page = opened.page
  })

  afterAll(async () => {
    await opened?.browser.close()
    await service?.destroy()
    await push?.stop()
  })

  const openPage = async (title: string): Promise<void> => {
    const more = page.getByRole('button', { name: 'More', exact: true })
    if (await more.isVisible()) await more.click()
    await page
      .getByRole('navigation', { name: 'Sections' })
      .getByRole('link', { name: 'Settings', exact: true })
      .click()
    await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('link', { name: title }).click()
    await page.locator('.settings-page .ui-skeleton-group').first().waitFor({ state: 'detached' })
  }
  /** Chooses in a field that opens a list. */
  const choose = async (field: string | RegExp, option: string): Promise<void> => {
    await page.getByRole('button', { name: field }).click()
    await page.getByRole('listbox').waitFor()
    const search = page.getByRole('combobox')
    if (await search.isVisible()) await search.fill(option)
    await page.getByRole('option', { name: option }).first().click()
  }
  const campaigns = async (): Promise<readonly Record<string, unknown>[]> => {
    const { body } = await service.call('shared.campaigns.v1.CampaignService/BatchGet', {})
    return (body.campaigns ?? []) as readonly Record<string, unknown>[]
  }
  const button = (name: string, on: Page = page) => on.getByRole('button', { name, exact: true })

  test('show a new key once, and revoke it after its name was typed', async () => {
    await openPage('API keys')
    await page
      .getByRole('row', { name: /Private/ })
      .first()
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Website')
    await button('Create key').click()
    const card = page.getByRole('region', { name: 'Copy this key now. You cannot see it again.' })
    expect(await card.getByRole('textbox').inputValue()).toMatch(/^pub_/)
    expect(await findBarriers(page)).toEqual([])
    const row = page.getByRole('row', { name: /Website/ })
    await row.getByRole('button', { name: /^Revoke Website/ }).click()
    expect(await button('Revoke key').isDisabled()).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Type the key’s name to confirm').fill('Website')
    await button('Revoke key').click()
    await row.waitFor({ state: 'detached' })
    await openPage('General')
    await openPage('API keys')
    expect(await card.count()).toBe(0)
  })

  test('limit a key to addresses, and rotate it', async () => {
    await openPage('API keys')
    await page.getByLabel('Name', { exact: true }).fill('Billing')
    await button('Create key').click()
    const rows = page.getByRole('row', { name: /Billing/ })
    const open = async (entry: string): Promise<void> => {
      await rows
        .first()
        .getByRole('button', { name: /^Actions for/ })
        .click()
      await page.getByRole('menuitem', { name: entry }).click()
      await page.getByRole('dialog').waitFor()
    }
    await rows.first().waitFor()
    await open('Limits')
    await page.getByRole('dialog').getByLabel('Allowed addresses, one per line').fill('203.0.113.0/24')
    expect(await findBarriers(page)).toEqual([])
    await button('Save limits').click()
    await rows.filter({ hasText: '203.0.113.0/24' }).waitFor()
    await open('Rotate')
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    const card = page.getByRole('region', { name: 'Copy this key now. You cannot see it again.' })
    await rows.nth(1).waitFor()
    expect(await card.getByRole('textbox').inputValue()).toMatch(/^pub_/)
    expect(await rows.nth(1).innerText()).toContain('203.0.113.0/24')
  })

  test('create a personal access token, show it once, and revoke it', async () => {
    await openPage('Account')
    await page.getByLabel('Name', { exact: true }).fill('Notebook')
    await choose(/^Scope:/, 'Read and write')
    await button('Create token').click()
    const card = page.getByRole('region', { name: 'Copy this token now. You cannot see it again.' })
    expect(await card.getByRole('textbox').inputValue()).toMatch(/^pat_/)
    const row = page.getByRole('row', { name: /Notebook/ })
    expect(await row.innerText()).toMatch(/Read and write.*All your projects.*Never/s)
    expect(await findBarriers(page)).toEqual([])
    await row.getByRole('button', { name: /^Revoke Notebook/ }).click()
    await button('Revoke token').click()
    await row.waitFor({ state: 'detached' })
  })

  test('open at the addresses of earlier releases, and tell an unknown one', async () => {
    const base = page.url().replace(/\/settings\/.*$/, '/settings')
    for (const [place, heading] of [
      ['', 'Project'],
      ['/project', 'Project'],
      ['/mail', 'Email of Default'],
    ] as const) {
      await page.goto(`${base}${place}`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
    await page.goto(`${base}/nothing`)
    await page.getByText('There is no page at this address').waitFor()
  })

  test('change the zone that pages name', async () => {
    await openPage('General')
    await choose(/^Time zone:/, 'Europe/Berlin')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Time zone: Europe/Berlin' }).waitFor()
    await openPage('Data')
    await page.getByLabel('Leave bots out of new insights').uncheck()
    await button('Save').first().click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByLabel('Domains, one per line').fill('Shop.example, pay.example.org')
    await button('Save').nth(1).click()
    await expect
      .poll(async () => await page.getByLabel('Domains, one per line').inputValue())
      .toBe('pay.example.org\nshop.example')
    await page.reload()
    expect(await page.getByLabel('Leave bots out of new insights').isChecked()).toBe(false)
  })

  test('create a goal with a value, change it, and bring it back after its deletion', async () => {
    await openPage('Goals')
    await page.getByText('No goals').waitFor()
    await button('New goal').first().click()
    await page.getByLabel('Name', { exact: true }).fill('Order')
    await choose(/^Event of the goal:/, 'purchase')
    await page.getByRole('button', { name: /^Property with the value/ }).click()
    // Only properties that hold numbers have a sum.
    await page.getByRole('option', { name: 'price' }).waitFor()
    expect(await page.getByRole('option', { name: 'plan' }).count()).toBe(0)
    await page.getByRole('option', { name: 'price' }).click()
    expect(await findBarriers(page)).toEqual([])
    await button('Create').click()
    const row = page.getByRole('row', { name: /Order/ })
    await row.getByText('price').waitFor()
    await button('Edit goal Order').click()
    await page.getByLabel('Name', { exact: true }).fill('Big order')
    await page.getByRole('radio', { name: 'Page', exact: true }).check()
    await page.getByLabel('Path, with * for any text').fill('/thanks/*')
    await button('Save').click()
    const changed = page.getByRole('row', { name: /Big order/ })
    await changed.getByText('/thanks/*').waitFor()
    await button('Delete goal Big order').click()
    await changed.waitFor({ state: 'detached' })
    await button('Undo').click()
    await changed.getByText('/thanks/*').waitFor()
  })

  test('rename the organisation, and make a project that is switched to', async () => {
    await openPage('Name and projects')
    await page.getByLabel('Name of the organisation').fill('Acme')
    await button('Save').click()
    await page.getByRole('heading', { name: 'Projects of Acme' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const first = /\/p\/([^/]+)/.exec(page.url())?.[1] ?? ''
    await page.getByLabel('Name of the project').fill('Shop')
    await choose(/^Time zone:/, 'Asia/Tokyo')
    await button('Create project').click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(page.url()).not.toContain(`/p/${first}/`)
    await switchProject(page, 'Default')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).toContain(`/p/${first}/overview`)
  })

  test('refuse a name that another project has', async () => {
    await openPage('Name and projects')
    await page.getByLabel('Name of the project').fill('Shop')
    await button('Create project').click()
    const alert = page.getByRole('alert')
    await alert.getByRole('button', { name: 'Show details' }).click()
    await alert.getByText('PROJECT_NAME_TAKEN').waitFor()
  })

  test('delete a project after its name was typed', async () => {
    await page.getByRole('link', { name: 'Shop', exact: true }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await openPage('General')
    await button('Delete project…').click()
    expect(await button('Delete project').isDisabled()).toBe(true)
    await page.getByLabel('Type the project’s name to confirm').fill('Shop')
    expect(await findBarriers(page)).toEqual([])
    await button('Delete project').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: /^Switch project/ }).click()
    await page.getByRole('button', { name: 'Default', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Shop', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('make an organisation with a project, and the last member stays in it', async () => {
    await openPage('Account')
    await page.getByText(ADMIN.email).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Name of the organisation').fill('Side business')
    await page.getByLabel('Name of its first project').fill('Blog')
    await button('Create organisation').click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await openPage('Account')
    await button('Leave Side business').click()
    await button('Leave organisation').click()
    await page.getByRole('alert').getByText('the last member').waitFor()
    await page.keyboard.press('Escape')
  })

  test('give an organisation without a project the form for one', async () => {
    await openPage('General')
    await button('Delete project…').click()
    await page.getByLabel('Type the project’s name to confirm').fill('Blog')
    await button('Delete project').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await openPage('Account')
    const organisation = page.getByRole('listitem').filter({ hasText: 'Side business' })
    await organisation.getByLabel('Name of the project').fill('Blog 2')
    await organisation.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await page.getByRole('button', { name: /^Switch project.*Blog 2/ }).waitFor()
  })

  test('keep the last admin, and name the reason', async () => {
    await page.goto(service.url)
    await openPage('Members')
    await page.getByText('The last admin keeps the role. Make someone else an admin first.').waitFor()
    expect(await button(`Remove ${ADMIN.email}`).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^Role of/ }).count()).toBe(0)
  })

  test('invite with a link to copy, which joins once, send again, and revoke', async () => {
    await page.getByText('No pending invitations').waitFor()
    await page.getByLabel('Email to invite').fill('grace@example.org')
    await choose(/^Role:/, 'Guest')
    await choose(/^Other role in:/, 'Default')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Role in these projects: Viewer' }).waitFor()
    await button('Invite').click()
    const card = page.getByRole('region', { name: 'Copy this link now. You cannot see it again.' })
    const first = await card.getByRole('textbox').inputValue()
    expect(first).toContain('/sign-in?token=')
    const row = page.getByRole('row', { name: /grace@example.org/ })
    await row.getByText(/^Until/).waitFor()
    await row.getByText('Default: Viewer').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Send again to grace@example.org').click()
    await expect.poll(async () => await card.getByRole('textbox').inputValue()).not.toBe(first)
    const invited = await openConsolePage()
    try {
      await invited.page.goto(first)
      await button('Continue', invited.page).click()
      // A guest has these only in a project.
      await invited.page.getByRole('navigation', { name: 'Sections' }).waitFor()
      await invited.page.goto(`${service.url}/sign-in`)
      await invited.page.getByRole('button', { name: /^Account menu.*grace@example.org/ }).waitFor()
    } finally {
      await invited.browser.close()
    }
    await page.reload()
    await page.getByRole('row', { name: /grace@example.org.*Guest/ }).waitFor()
    await page.getByLabel('Email to invite').fill('alan@example.org')
    await button('Invite').click()
    await button('Revoke the invitation of alan@example.org').waitFor()
    const refused = 'the mail server rejected the sender or the recipient; check both addresses'
    const catalog = openCatalog(service)
    const isAlan = ['email', '=', 'alan@example.org'] as const
    await catalog
      .updateTable('invitations')
      .set({ mail_error: refused })
      .where(...isAlan)
      .execute()
    await catalog.destroy()
    // The list is read again by itself.
    await page.getByText(`The email was not sent: ${refused}`).waitFor()
    await button('Revoke the invitation of alan@example.org').click()
    await page.getByText('No pending invitations').waitFor()
    expect(await card.count()).toBe(0)
    await button('Remove grace@example.org').click()
    await button('Remove member').click()
    await page.getByRole('row', { name: /grace@example.org/ }).waitFor({ state: 'detached' })
  })

  test('set a mail server, whose password never comes back, and try it', async () => {
    const mail = await startMailServer({
      credentials: 'ada:hunter2-hunter2',
      recipientReplies: ['550 nobody here'],
    })
    try {
      await openPage('Email')
      await page.getByText('go out through the mail server of the service').waitFor()
      await page.getByLabel('From', { exact: true }).fill('nobody')
      await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
      await page.getByLabel('Port', { exact: true }).fill(String(mail.port))
      await page.getByLabel('User name').fill('ada')
      await page.getByLabel('Password').fill('hunter2-hunter2')
      await page.getByLabel('Require TLS').uncheck()
      await button('Save').click()
      await page.locator('.ui-field-problem').getByText('This is not an email address').waitFor()
      await page.getByLabel('From', { exact: true }).fill('Acme <hello@example.org>')
      await button('Save').click()
      await page.getByText('ends in er2').waitFor()
      expect(await page.content()).not.toContain('hunter2-hunter2')
      expect(await page.getByLabel('Password').inputValue()).toBe('')
      expect(await findBarriers(page)).toEqual([])
      await button('Send test').click()
      await page.getByRole('alert').getByText('rejected the sender or the recipient').waitFor()
      await button('Send test').click()
      await page.getByText('The provider accepted the email').waitFor()
      expect(mail.mails.map(({ to, credentials }) => [to, credentials])).toEqual([
        [[ADMIN.email], 'ada:hunter2-hunter2'],
      ])
    } finally {
      await mail.stop()
    }
  })

  test('set Resend in its place, and remove it', async () => {
    await page.getByText('Resend', { exact: true }).click()
    await page.getByLabel('Resend API key').fill('re_1234567890abcdef')
    await button('Save').click()
    await page.getByText('ends in cdef').waitFor()
    expect(await page.content()).not.toContain('re_1234567890abcdef')
    await button('Remove provider').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click()
    await page.getByText('go out through the mail server of the service').waitFor()
  })

  test('accept a service account of Firebase, show its project, and never its key', async () => {
    await openPage('Campaigns')
    await page.getByText('Campaigns need a Firebase service account.').waitFor()
    await button('Set service account').click()
    const file = page.getByLabel('The service account file')
    await file.fill('{"type": "service_account"}')
    await button('Save').click()
    await page.locator('.ui-field-problem').getByText('project_id is missing').waitFor()
    await file.fill(push.account)
    await button('Save').click()
    await page.getByText('pusher@firebase-project.iam.gserviceaccount.com').waitFor()
    expect(await page.content()).not.toContain('PRIVATE KEY')
    expect(await file.count()).toBe(0)
  })

  test('schedule a campaign in the zone of the project, change it and cancel it', async () => {
    await button('New campaign').first().click()
    await page.getByLabel('Name, for your team').fill('Spring')
    await page.getByLabel('Title').fill('Hello')
    await page.getByText('At a set time', { exact: true }).click()
    await page.getByLabel('Day and time in Europe/Berlin').fill('2038-07-01T09:30')
    await page.getByLabel('Data for the app').fill('[1]')
    expect(await findBarriers(page)).toEqual([])
    await button('Schedule').click()
    await page.locator('.ui-field-problem').getByText('Enter a JSON object').waitFor()
    await page.getByLabel('Data for the app').fill('{"data": {"screen": "offers"}}')
    await button('Schedule').click()
    const row = page.getByRole('row', { name: /Spring/ })
    await row.getByText('Scheduled').waitFor()
    await row.getByText(/due .*2038.*9:30/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const [stored] = await campaigns()
    expect(stored).toMatchObject({ scheduledTime: '2038-07-01T07:30:00Z' })
    expect(JSON.parse(Buffer.from(String(stored?.notificationData), 'base64').toString())).toEqual({
      title: 'Hello',
      data: { screen: 'offers' },
    })
    await row.getByRole('button', { name: 'Edit Spring' }).click()
    expect(await page.getByLabel('Day and time').inputValue()).toBe('2038-07-01T09:30')
    await page.getByLabel('Name, for your team').fill('Summer')
    await button('Schedule').click()
    await button('Cancel campaign: Summer').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click()
    await page.getByText('No campaigns').waitFor()
    expect(await campaigns()).toEqual([])
  })

  test('send a campaign now, and show how it ended', async () => {
    const device = { deviceId: 'phone', platform: 'android', token: 'token-1' }
    await service.call('sdk.devices.v1.DevicesService/Subscribe', device)
    await button('New campaign').first().click()
    await page.getByLabel('Name, for your team').fill('Today')
    const problem = page.locator('.ui-field').filter({ has: page.locator('.ui-field-problem') })
    await button('Send to all devices').click()
    await problem.filter({ hasText: 'Title' }).getByText('Enter a title, a text or data').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('It is here')
    await page.getByRole('radio', { name: 'At a set time' }).check({ force: true })
    await page.getByLabel(/^Day and time/).fill('2020-01-01T08:00')
    await button('Schedule').click()
    await problem.getByText('This time has passed.').waitFor()
    await page.getByRole('radio', { name: 'Now', exact: true }).check({ force: true })
    await button('Send to all devices').click()
    await page.getByRole('row', { name: /Today/ }).getByText('Sent', { exact: true }).waitFor()
    expect(push.taken.map(({ token }) => token)).toEqual(['token-1'])
    await button('Remove service account').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove service account' }).click()
    await page.getByText('Campaigns need a Firebase service account.').waitFor()
  })

  test('set a password that signs in, with the current one', async () => {
    const password = 'a new battery staple'
    await openPage('Account')
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Current password').fill('not the password')
    await button('Set password').click()
    await page.locator('.ui-field-problem').getByText('This is not the password of the account').waitFor()
    await page.getByLabel('Current password').fill(ADMIN.password)
    await button('Set password').click()
    await page.getByText('All your other sessions are signed out').waitFor()
    const other = await openConsoleAs(service, { email: ADMIN.email, password })
    await other.browser.close()
  })

  test('list the sessions, and sign out of the others', async () => {
    const password = 'a new battery staple'
    await page.reload()
    await openPage('Account')
    const sessions = page.getByRole('table').filter({ hasText: 'Signed in' })
    await sessions.getByText('This session').waitFor()
    const rows = sessions.locator('tbody').getByRole('row')
    expect(await rows.filter({ hasText: 'Password' }).count()).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    await rows.filter({ hasNotText: 'This session' }).getByRole('button').click()
    await rows.nth(1).waitFor({ state: 'detached' })
    const other = await openConsoleAs(service, { email: ADMIN.email, password })
    try {
      await page.reload()
      await openPage('Account')
      await button('Sign out all other sessions').click()
      await rows.nth(1).waitFor({ state: 'detached' })
      await other.page.reload()
      await button('Continue', other.page).waitFor()
    } finally {
      await other.browser.close()
    }
  })

  test('choose the theme and switch single letters off', async () => {
    await page.getByText('Dark', { exact: true }).click()
    await expect.poll(async () => await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByText('System', { exact: true }).click()
    const letters = page.getByRole('switch', { name: 'Single-letter shortcuts' })
    await letters.uncheck()
    await page.reload()
    expect(await letters.isChecked()).toBe(false)
    await letters.check()
  })

  test('fit a telephone: a list of pages, then the page', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const title of [
      'General',
      'API keys',
      'Goals',
      'Data',
      'Campaigns',
      'Name and projects',
      'Members',
      'Email',
      'Account',
    ]) {
      await openPage(title)
      await page.locator('.settings-page .ui-card').first().waitFor()
      expect(await page.getByRole('navigation', { name: 'Settings pages' }).isVisible()).toBe(false)
      await expectToFit(page, title)
    }
    await page.getByRole('link', { name: 'All settings' }).click()
    await page.getByRole('navigation', { name: 'Settings pages' }).waitFor()
    await expectToFit(page, 'the list')
  })

  test('lead from the last project to a new one', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const name of ['Default', 'Blog 2']) {
      await switchProject(page, name)
      await openPage('General')
      await button('Delete project…').click()
      await page.getByLabel('Type the project’s name to confirm').fill(name)
      await button('Delete project').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('heading', { name: 'No project yet' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const organisation = page.getByRole('listitem').filter({ hasText: 'Acme' })
    await organisation.getByLabel('Name of the project').fill('Again')
    await organisation.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
  })

  test('cause no request to other hosts, no error and no breach of the content security policy', () => {
    expect(opened.requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
