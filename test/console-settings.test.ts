import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './harness/barriers.ts'
import { type ConsolePage, openConsoleAs, switchProject, withoutRefusals } from './harness/console-page.ts'
import { ADMIN, makeTraffic, sendTraffic, startConsoleService } from './harness/console-service.ts'
import { expectToFit } from './harness/expect-to-fit.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import { startMailServer } from './harness/mail-server.ts'
import { type PushService, startPushService } from './harness/push-service.ts'
import type { TestService } from './harness/service.ts'
import { hasSystemTool } from './harness/system-tool.ts'

describe.skipIf(!hasSystemTool('chromium', 'chromium'))('settings', () => {
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

  const openTab = async (title: string): Promise<void> => {
    const more = page.getByRole('button', { name: 'More', exact: true })
    if (await more.isVisible()) await more.click()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: title }).click()
  }
  const campaigns = async (): Promise<readonly Record<string, unknown>[]> => {
    const { body } = await service.call('shared.campaigns.v1.CampaignService/BatchGet', {})
    return (body.campaigns ?? []) as readonly Record<string, unknown>[]
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  test('show a new key once, and revoke it after a confirmation', async () => {
    await openTab('Project')
    await page
      .getByRole('row', { name: /private/ })
      .first()
      .waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Name of a new key').fill('Website')
    await button('Create key').click()
    await page.locator('.code-block').getByText(/^pub_/).waitFor()
    const row = page.getByRole('row', { name: /Website/ })
    await row.getByRole('button', { name: /^Revoke Website/ }).click()
    expect(await findBarriers(page)).toEqual([])
    await button('Revoke key').click()
    await row.waitFor({ state: 'detached' })
  })

  test('change the zone that pages name', async () => {
    await page.getByLabel('Time zone of reports').fill('Mars/Olympus')
    await button('Save').click()
    await page.getByRole('alert').getByText('Request').waitFor()
    await page.getByLabel('Time zone of reports').fill('Europe/Berlin')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByText(/times in Europe\/Berlin/).waitFor()
  })

  test('rename the organisation, and make a project that is switched to', async () => {
    await openTab('Organisation')
    await page.getByLabel('Name of the organisation').fill('Acme')
    await button('Save').click()
    await page.getByRole('heading', { name: 'Projects of Acme' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const first = /\/p\/([^/]+)/.exec(page.url())?.[1] ?? ''
    await page.getByLabel('Name of a new project').fill('Shop')
    await page.getByLabel('Time zone of reports').fill('Asia/Tokyo')
    await button('Create project').click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    expect(page.url()).not.toContain(`/p/${first}/`)
    await switchProject(page, 'Default')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(page.url()).toContain(`/p/${first}/overview`)
  })

  test('refuse a name that another project has, with the id of the request', async () => {
    await openTab('Organisation')
    await page.getByLabel('Name of a new project').fill('Shop')
    await button('Create project').click()
    await page.getByRole('alert').getByText('Request').waitFor()
  })

  test('delete a project after its name was typed', async () => {
    await page.getByRole('link', { name: 'Shop', exact: true }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await openTab('Project')
    await button('Delete the project').click()
    expect(await button('Delete for good').isDisabled()).toBe(true)
    await page.getByLabel('Type the name of the project to confirm').fill('Shop')
    expect(await findBarriers(page)).toEqual([])
    await button('Delete for good').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: /^Switch project/ }).click()
    await page.getByRole('button', { name: 'Default', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Shop', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  test('make an organisation with a project, and the last member stays in it', async () => {
    await openTab('Account')
    await page.getByText(ADMIN.email).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Name of a new organisation').fill('Side business')
    await page.getByLabel('Its first project').fill('Blog')
    await button('Create organisation').click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await openTab('Account')
    await button('Leave Side business').click()
    await button('Leave organisation').click()
    await page.getByRole('alert').getByText('the last member').waitFor()
    await button('Close').click()
  })

  test('give an organisation without a project the form for one', async () => {
    await openTab('Project')
    await button('Delete the project').click()
    await page.getByLabel('Type the name of the project to confirm').fill('Blog')
    await button('Delete for good').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await openTab('Account')
    const organisation = page.getByRole('listitem').filter({ hasText: 'Side business' })
    await organisation.getByLabel('Name of a new project').fill('Blog 2')
    await organisation.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
    await page.getByRole('button', { name: /^Switch project.*Blog 2/ }).waitFor()
  })

  test('keep the last admin, and show the unchanged role', async () => {
    await page.goto(service.url)
    await openTab('Members')
    const role = page.getByLabel(`Role of ${ADMIN.email}`)
    await role.selectOption('viewer')
    await page.getByRole('alert').getByText('needs an admin').waitFor()
    expect(await role.inputValue()).toBe('admin')
    await button(`Remove ${ADMIN.email}`).click()
    await button('Remove member').click()
    await page.getByRole('dialog').getByRole('alert').getByText('needs an admin').waitFor()
    await button('Close').click()
  })

  test('invite, send again, and revoke', async () => {
    await page.getByLabel('Email to invite').fill('grace@example.org')
    await page.getByLabel('As', { exact: true }).selectOption('viewer')
    await button('Invite').click()
    await page.getByText(/grace@example.org as viewer, until/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await button('Send again to grace@example.org').click()
    await button('Revoke the invitation of grace@example.org').click()
    await page.getByText('No pending invitations').waitFor()
  })

  test('set a mail server, whose password never comes back, and try it', async () => {
    const mail = await startMailServer({
      credentials: 'ada:hunter2-hunter2',
      recipientReplies: ['550 nobody here'],
    })
    try {
      await openTab('Mail')
      await page.getByText('No way of its own').waitFor()
      await page.getByLabel(/^From/).fill('nobody')
      await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
      await page.getByLabel('Port', { exact: true }).fill(String(mail.port))
      await page.getByLabel('User name').fill('ada')
      await page.getByLabel(/^Password/).fill('hunter2-hunter2')
      await page.getByLabel('Only with TLS').uncheck()
      await button('Save').click()
      await page.locator('.problem').getByText('must be a mail address').waitFor()
      await page.getByLabel(/^From/).fill('Acme <hello@example.org>')
      await button('Save').click()
      await page.getByText('ends in er2').waitFor()
      expect(await page.content()).not.toContain('hunter2-hunter2')
      expect(await page.getByLabel(/^Password/).inputValue()).toBe('')
      expect(await findBarriers(page)).toEqual([])
      await button('Send a test').click()
      await page.getByRole('alert').getByText('rejected the sender or the recipient').waitFor()
      await button('Send a test').click()
      await page.getByText('The provider took the mail').waitFor()
      expect(mail.mails.map(({ to, credentials }) => [to, credentials])).toEqual([
        [[ADMIN.email], 'ada:hunter2-hunter2'],
      ])
    } finally {
      await mail.stop()
    }
  })

  test('set Resend in its place, and remove it', async () => {
    await page.getByLabel('Through').selectOption('resend')
    await page.getByLabel('API key of Resend').fill('re_1234567890abcdef')
    await button('Save').click()
    await page.getByText('ends in cdef').waitFor()
    expect(await page.content()).not.toContain('re_1234567890abcdef')
    await button('Remove it').click()
    await button('Remove provider').click()
    await page.getByText('No way of its own').waitFor()
  })

  test('accept a service account of Firebase, show its project, and never its key', async () => {
    await openTab('Campaigns')
    await page.getByText('no campaign can be sent').waitFor()
    await page.getByText('Set service account').click()
    const file = page.getByLabel('The file of the service account')
    await file.fill('{"type": "service_account"}')
    await button('Save').click()
    await page.locator('.problem').getByText('project_id is missing').waitFor()
    await file.fill(push.account)
    await button('Save').click()
    await page.getByText('pusher@firebase-project.iam.gserviceaccount.com').waitFor()
    expect(await page.content()).not.toContain('PRIVATE KEY')
    expect(await file.inputValue()).toBe('')
  })

  test('schedule a campaign in the zone of the project, change it and cancel it', async () => {
    await button('New campaign').click()
    await page.getByLabel('Internal name').fill('Spring')
    await page.getByLabel('Title').fill('Hello')
    await page.getByLabel('When', { exact: true }).selectOption('later')
    await page.getByLabel('Day and time in Europe/Berlin').fill('2038-07-01T09:30')
    await page.getByLabel('For the app').fill('[1]')
    expect(await findBarriers(page)).toEqual([])
    await button('Schedule').click()
    await page.locator('.problem').getByText('must be a JSON object').waitFor()
    await page.getByLabel('For the app').fill('{"data": {"screen": "offers"}}')
    await button('Schedule').click()
    const row = page.getByRole('listitem').filter({ hasText: 'Spring' })
    await row.getByText('waits').waitFor()
    await row.getByText('due 1 Jul 2038, 09:30:00 (Europe/Berlin)').waitFor()
    expect(await findBarriers(page)).toEqual([])
    const [stored] = await campaigns()
    expect(stored).toMatchObject({ scheduledTime: '2038-07-01T07:30:00Z' })
    expect(JSON.parse(Buffer.from(String(stored?.notificationData), 'base64').toString())).toEqual({
      title: 'Hello',
      data: { screen: 'offers' },
    })
    await row.getByRole('button', { name: 'Edit Spring' }).click()
    expect(await page.getByLabel('Day and time').inputValue()).toBe('2038-07-01T09:30')
    await page.getByLabel('Internal name').fill('Summer')
    await button('Schedule').click()
    await button('Cancel Summer').click()
    await button('Cancel the campaign').click()
    await page.getByText('No campaign yet').waitFor()
    expect(await campaigns()).toEqual([])
  })

  test('send a campaign now, and show how it ended', async () => {
    const device = { deviceId: 'phone', platform: 'android', token: 'token-1' }
    await service.call('sdk.devices.v1.DevicesService/Subscribe', device)
    await button('New campaign').click()
    await page.getByLabel('Internal name').fill('Today')
    await page.getByLabel('Text', { exact: true }).fill('It is here')
    await button('Send to all devices').click()
    await page.getByRole('listitem').filter({ hasText: 'Today' }).getByText('sent', { exact: true }).waitFor()
    expect(push.taken.map(({ token }) => token)).toEqual(['token-1'])
    await button('Remove').click()
    await button('Remove service account').click()
    await page.getByText('no campaign can be sent').waitFor()
  })

  test('set a password that signs in', async () => {
    const password = 'a new battery staple'
    await openTab('Account')
    await page.getByLabel('New password, 8 to 128 characters').fill('short')
    await button('Set password').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('New password, 8 to 128 characters').fill(password)
    await page.getByLabel(/^Current password/).fill('not the password')
    await button('Set password').click()
    await page.locator('.problem').getByText('is not the password of this account').waitFor()
    await page.getByLabel(/^Current password/).fill(ADMIN.password)
    await button('Set password').click()
    await page.getByText('All your other sessions are signed out').waitFor()
    const other = await openConsoleAs(service, { email: ADMIN.email, password })
    await other.browser.close()
  })

  test('list the sessions, and sign out of the others', async () => {
    const password = 'a new battery staple'
    await page.reload()
    await openTab('Account')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions.getByText('this session').waitFor()
    const rows = sessions.locator('tbody').getByRole('row')
    expect(await rows.filter({ hasText: 'password' }).count()).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    await rows.filter({ hasNotText: 'this session' }).getByRole('button').click()
    await rows.nth(1).waitFor({ state: 'detached' })
    const other = await openConsoleAs(service, { email: ADMIN.email, password })
    try {
      await page.reload()
      await openTab('Account')
      await button('Sign out all other sessions').click()
      await rows.nth(1).waitFor({ state: 'detached' })
      await other.page.reload()
      await other.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    } finally {
      await other.browser.close()
    }
  })

  test('fit a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const title of ['Project', 'Organisation', 'Members', 'Mail', 'Campaigns', 'Account']) {
      await openTab(title)
      await page.locator('main .card').first().waitFor()
      await expectToFit(page, title)
    }
  })

  test('lead from the last project to a new one', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const name of ['Default', 'Blog 2']) {
      await switchProject(page, name)
      await openTab('Project')
      await button('Delete the project').click()
      await page.getByLabel('Type the name of the project to confirm').fill(name)
      await button('Delete for good').click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('heading', { name: 'No project yet' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const organisation = page.getByRole('listitem').filter({ hasText: 'Acme' })
    await organisation.getByLabel('Name of a new project').fill('Again')
    await organisation.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('heading', { name: 'Send your first event' }).waitFor()
  })

  test('cause no request to other hosts, no error and no breach of the content security policy', () => {
    expect(opened.requests.filter((request) => !request.url().startsWith(service.url))).toEqual([])
    expect(withoutRefusals(opened.complaints)).toEqual([])
  })
})
