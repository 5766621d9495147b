import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCustomer } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { type DoubleAnswer, type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import { LOOPBACK } from '../../../test/harness/loopback.ts'
import { type LogLine, recordingLog } from '../../../test/harness/recording-log.ts'
import { verifyWebhook } from '../../../test/harness/verify-webhook.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import { systemClock } from '../../kernel/clock.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { claimJob, continueJob, finishJob } from '../../store/catalog/job-store.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { MailError, type MailMessage } from '../mail/mail-transport.ts'
import type { Channel, ChannelConfig } from './channel.ts'
import { Channels } from './channels.ts'
import { createDeliverNotification, DELIVERY_PLACES } from './deliver-notification.ts'
import { DELIVER_NOTIFICATION, Deliveries, type Delivery, deleteOldDeliveries } from './deliveries.ts'
import type { Notification } from './notification.ts'
import { createNotifyChannels, type NotifyChannels } from './notify-channels.ts'
import { createSigningSecret } from './sign-webhook.ts'
import { createTellAdmins } from './tell-admins.ts'

const DAY_MS = 24 * 3_600_000

/** A failure with few attempts a day. */
const SLOW_FAILURE = { status: 500, headers: { 'retry-after': '3600' } } as const

const SECRET = createSigningSecret()
const ORGANISATION = asOrganisationId('11111111-2222-3333-4444-555555555555')

describeCatalog('deliveries', (under) => {
  let nowMs: number
  let projectId: ProjectId
  let answer: DoubleAnswer | Promise<DoubleAnswer>
  let double: HttpDouble
  let channels: Channels
  let deliveries: Deliveries
  let notify: NotifyChannels
  let handler: ReturnType<typeof createDeliverNotification>
  let sent: MailMessage[]
  let mailError: MailError | undefined
  let adminMails: Mail[]
  let lines: LogLine[]

  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    nowMs = systemClock.nowMs()
    answer = { status: 200 }
    double = await startHttpDouble(() => answer)
    sent = []
    mailError = undefined
    adminMails = []
    lines = []
    const { catalog } = under
    const sealer = new Sealer(Buffer.alloc(32, 1))
    channels = new Channels({ catalog, clock, sealer })
    deliveries = new Deliveries({ catalog, sealer })
    notify = createNotifyChannels({ channels, deliveries, wakeJobs: () => undefined })
    await catalog
      .insertInto('organisations')
      .values({ id: ORGANISATION, display_name: 'O', created_ms: 1 })
      .execute()
    projectId = await insertProject(catalog, clock, { organisationId: ORGANISATION, displayName: 'Shop' })
    handler = createDeliverNotification({
      catalog,
      clock,
      channels,
      deliveries,
      outbound: LOOPBACK,
      chooseSender: async () => ({
        from: { name: '', address: 'm@example.com' },
        replyTo: '',
        transport: async (message) => {
          if (mailError) throw mailError
          sent.push(message)
        },
      }),
      tellAdmins: createTellAdmins({
        sendMail: async (mail) => void adminMails.push(mail),
        publicUrl: 'https://millrace.example.com',
      }),
      log: recordingLog(lines),
    })
  })

  afterEach(async () => await double.stop())

  const webhook = (): ChannelConfig => ({ kind: 'webhook', url: `${double.url}/hook`, secret: SECRET })

  async function addChannel(config: ChannelConfig = webhook()): Promise<Channel> {
    return await channels.create(projectId, { name: 'On call', config })
  }

  async function add(channel: Channel, id: string): Promise<void> {
    const notification: Notification = {
      id,
      type: 'alert.firing',
      createdMs: nowMs,
      title: 'Title',
      text: 'Text',
      link: '',
      facts: { value: 1 },
    }
    await inTransaction(under.catalog, async (transaction) => {
      await notify(transaction, { projectId, channelIds: [channel.id] }, notification)
    })
  }

  /** Runs the deliveries that are due until `ms` from now, as the job runner does. */
  async function runFor(ms: number): Promise<void> {
    const endMs = nowMs + ms
    const { catalog } = under
    for (;;) {
      const claim = await claimJob(catalog, { kinds: [DELIVER_NOTIFICATION], nowMs, leaseMs: 1 })
      if (claim) {
        const context = { signal: new AbortController().signal, save: async () => undefined }
        const outcome = await handler.run(claim.job, context)
        if (outcome.next === 'done') await finishJob(catalog, claim)
        else await continueJob(catalog, claim, outcome)
        continue
      }
      const next = await catalog
        .selectFrom('jobs')
        .select(({ fn }) => fn.min('next_ms').as('ms'))
        .executeTakeFirst()
      if (!next?.ms || Number(next.ms) > endMs) break
      nowMs = Number(next.ms)
    }
    nowMs = endMs
  }

  async function list({ id: channelId }: Channel): Promise<readonly Delivery[]> {
    return await deliveries.list({ channelId, before: undefined, count: 100 })
  }

  test('a webhook gets a signed request, and the delivery keeps no content', async () => {
    const channel = await addChannel()
    await add(channel, 'n-1')
    expect(
      JSON.stringify(await under.catalog.selectFrom('channel_deliveries').selectAll().execute()),
    ).not.toMatch(/Title|Text/)
    await runFor(0)
    const [request] = double.requests
    if (!request) throw new Error('there is no request')
    expect([double.requests.length, request.method, request.path]).toEqual([1, 'POST', '/hook'])
    expect(verifyWebhook(SECRET, request)).toMatchObject({
      type: 'alert.firing',
      data: { value: 1, title: 'Title', text: 'Text' },
    })
    expect(request.headers['webhook-id']).toBe('n-1')
    expect(await list(channel)).toMatchObject([
      {
        notificationId: 'n-1',
        state: 'delivered',
        attempts: 1,
        status: 200,
        error: '',
        notification: undefined,
      },
    ])
  })

  test('a notification that is queued twice is delivered once', async () => {
    const channel = await addChannel()
    await add(channel, 'n-1')
    await add(channel, 'n-1')
    await runFor(1000)
    await add(channel, 'n-1')
    await runFor(1000)
    expect(double.requests).toHaveLength(1)
  })

  test('each mail address gets its own mail, with an id that stays', async () => {
    const addresses = ['a@example.org', 'b@example.org']
    const channel = await addChannel({ kind: 'mail', addresses })
    mailError = new MailError('the mail server cannot be reached', { retry: 'later' })
    await add(channel, 'n-1')
    await runFor(0)
    mailError = undefined
    await runFor(DAY_MS)
    expect(sent.map(({ to }) => to).sort()).toEqual(addresses)
    expect(sent.every(({ subject, text }) => subject === 'Title' && text.includes('Text'))).toBe(true)
    const found = await list(channel)
    expect(found.map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect(sent.map(({ id }) => id).sort()).toEqual(found.map(({ id }) => id).sort())
  })

  test('a failing webhook is retried for a day with the same id, by one delivery at a time', async () => {
    const channel = await addChannel()
    answer = { status: 500, body: { message: 'a secret of the remote host' } }
    for (let index = 0; index < 4; index++) await add(channel, `n-${index}`)
    await runFor(DAY_MS)
    const found = await list(channel)
    expect(found.map(({ state }) => state)).toEqual(Array(4).fill('failed'))
    expect(JSON.stringify(found)).not.toContain('a secret')
    // 24 hours at 5, 10, 20 … seconds and then every two hours are 22 attempts.
    expect(double.requests.length).toBeGreaterThan(15)
    expect(double.requests.length).toBeLessThan(30)
    expect(found.map(({ error }) => error)).toContain('the webhook answered with status 500')
  })

  test('a webhook that recovers gets every notification once', async () => {
    const channel = await addChannel()
    answer = { status: 503 }
    for (let index = 0; index < 5; index++) await add(channel, `n-${index}`)
    await runFor(60_000)
    const failedCount = double.requests.length
    answer = { status: 204 }
    await runFor(DAY_MS)
    const ids = double.requests.slice(failedCount).map(({ headers }) => headers['webhook-id'])
    expect(ids.sort()).toEqual(['n-0', 'n-1', 'n-2', 'n-3', 'n-4'])
    expect(await channels.read(channel)).toMatchObject({ failureCount: 0, failingMs: 0, retryMs: 0 })
  })

  test('attempts that fail together count as one failure', async () => {
    const channel = await addChannel()
    const gate = Promise.withResolvers<DoubleAnswer>()
    answer = gate.promise
    const jobs = ['a', 'b', 'c']
    for (const id of jobs) await add(channel, id)
    const context = { signal: new AbortController().signal, save: async () => undefined }
    const { catalog } = under
    const claims = []
    for (const _ of jobs)
      claims.push(await claimJob(catalog, { kinds: [DELIVER_NOTIFICATION], nowMs, leaseMs: 1e6 }))
    const running = Promise.all(claims.map(async (claim) => claim && (await handler.run(claim.job, context))))
    await waitFor('three requests', () => (double.requests.length === 3 ? true : undefined))
    gate.resolve({ status: 500 })
    await running
    expect((await channels.read(channel)).failureCount).toBe(1)
  })

  test('deliveries to a host that hangs leave places to another channel', async () => {
    const hanging = Promise.withResolvers<DoubleAnswer>()
    answer = hanging.promise
    const slow = await addChannel()
    for (let index = 0; index < 20; index++) await add(slow, `slow-${index}`)
    const other = await addChannel({ kind: 'mail', addresses: ['a@example.org'] })
    await add(other, 'n-1')
    const { catalog } = under
    const handlers = { [DELIVER_NOTIFICATION]: handler }
    const tuning = { pollMs: 5, ...DELIVERY_PLACES }
    const runner = new JobRunner({ catalog, clock, log: recordingLog([]), handlers, tuning })
    runner.start()
    try {
      await waitFor('the mail', () => (sent.length === 1 ? true : undefined))
      expect(double.requests.length).toBeLessThanOrEqual(DELIVERY_PLACES.runningPerLaneMax)
    } finally {
      hanging.resolve({ status: 200 })
      await runner.stop()
    }
  })

  test('a requested pause is kept', async () => {
    const channel = await addChannel()
    answer = { status: 429, headers: { 'retry-after': '1800' } }
    await add(channel, 'n-1')
    await runFor(1_790_000)
    expect(double.requests).toHaveLength(1)
    answer = { status: 200 }
    await runFor(20_000)
    expect(double.requests).toHaveLength(2)
  })

  test('a redirect is not followed', async () => {
    const elsewhere = await startHttpDouble(() => ({ status: 200 }))
    try {
      const channel = await addChannel()
      answer = { status: 307, headers: { location: elsewhere.url } }
      await add(channel, 'n-1')
      await runFor(0)
      expect(await list(channel)).toMatchObject([
        { state: 'pending', error: 'the webhook answered with status 307; redirects are not followed' },
      ])
      expect(elsewhere.requests).toEqual([])
    } finally {
      await elsewhere.stop()
    }
  })

  test('after five days of failures the channel is disabled, and the admins get a mail', async () => {
    const admin = await addCustomer(under.catalog, 'admin@example.org')
    const viewer = await addCustomer(under.catalog, 'viewer@example.org')
    const memberships = [
      { organisation_id: ORGANISATION, customer_id: admin, role: 'admin', created_ms: 1 },
      { organisation_id: ORGANISATION, customer_id: viewer, role: 'viewer', created_ms: 1 },
    ] as const
    await under.catalog.insertInto('memberships').values(memberships).execute()
    const channel = await addChannel()
    answer = SLOW_FAILURE
    for (let day = 0; day < 4; day++) {
      await add(channel, `day-${day}`)
      await runFor(DAY_MS)
      expect((await channels.read(channel)).isEnabled).toBe(true)
    }
    await add(channel, 'day-4')
    await runFor(DAY_MS)
    expect(await channels.read(channel)).toMatchObject({ isEnabled: false, disabledReason: 'failing' })
    expect(adminMails).toMatchObject([
      { to: 'admin@example.org', organisationId: ORGANISATION, subject: 'The channel On call is disabled' },
    ])
    const requestCount = double.requests.length
    await add(channel, 'day-5')
    await runFor(DAY_MS)
    expect(double.requests).toHaveLength(requestCount)
    expect(await list(channel)).toHaveLength(5)
  })

  test('a success in between keeps the channel enabled', async () => {
    const channel = await addChannel()
    for (let day = 0; day < 8; day++) {
      answer = day === 4 ? { status: 200 } : SLOW_FAILURE
      await add(channel, `day-${day}`)
      await runFor(DAY_MS)
    }
    expect((await channels.read(channel)).isEnabled).toBe(true)
  })

  test('a webhook that is gone is disabled at once, and what waits for it ends', async () => {
    const channel = await addChannel()
    answer = { status: 500 }
    await add(channel, 'n-1')
    await add(channel, 'n-2')
    await runFor(0)
    answer = { status: 410 }
    await runFor(DAY_MS)
    expect(await channels.read(channel)).toMatchObject({ isEnabled: false, disabledReason: 'gone' })
    const found = await list(channel)
    expect(found.map(({ state }) => state)).toEqual(['failed', 'failed'])
    expect(found.map(({ error }) => error).sort()).toEqual([
      'the channel is disabled',
      'the webhook answered with status 410',
    ])
  })

  test('a rejected mail address does not hold up the others', async () => {
    const channel = await addChannel({ kind: 'mail', addresses: ['a@example.org'] })
    mailError = new MailError('the recipient is not a valid mail address', { retry: 'never' })
    await add(channel, 'n-1')
    await runFor(0)
    mailError = undefined
    await add(channel, 'n-2')
    await runFor(0)
    expect((await list(channel)).map(({ state, attempts }) => `${state} ${attempts}`).sort()).toEqual([
      'delivered 1',
      'failed 1',
    ])
  })

  test('the job of a deleted channel ends, and old deliveries are deleted', async () => {
    const channel = await addChannel()
    await add(channel, 'n-1')
    await runFor(0)
    expect(await deleteOldDeliveries(under.catalog, nowMs + 30 * DAY_MS)).toBe(0)
    await add(channel, 'n-2')
    await channels.remove(channel)
    await runFor(0)
    expect(double.requests).toHaveLength(1)
    expect(await under.catalog.selectFrom('channel_deliveries').selectAll().execute()).toEqual([])
    const other = await addChannel()
    await add(other, 'n-3')
    await runFor(0)
    expect(await deleteOldDeliveries(under.catalog, nowMs + 30 * DAY_MS + 1)).toBe(1)
  })
})
