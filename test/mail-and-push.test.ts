import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asProjectId } from '../src/contract/ids.ts'
import { openCatalog } from '../src/store/catalog/catalog.ts'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { countDeliveries } from '../src/store/clickhouse/deliveries.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import { type MailServer, startMailServer } from './harness/mail-server.ts'
import { googleError, type PushService, startPushService } from './harness/push-service.ts'
import { PUBLIC_KEY, reasonOf, TestService } from './harness/service.ts'
import { freePort, waitFor } from './harness/wait.ts'

const AUTH = 'public.auth.v1.AuthService'
const CAMPAIGNS = 'shared.campaigns.v1.CampaignService'
const DELIVERY = 'shared.delivery.v1.DeliveryService/RecordEvent'
const DEVICES = 'sdk.devices.v1.DevicesService'
const PROFILES = 'shared.profiles.v1.ProfilesService'
const PROJECTS = 'dashboard.projects.v1.ProjectsService'
const ORGS = 'dashboard.orgs.v1.OrgsService'
const PROVIDERS = 'dashboard.orgemailproviders.v1.OrgEmailProvidersService'
const ROOT = { email: 'root@example.org', password: 'a long enough password' }
const PUBLIC = { 'x-api-key': PUBLIC_KEY }
const HELLO = Buffer.from('{"title":"Hello","link":"app://x"}').toString('base64')
const NO_SIGNAL = new AbortController().signal

let mail: MailServer
let push: PushService
let service: TestService
let clickhouse: ClickHouse
let root: Record<string, string>
let orgId: string

beforeAll(async () => {
  mail = await startMailServer()
  push = await startPushService(({ token }) =>
    token === 'gone' ? googleError(404, 'UNREGISTERED') : undefined,
  )
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: ROOT.email,
    SERVICE_BOOTSTRAP_PASSWORD: ROOT.password,
    SERVICE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SERVICE_MAIL_FROM: 'Millrace <noreply@example.com>',
    SERVICE_FCM_URL: push.url,
    ...ALLOW_LOOPBACK,
  })
  clickhouse = openClickHouse(service.clickhouse(), {
    application: 'millrace-test',
    connectionsMax: 2,
    requestTimeoutMs: 60_000,
  })
  const { body } = await service.call(`${AUTH}/SignInWithEmail`, ROOT)
  root = { 'x-api-key': '', authorization: `Bearer ${body.token}`, 'x-project-id': '1' }
  const { body: found } = await service.call(`${PROJECTS}/Get`, {}, root)
  orgId = (found.project as { orgId: string }).orgId
})

afterAll(async () => {
  await clickhouse?.close()
  await service?.destroy()
  await push?.stop()
  await mail?.stop()
})

async function untilOver(id: unknown): Promise<Record<string, unknown>> {
  return await waitFor('the end of the campaign', async () => {
    const { body } = await service.call(`${CAMPAIGNS}/Get`, { id })
    const campaign = body.campaign as Record<string, unknown>
    return campaign.status === 'complete' || campaign.status === 'fail' ? campaign : undefined
  })
}

async function activeDevices(): Promise<readonly string[]> {
  const catalog = openCatalog(service)
  const rows = await catalog
    .selectFrom('devices')
    .select('device_id')
    .where('status', '=', 'active')
    .orderBy('device_id')
    .execute()
  await catalog.destroy()
  return rows.map((row) => row.device_id)
}

function tokenIn(source: string): string {
  const text = source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return /token=([\w-]+)/.exec(text)?.[1] ?? ''
}

/** The token of the link in the mail of an invitation, which goes to one of two mail servers. */
async function inviteBy(
  headers: Record<string, string>,
  invite: { readonly orgId: string; readonly email: string },
  server: MailServer,
): Promise<string> {
  const before = server.mails.length
  const { status } = await service.call(
    `${ORGS}/InviteMember`,
    { ...invite, role: 'ORG_ROLE_MEMBER' },
    headers,
  )
  expect(status).toBe(200)
  const { source } = await waitFor('the invitation', () =>
    server.mails.slice(before).find(({ to }) => to[0] === invite.email),
  )
  return tokenIn(source)
}

test('a sign-in link is sent by mail, and is not in the log', async () => {
  await service.call(`${AUTH}/RequestMagicLink`, { email: ROOT.email }, { 'x-api-key': '' })
  const received = await waitFor('the mail', () => mail.mails.find(({ to }) => to[0] === ROOT.email))
  expect(received).toMatchObject({ from: 'noreply@example.com' })
  const token = tokenIn(received.source)
  expect(token.length).toBeGreaterThan(20)
  expect(service.output.stderr).not.toContain(token)
})

test('an organisation sends through its own provider; a dead one is an answer', async () => {
  const own = await startMailServer({ credentials: 'team:password' })
  try {
    const smtp = { host: '127.0.0.1', port: own.port, username: 'team', password: 'password' }
    const set = { orgId, fromAddress: 'Team <team@example.com>', smtp }
    expect((await service.call(`${PROVIDERS}/Set`, set, root)).status).toBe(200)
    expect((await service.call(`${PROVIDERS}/Get`, { orgId }, root)).body).toMatchObject({
      kind: 'ORG_EMAIL_PROVIDER_KIND_SMTP',
      redactedSecret: '****rd',
    })
    const recipient = 'ada@example.org'
    const tested = await service.call(`${PROVIDERS}/SendTest`, { orgId, recipient }, root)
    expect(tested).toMatchObject({ status: 200, body: { success: true } })
    expect(own.mails).toMatchObject([{ from: 'team@example.com', to: [recipient] }])
    expect(await inviteBy(root, { orgId, email: 'bob@example.org' }, own)).not.toBe('')
    const dead = { ...set, smtp: { ...smtp, port: await freePort() } }
    await service.call(`${PROVIDERS}/Set`, dead, root)
    const failed = await service.call(`${PROVIDERS}/SendTest`, { orgId, recipient }, root)
    expect(failed).toMatchObject({
      status: 200,
      body: { errorMessage: expect.stringContaining('cannot be reached') },
    })
    expect(failed.body).not.toHaveProperty('success')
  } finally {
    await own.stop()
    await service.call(`${PROVIDERS}/Remove`, { orgId }, root)
  }
})

test('an admin who reads the mails of an own provider opens no account with them, and its owner joins', async () => {
  const open = async (token: string) => await service.call(`${AUTH}/CompleteMagicLink`, { token })
  const full = await inviteBy(root, { orgId, email: 'eve@example.org' }, mail)
  const eve = { 'x-api-key': '', authorization: `Bearer ${(await open(full)).body.token}` }
  const { body: made } = await service.call(`${ORGS}/Create`, { displayName: 'Traps' }, eve)
  const trap = (made.org as { id: string }).id
  const own = await startMailServer()
  try {
    const smtp = { host: '127.0.0.1', port: own.port }
    const set = { orgId: trap, fromAddress: 'eve@example.org', smtp }
    expect((await service.call(`${PROVIDERS}/Set`, set, eve)).status).toBe(200)
    const token = await inviteBy(eve, { orgId: trap, email: ROOT.email }, own)
    const opened = await open(token)
    expect([opened.status, reasonOf(opened.body)]).toEqual([412, 'INVITATION_NEEDS_SIGN_IN'])
    const accept = async (headers: Record<string, string>) =>
      await service.call('millrace.account.v1.InvitationsService/Accept', { token }, headers)
    const byOther = await accept(eve)
    expect([byOther.status, reasonOf(byOther.body)]).toEqual([404, 'INVITATION_NOT_FOUND'])
    expect((await accept({})).status).toBe(401)
    expect(await accept(root)).toMatchObject({
      status: 200,
      body: { org: { id: trap, displayName: 'Traps', role: 'ORG_ROLE_MEMBER' } },
    })
    // A newcomer gets an account, whose address the link does not verify.
    const newcomer = await inviteBy(eve, { orgId: trap, email: 'new@example.org' }, own)
    const { body } = await open(newcomer)
    const me = 'dashboard.customers.v1.CustomersService/GetMe'
    const asNewcomer = { 'x-api-key': '', authorization: `Bearer ${body.token}` }
    const found = await service.call(me, {}, asNewcomer)
    expect(found).toMatchObject({ status: 200, body: { email: 'new@example.org' } })
    expect(found.body).not.toHaveProperty('emailVerified')
  } finally {
    await own.stop()
  }
})

test.each([
  ['port', { orgId: 'o', fromAddress: 'a@b.c', smtp: { host: 'h', port: 65_536 } }, 'smtp.port'],
  ['sender', { orgId: 'o', fromAddress: 'nobody', smtp: { host: 'h', port: 25 } }, 'fromAddress'],
  ['kind', { orgId: 'o', fromAddress: 'a@b.c' }, 'needs exactly one of smtp, resend'],
])('a provider without a good %s is refused', async (_, request, field) => {
  const { status, body } = await service.call(`${PROVIDERS}/Set`, { ...request, orgId }, root)
  expect([status, body.code]).toEqual([400, 'invalid_argument'])
  expect(body.message).toContain(field)
})

test('provider methods need a session token', async () => {
  expect((await service.call(`${PROVIDERS}/Get`, { orgId })).status).toBe(401)
})

test('a public key registers devices, and a campaign reaches them', async () => {
  const file = { fcmServiceJson: push.account }
  expect((await service.call(`${PROJECTS}/UpdateFCMServiceJSON`, file, root)).status).toBe(200)
  const devices = [
    { deviceId: 'phone', platform: 'android', token: 'of phone', profileExternalId: 'ada' },
    { deviceId: 'pad', platform: 'ios', token: 'of pad', properties: { model: 'x' } },
    { deviceId: 'browser', platform: 'web', token: 'of browser' },
    { deviceId: 'lost', platform: 'android', token: 'gone' },
  ]
  for (const device of devices)
    expect(await service.call(`${DEVICES}/Subscribe`, device, PUBLIC)).toMatchObject({
      status: 200,
      body: {},
    })
  await service.call(`${DEVICES}/UpdateStatus`, { id: 'browser', status: 'inactive' }, PUBLIC)
  await service.call(`${DEVICES}/UpdateToken`, { id: 'pad', token: 'new of pad' }, PUBLIC)
  const { body } = await service.call(`${CAMPAIGNS}/Create`, { name: 'Spring', notificationData: HELLO })
  const { id } = body.campaign as { id: string }
  expect(await untilOver(id)).toMatchObject({
    name: 'Spring',
    status: 'complete',
    projectId: '1',
    notificationData: HELLO,
    startTime: expect.any(String),
    endTime: expect.any(String),
  })
  expect(push.taken.map(({ token }) => token).sort()).toEqual(['new of pad', 'of phone'])
  expect(push.taken[0]).toMatchObject({
    notification: { title: 'Hello' },
    data: { link: 'app://x', campaign_id: id },
  })
  expect(await activeDevices()).toEqual(['pad', 'phone'])
  const counts = await countDeliveries(clickhouse, { projectId: asProjectId(1), campaignId: id }, NO_SIGNAL)
  expect(counts).toMatchObject({ sent: 2, failed: 1, received: 0 })
})

test.each([
  ['Subscribe', { deviceId: 'x', platform: 'symbian', token: 't' }, 400, 'platform'],
  ['Subscribe', { platform: 'web', token: 't' }, 400, 'deviceId'],
  ['Subscribe', { deviceId: 'x'.repeat(37), platform: 'web', token: 't' }, 400, 'deviceId'],
  [
    'Subscribe',
    { deviceId: 'x', platform: 'web', token: 't', profileId: 'a', profileExternalId: 'b' },
    400,
    '',
  ],
  ['Subscribe', { deviceId: 'x', platform: 'web', token: 't', profileId: 'a'.repeat(37) }, 400, 'profileId'],
  ['UpdateStatus', { id: 'phone', status: 'asleep' }, 400, 'status'],
  ['UpdateStatus', { id: 'nobody', status: 'active' }, 404, 'no device'],
  ['UpdateToken', { id: 'nobody', token: 't' }, 404, 'no device'],
])('%s of %j is refused', async (method, request, status, word) => {
  const answer = await service.call(`${DEVICES}/${method}`, request, PUBLIC)
  expect(answer.status).toBe(status)
  expect(answer.body.message).toContain(word)
})

/** A campaign that is not sent while the tests run. */
async function makeCampaign(at: TestService): Promise<string> {
  const plan = { name: 'Later', notificationData: HELLO, scheduledTime: '2199-01-01T00:00:00Z' }
  const { body } = await at.call(`${CAMPAIGNS}/Create`, plan)
  return (body.campaign as { id: string }).id
}

test('campaigns are not for public keys, and a bad one is refused', async () => {
  const create = `${CAMPAIGNS}/Create`
  expect((await service.call(`${CAMPAIGNS}/BatchGet`, {}, PUBLIC)).status).toBe(403)
  const scheduledTime = '2199-01-01T00:00:00Z'
  const bad = [
    { notificationData: HELLO, scheduledTime },
    { name: 'x', scheduledTime },
    { name: 'x', notificationData: Buffer.from('{').toString('base64'), scheduledTime },
  ]
  const statuses = await Promise.all(bad.map(async (request) => (await service.call(create, request)).status))
  expect(statuses).toEqual([400, 400, 400])
  const unknown = await service.call(`${CAMPAIGNS}/Get`, { id: randomUUID() })
  expect([unknown.status, reasonOf(unknown.body)]).toEqual([404, 'CAMPAIGN_NOT_FOUND'])
  const { body } = await service.call(`${CAMPAIGNS}/BatchGet`, {})
  expect(body.campaigns).toHaveLength(1)
})

test('a campaign that was sent is not changed', async () => {
  const { body } = await service.call(`${CAMPAIGNS}/BatchGet`, {})
  const [{ id } = { id: '' }] = body.campaigns as { id: string }[]
  const answer = await service.call(`${CAMPAIGNS}/Update`, { id, name: 'Summer' })
  expect([answer.status, reasonOf(answer.body)]).toEqual([412, 'CAMPAIGN_NOT_SCHEDULED'])
})

test('a delivery event is recorded once, for any number of repeats and senders', async () => {
  const campaignId = await makeCampaign(service)
  const event = { campaignId, messageId: 'm1', eventType: 'EVENT_TYPE_CLICKED', platform: 'PLATFORM_IOS' }
  const requests = [
    ...Array.from({ length: 20 }, () => event),
    { ...event, eventTimestamp: '2026-01-02T03:04:05Z', metadata: { a: 'b' } },
    { ...event, messageId: 'm2' },
    { ...event, eventType: 'EVENT_TYPE_RECEIVED' },
    { ...event, messageId: '', deviceId: 'd1' },
    { ...event, messageId: '', deviceId: 'd1' },
  ]
  const answers = await Promise.all(requests.map((request) => service.call(DELIVERY, request)))
  expect(answers.map(({ body }) => body)).toEqual(requests.map(() => ({ success: true })))
  const counts = await countDeliveries(clickhouse, { projectId: asProjectId(1), campaignId }, NO_SIGNAL)
  expect(counts).toEqual({ clicked: 3, received: 1, dismissed: 0, failed: 0, sent: 0 })
  expect((await service.call(DELIVERY, event, PUBLIC)).status).toBe(403)
  expect((await service.call(DELIVERY, event, root)).body).toEqual({ success: true })
})

test('a delivery event of a campaign that the project does not have is not recorded', async () => {
  const { body: made } = await service.call(`${PROJECTS}/Create`, { orgId, displayName: 'Other' }, root)
  const other = { ...root, 'x-project-id': (made.project as { id: string }).id }
  const event = {
    campaignId: await makeCampaign(service),
    messageId: 'm',
    eventType: 'EVENT_TYPE_CLICKED',
  }
  const answers = [
    await service.call(DELIVERY, event, other),
    await service.call(DELIVERY, { ...event, campaignId: randomUUID() }),
  ]
  expect(answers.map(({ status, body }) => [status, reasonOf(body)])).toEqual([
    [404, 'CAMPAIGN_NOT_FOUND'],
    [404, 'CAMPAIGN_NOT_FOUND'],
  ])
})

test.each([
  ['campaignId', { campaignId: '' }],
  ['eventType', { eventType: 'EVENT_TYPE_UNSPECIFIED' }],
  ['eventType', { eventType: 99 }],
  ['messageId', { messageId: '' }],
  ['eventTimestamp', { eventTimestamp: '1969-12-31T23:59:59Z' }],
  ['metadata', { metadata: { x: 'x'.repeat(1025) } }],
])('a delivery event with a bad %s is refused: %j', async (field, fields) => {
  const event = { campaignId: 'c', messageId: 'm', eventType: 'EVENT_TYPE_SENT', ...fields }
  const { status, body } = await service.call(DELIVERY, event)
  expect([status, body.code]).toEqual([400, 'invalid_argument'])
  expect(body.message).toContain(field)
})

test('an erasure removes the devices of the user', async () => {
  const alice = `alice-${randomUUID()}`
  const row = {
    project: 1,
    external_id: alice,
    profile_id: randomUUID(),
    anonymous_id: '',
    device_id: 'identified',
    traits: {},
    received: 1_767_225_600_000_000,
  }
  await clickhouse.insert({
    table: 'identifies',
    values: [row],
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
  const owned = { deviceId: 'owned', platform: 'web', token: 'of owned', profileExternalId: alice }
  await service.call(`${DEVICES}/Subscribe`, owned, PUBLIC)
  await service.call(`${DEVICES}/Subscribe`, { deviceId: 'identified', platform: 'web', token: 'i' }, PUBLIC)
  const campaignId = await makeCampaign(service)
  const event = { campaignId, messageId: 'm1', eventType: 'EVENT_TYPE_SENT' }
  await service.call(DELIVERY, { ...event, deviceId: 'owned' })
  await service.call(DELIVERY, { ...event, messageId: 'm2', deviceId: 'identified' })
  await service.call(DELIVERY, { ...event, messageId: 'm3', deviceId: 'phone' })
  const { body } = await service.call(`${PROFILES}/DeleteDataSubject`, { externalId: alice })
  await waitFor('the erasure', async () => {
    const request = { requestId: body.requestId }
    const answer = await service.call(`${PROFILES}/GetDeletionRequest`, request)
    return answer.body.status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED' ? true : undefined
  })
  expect(await activeDevices()).toEqual(['pad', 'phone'])
  const of = { projectId: asProjectId(1), campaignId }
  expect((await countDeliveries(clickhouse, of, NO_SIGNAL)).sent).toBe(1)
})

test('a delivery event is answered with shouldRetry while the store is away', async () => {
  const url = `http://user:password@127.0.0.1:${await freePort()}/x`
  const without = await TestService.start({ SERVICE_CLICKHOUSE_URL: url }, 'alive')
  try {
    const answer = await waitFor('the query process', async () => {
      const event = { campaignId: await makeCampaign(without), messageId: 'm', eventType: 'EVENT_TYPE_SENT' }
      const { status, body } = await without.call(DELIVERY, event)
      return status === 200 ? body : undefined
    })
    expect(answer).toEqual({
      shouldRetry: true,
      retryAfterSeconds: 5,
      message: 'the store cannot be reached',
    })
  } finally {
    await without.destroy()
  }
})
