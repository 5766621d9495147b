import { create } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMember } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { recordingLog } from '../../../test/harness/recording-log.ts'
import {
  Frequency,
  type ReportInput,
  ReportInputSchema,
} from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import type { JobHandlers } from '../../jobs/job-handler.ts'
import { dispatchDueJobs } from '../../jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers } from '../../jobs/recurring-jobs.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { claimJob, continueJob, finishJob } from '../../store/catalog/job-store.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { MailError, type MailMessage } from '../mail/mail-transport.ts'
import { createDeliverReport } from './deliver-report.ts'
import { deleteOldIssues, Issues } from './issues.ts'
import { listRecipients, unsubscribeRecipient } from './recipients.ts'
import { COMPOSE_REPORT, DELIVER_REPORT, type Report } from './report.ts'
import { FOOTER } from './report-mail.ts'
import { createAskToConfirm, createTellAuthor } from './report-mails.ts'
import { createReport, listReportsOf, type ReportStore, readReport, replaceReport } from './report-store.ts'
import { type Composed, createSendReports, pauseForDashboard } from './send-reports.ts'
import { SubscriptionLinks } from './subscription-links.ts'

const ORGANISATION = asOrganisationId('11111111-2222-3333-4444-555555555555')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describeCatalog('reports', (under) => {
  let nowMs: number
  let projectId: ProjectId
  let author: string
  let issues: Issues
  let store: ReportStore
  let composed: { period: { fromMs: number; toMs: number }; timeZone: string }[]
  let isIncomplete: boolean
  let hasDashboard: boolean
  let mails: Mail[]
  let sent: MailMessage[]
  let mailError: MailError | undefined

  const clock = { nowMs: () => nowMs }
  const sealer = new Sealer(Buffer.alloc(32, 1))
  const links = new SubscriptionLinks({ sealer, publicUrl: 'https://millrace.example.com' })
  const signal = new AbortController().signal
  const compose = async (of: { period: { fromMs: number; toMs: number }; timeZone: string }) => {
    composed.push({ period: of.period, timeZone: of.timeZone })
    const pictures = [{ cid: 'chart-1@r', png: Buffer.from('png') }]
    const mail = { subject: 'S', html: `<p>${FOOTER}</p>`, text: 'T', pictures }
    return { mail, isIncomplete } satisfies Composed
  }

  beforeEach(async () => {
    nowMs = Date.parse('2026-06-16T10:00:00Z')
    composed = []
    isIncomplete = false
    hasDashboard = true
    mails = []
    sent = []
    mailError = undefined
    const { catalog } = under
    await catalog
      .insertInto('organisations')
      .values({ id: ORGANISATION, display_name: 'O', created_ms: 1 })
      .execute()
    projectId = await insertProject(catalog, clock, { organisationId: ORGANISATION, displayName: 'Shop' })
    author = await addMember(catalog, {
      organisationId: ORGANISATION,
      email: 'ada@example.org',
      role: 'member',
    })
    const sendMail = async (mail: Mail) => void mails.push(mail)
    const parts = { sendMail, links, publicUrl: 'https://millrace.example.com' }
    issues = new Issues({ catalog, sealer })
    store = {
      catalog,
      clock,
      sealer,
      askToConfirm: createAskToConfirm(parts),
      requireDashboard: async () => undefined,
    }
  })

  afterEach(() => expect(mails.map(({ to }) => to)).not.toContain('nobody@example.org'))

  const tellAuthor = () =>
    createTellAuthor({
      sendMail: async (mail) => void mails.push(mail),
      links,
      publicUrl: 'https://millrace.example.com',
    })

  const run = () => {
    const { catalog } = under
    return createSendReports({
      catalog,
      clock,
      sealer,
      issues,
      compose,
      hasDashboard: async () => hasDashboard,
      tellAuthor: tellAuthor(),
      wakeJobs: () => undefined,
      log: recordingLog([]),
    })
  }

  const input = (fields: Partial<ReportInput> = {}): ReportInput =>
    create(ReportInputSchema, {
      name: 'Weekly',
      content: { case: 'webOverview', value: {} },
      schedule: { frequency: Frequency.DAILY, hour: 8, timezone: 'Europe/Berlin' },
      addresses: ['ada@example.org', 'Bob@example.org'],
      ...fields,
    } as never)

  const add = async (fields: Partial<ReportInput> = {}): Promise<Report> =>
    await createReport(store, { projectId, createdBy: author, input: input(fields) })

  const statesOf = async (report: Report) =>
    ((await listRecipients({ sealer }, under.catalog, [report])).get(report.id) ?? []).map(
      ({ address, state }) => `${address} ${state}`,
    )

  const recipientOf = async (report: Report, address: string) => {
    const listed = (await listRecipients({ sealer }, under.catalog, [report])).get(report.id) ?? []
    const found = listed.find((one) => one.address === address)
    if (!found) throw new Error('no such recipient')
    return found
  }

  /** Runs the jobs of reports that are due, as two processes would. */
  const work = async (): Promise<void> => {
    const { catalog } = under
    const handlers = createRecurringJobHandlers(
      { [COMPOSE_REPORT]: run() },
      { catalog, wakeDispatcher: () => undefined },
    )
    const dispatch = { catalog, clock, kinds: [COMPOSE_REPORT], wakeJobs: () => undefined }
    await Promise.all([dispatchDueJobs(dispatch), dispatchDueJobs(dispatch)])
    const deliver = createDeliverReport({
      catalog,
      clock,
      sealer,
      issues,
      links,
      chooseSender: async () => ({
        from: { name: '', address: 'm@example.com' },
        replyTo: '',
        transport: async (message) => {
          if (mailError) throw mailError
          sent.push(message)
        },
      }),
    })
    const all: JobHandlers = { ...handlers, [DELIVER_REPORT]: deliver }
    for (;;) {
      const claim = await claimJob(catalog, { kinds: Object.keys(all), nowMs, leaseMs: 10_000 })
      if (!claim) return
      const outcome = await all[claim.job.kind]?.run(claim.job, { signal, save: async () => undefined })
      if (outcome?.next === 'again') await continueJob(catalog, claim, outcome)
      else await finishJob(catalog, claim)
    }
  }

  test('a period is mailed once to each active recipient, with a link that unsubscribes at one click', async () => {
    const report = await add()
    expect(await statesOf(report)).toEqual(['ada@example.org active', 'Bob@example.org pending'])
    await work()
    expect(sent).toEqual([])
    nowMs += DAY_MS
    await work()
    await work()
    expect(composed).toEqual([
      {
        period: { fromMs: Date.parse('2026-06-15T22:00:00Z'), toMs: Date.parse('2026-06-16T22:00:00Z') },
        timeZone: 'Europe/Berlin',
      },
    ])
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.org'])
    const { id } = await recipientOf(report, 'ada@example.org')
    const url = links.urlOf('unsubscribe', { id, askedMs: 0 })
    expect(sent[0]).toMatchObject({ unsubscribeUrl: url, pictures: [{ cid: 'chart-1@r' }] })
    expect(sent[0]?.html).toContain(`<a href="${url}"`)
    expect(sent[0]?.text).toContain(`Unsubscribe: ${url}`)
    const rows = await under.catalog.selectFrom('report_issues').select('sealed_content').execute()
    expect(rows).toEqual([{ sealed_content: '' }])
  })

  test('two attempts at one period that overlap add one delivery', async () => {
    const report = await add()
    const one = { recurringId: 'r', projectId, payload: { reportId: report.id }, timeZone: 'UTC' }
    const unit = { ...one, id: 'u', fromMs: nowMs - DAY_MS, toMs: nowMs }
    await Promise.all([run()(unit, { signal }), run()(unit, { signal })])
    await run()(unit, { signal })
    const rows = await under.catalog.selectFrom('report_deliveries').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.sealed_address).not.toContain('ada')
  })

  test('a mail that the server defers has the same id at the next attempt, and one that it rejects ends', async () => {
    const report = await add()
    mailError = new MailError('later', { retry: 'later' })
    nowMs += DAY_MS
    await work()
    const [waiting] = await issues.list({ reportId: report.id, before: undefined, count: 9 })
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1, error: 'later' })
    mailError = undefined
    nowMs += 2 * MINUTE_MS
    await work()
    expect(sent.map(({ id }) => id)).toEqual([waiting?.id])
    mailError = new MailError('no', { retry: 'never' })
    nowMs += DAY_MS
    await work()
    const [refused] = await issues.list({ reportId: report.id, before: undefined, count: 9 })
    expect(refused).toMatchObject({ state: 'failed', attempts: 1, error: 'no' })
  })

  test('a mail that waits is not sent to a recipient who has unsubscribed', async () => {
    const report = await add()
    mailError = new MailError('later', { retry: 'later' })
    nowMs += DAY_MS
    await work()
    const { id } = await recipientOf(report, 'ada@example.org')
    await unsubscribeRecipient(under.catalog, id, nowMs)
    mailError = undefined
    nowMs += 2 * MINUTE_MS
    await work()
    expect(sent).toEqual([])
    const [ended] = await issues.list({ reportId: report.id, before: undefined, count: 9 })
    expect(ended).toMatchObject({ state: 'failed', error: 'the recipient does not want this report' })
  })

  test('an address that unsubscribed stays without mails when it is listed again, and is asked', async () => {
    const report = await add()
    const { id } = await recipientOf(report, 'ada@example.org')
    await unsubscribeRecipient(under.catalog, id, nowMs)
    mails = []
    const key = { projectId, id: report.id }
    await replaceReport(store, key, input({ addresses: ['carl@example.org'] }))
    await replaceReport(store, key, input({ addresses: ['ADA@example.org'] }))
    expect(await statesOf(report)).toEqual(['ada@example.org unsubscribed'])
    expect(mails.map(({ to }) => to)).toEqual(['carl@example.org', 'ada@example.org'])
  })

  test('a member who leaves the organisation gets no more reports', async () => {
    const report = await add()
    await under.catalog.deleteFrom('memberships').execute()
    expect(await statesOf(report)).toEqual(['ada@example.org pending', 'Bob@example.org pending'])
  })

  test('questions to confirm have limits per project and per address', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `r${at}@example.org`)
    await add({ addresses: many })
    await expect(add({ addresses: ['one-more@example.org'] })).rejects.toMatchObject({
      code: 'resource_exhausted',
    })
    const rows = await under.catalog.selectFrom('reports').selectAll().execute()
    expect(rows).toHaveLength(1)
    nowMs += DAY_MS
    for (let at = 0; at < 3; at++) await add({ addresses: ['r1@example.org'] })
    await expect(add({ addresses: ['r1@example.org'] })).rejects.toThrow('asked too often')
  })

  test('a mail to confirm does not go through the mail provider of the organisation', async () => {
    await add()
    expect(mails).toMatchObject([{ to: 'Bob@example.org' }])
    expect(mails[0]).not.toHaveProperty('organisationId')
  })

  test('a report whose questions fail waits ten minutes, and is then sent with the errors', async () => {
    await add()
    isIncomplete = true
    nowMs += DAY_MS
    await expect(work()).rejects.toThrow('could not be answered yet')
    nowMs += 11 * MINUTE_MS
    await work()
    expect(composed).toHaveLength(2)
    expect(sent).toHaveLength(1)
  })

  test('a report names cohorts of its project only', async () => {
    const cohort = { id: '55555555-2222-3333-4444-555555555555', name: 'Buyers', description: '' }
    const numbers = { revision: 1, created_ms: 1, updated_ms: 1 }
    await under.catalog
      .insertInto('cohorts')
      .values({ ...cohort, ...numbers, project_id: projectId, definition: null, created_by: '' })
      .execute()
    const of = (cohortId: string) =>
      ({ content: { case: 'webOverview', value: { cohorts: [{ cohortId }] } } }) as never
    const report = await add(of(cohort.id))
    expect(report.spec.content.value).toMatchObject({ cohorts: [{ cohortId: cohort.id }] })
    const missing = cohort.id.replaceAll('5', '6')
    for (const id of [missing, 'x']) {
      await expect(add(of(id))).rejects.toMatchObject({ code: 'not_found', reason: 'COHORT_NOT_FOUND' })
    }
    const change = replaceReport(store, { projectId, id: report.id }, input(of(missing)))
    await expect(change).rejects.toMatchObject({ reason: 'COHORT_NOT_FOUND' })
  })

  test('a report of a deleted dashboard is paused, and its author is told once', async () => {
    const id = '33333333-2222-3333-4444-555555555555'
    const report = await add({
      addresses: ['ada@example.org'],
      content: { case: 'dashboard', value: { dashboardId: id } },
    } as never)
    const parts = { tellAuthor: tellAuthor(), log: recordingLog([]) }
    await inTransaction(under.catalog, async (transaction) => {
      for (const one of await listReportsOf(transaction, id)) await pauseForDashboard(parts, transaction, one)
    })
    hasDashboard = false
    nowMs += DAY_MS
    await work()
    const paused = await readReport(under.catalog, { projectId, id: report.id })
    expect(paused).toMatchObject({ isEnabled: false, pausedReason: 'dashboard-deleted' })
    expect(mails).toMatchObject([{ to: 'ada@example.org', subject: 'The report “Weekly” is paused' }])
  })

  test('a dashboard that is missing when the report is due pauses it too', async () => {
    await add({
      addresses: ['ada@example.org'],
      content: { case: 'dashboard', value: { dashboardId: '33333333-2222-3333-4444-555555555555' } },
    } as never)
    hasDashboard = false
    nowMs += DAY_MS
    await work()
    expect(composed).toEqual([])
    expect(mails).toMatchObject([{ to: 'ada@example.org' }])
  })

  test('a period that was mailed is not mailed again after the zone or the hour changed', async () => {
    const report = await add({ addresses: ['ada@example.org'] })
    nowMs = Date.parse('2026-06-17T10:00:00Z')
    await work()
    for (const [hour, timezone] of [
      [12, 'America/New_York'],
      [3, 'Asia/Tokyo'],
      [9, 'Europe/Berlin'],
    ] as const) {
      const schedule = { frequency: Frequency.DAILY, hour, timezone }
      await replaceReport(
        store,
        { projectId, id: report.id },
        input({ addresses: ['ada@example.org'], schedule } as never),
      )
      await work()
    }
    expect(sent).toHaveLength(1)
    nowMs += DAY_MS
    await work()
    expect(sent).toHaveLength(2)
  })

  test.each([
    { title: 'an hour that does not exist', from: '2026-03-27T12:00:00Z', hour: 2 },
    { title: 'an hour that exists twice', from: '2026-10-23T12:00:00Z', hour: 2 },
  ])('each day around $title has one mail', async ({ from, hour }) => {
    nowMs = Date.parse(from)
    await add({
      addresses: ['ada@example.org'],
      schedule: { frequency: Frequency.DAILY, hour, timezone: 'Europe/Berlin' },
    } as never)
    for (let at = 0; at < 4 * 24 * 2; at++) {
      nowMs += 30 * MINUTE_MS
      await work()
    }
    const lengths = composed.map(({ period }) => (period.toMs - period.fromMs) / 3_600_000)
    expect(lengths.toSorted()).toEqual([from.includes('-03-') ? [23, 24, 24, 24] : [24, 24, 24, 25]].flat())
    expect(new Set(composed.map(({ period }) => period.toMs)).size).toBe(4)
    expect(sent).toHaveLength(4)
  })

  test('deliveries are deleted after 30 days', async () => {
    await add({ addresses: ['ada@example.org'] })
    nowMs += DAY_MS
    await work()
    expect(await deleteOldIssues(under.catalog, nowMs + 29 * DAY_MS)).toBe(0)
    expect(await deleteOldIssues(under.catalog, nowMs + 31 * DAY_MS)).toBe(1)
  })
})
