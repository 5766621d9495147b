import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { LOOPBACK } from '../../../test/harness/loopback.ts'
import { type MailServer, startMailServer } from '../../../test/harness/mail-server.ts'
import { type LogLine, recordingLog } from '../../../test/harness/recording-log.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { asOrganisationId, type OrganisationId } from '../../contract/ids.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import type { Logger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { createChooseSender, type MailSenderParts } from './choose-sender.ts'
import { MailProviders } from './mail-provider.ts'
import type { Mail, MailedInvitation, SendMail } from './mail-queue.ts'
import { createMailJob, createSendMail, SEND_MAIL } from './mail-queue.ts'

const LINK = 'https://example.org/link?token=a-secret-token'
const INVITATION = { id: 'an-invitation', expiresMs: 5 }
const MAIL: Mail = { to: 'ada@example.org', subject: 'Join', text: `Open ${LINK}`, html: `<p>${LINK}</p>` }

describeCatalog('queued mail', (under) => {
  let server: MailServer
  let runner: JobRunner | undefined
  let lines: LogLine[]
  let log: Logger
  let nowMs: number
  let wakeCount: number
  let providers: MailProviders
  let sendMail: SendMail
  let organisationId: OrganisationId
  /** What was reported of mails that will not be sent. */
  let failed: (readonly [MailedInvitation, string])[]

  const sealer = new Sealer(Buffer.alloc(32, 1))
  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    server = await startMailServer()
    nowMs = 1_000_000
    wakeCount = 0
    lines = []
    failed = []
    log = recordingLog(lines)
    const { catalog } = under
    providers = new MailProviders({ catalog, sealer })
    organisationId = asOrganisationId('11111111-2222-3333-4444-555555555555')
    const organisation = { id: organisationId, display_name: 'O', created_ms: 1 }
    await catalog.insertInto('organisations').values(organisation).execute()
    sendMail = createSendMail({
      catalog,
      clock,
      sealer,
      wakeJobs: () => {
        wakeCount++
      },
    })
  })

  afterEach(async () => {
    await runner?.stop()
    runner = undefined
    await server.stop()
  })

  function startRunner(service: MailSenderParts['service'], port = server.port): void {
    const chooseSender = createChooseSender({
      findProvider: async (id) => await providers.find(id),
      service: service && { ...service, server: { ...service.server, port } },
      reach: { outbound: LOOPBACK, resendUrl: 'http://127.0.0.1:1' },
      log,
    })
    const onFailed = async (...failure: (typeof failed)[number]): Promise<void> => void failed.push(failure)
    runner = new JobRunner({
      catalog: under.catalog,
      clock,
      log,
      handlers: { [SEND_MAIL]: createMailJob({ sealer, chooseSender, onFailed, log }) },
      tuning: { pollMs: 5, attemptsMax: 3, retry: { firstMs: 100, maxMs: 1000 } },
    })
    runner.start()
  }

  const jobs = async () => await under.catalog.selectFrom('jobs').selectAll().execute()
  const untilNoJob = async (): Promise<true> =>
    await waitFor('no job', async () => ((await jobs()).length === 0 ? true : undefined))

  const SERVICE = {
    server: { host: '127.0.0.1', port: 0, username: '', password: '', protection: 'opportunistic' },
    from: 'Millrace <noreply@example.com>',
  } as const

  test("a mail is queued sealed, sent through the service's mail server, and deleted", async () => {
    await sendMail(MAIL)
    expect(wakeCount).toBe(1)
    const [job] = await jobs()
    expect(job?.kind).toBe('send-mail')
    expect(job?.payload).not.toMatch(/secret|ada@|Join/)
    startRunner(SERVICE)
    await untilNoJob()
    expect(server.mails).toMatchObject([{ from: 'noreply@example.com', to: ['ada@example.org'] }])
    expect(server.mails[0]?.source).toContain(LINK)
    expect(JSON.stringify(lines)).not.toContain('a-secret-token')
  })

  test('a mail of a rolled-back transaction is not sent', async () => {
    const rolledBack = inTransaction(under.catalog, async (transaction) => {
      await sendMail(MAIL, transaction)
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(await jobs()).toEqual([])
  })

  test("an organisation's mail uses its own provider, and no other mail does", async () => {
    const own = await startMailServer({ credentials: 'o:p' })
    try {
      const at = { host: '127.0.0.1', port: own.port, username: 'o', password: 'p' }
      const config = { kind: 'smtp', server: { ...at, protection: 'opportunistic' } } as const
      const provider = { config, fromAddress: 'team@o.example', replyTo: 'help@o.example', updatedMs: 1 }
      await providers.set(organisationId, provider)
      await sendMail({ ...MAIL, organisationId })
      await sendMail({ ...MAIL, organisationId: asOrganisationId('another') })
      await sendMail(MAIL)
      startRunner(SERVICE)
      await untilNoJob()
      expect(own.mails).toMatchObject([{ from: 'team@o.example' }])
      expect(own.mails[0]?.source).toContain('Reply-To: help@o.example')
      const byService = { from: 'noreply@example.com' }
      expect(server.mails).toMatchObject([byService, byService])
    } finally {
      await own.stop()
    }
  })

  test('without a mail server, the link is logged', async () => {
    await sendMail({ ...MAIL, organisationId })
    startRunner(undefined)
    await untilNoJob()
    expect(lines).toMatchObject([
      { level: 'info', fields: { to: 'ada@example.org', subject: 'Join', text: `Open ${LINK}` } },
    ])
  })

  test('a failing server is retried with backoff, and finally the failure is logged', async () => {
    const { port } = server
    await server.stop()
    await sendMail({ ...MAIL, invitation: INVITATION })
    startRunner(SERVICE, port)
    for (const attempts of [1, 2]) {
      const row = await waitFor('a failure', async () => {
        const [found] = await jobs()
        return found?.attempts === attempts && found.state === 'waiting' ? found : undefined
      })
      nowMs = Number(row.next_ms)
    }
    expect(failed).toEqual([])
    await waitFor('the end', async () => ((await jobs())[0]?.state === 'failed' ? true : undefined))
    expect(failed).toEqual([[INVITATION, 'the mail server cannot be reached; check host and port']])
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      fields: { reason: 'the mail server cannot be reached; check host and port' },
      message: 'a mail could not be sent',
    })
    expect(JSON.stringify(lines)).not.toMatch(/a-secret-token|ada@example/)
    server = await startMailServer()
  })

  test('a server that recovers gets the mail', async () => {
    await server.stop()
    server = await startMailServer({ recipientReplies: ['451 4.7.1 come again'] })
    await sendMail(MAIL)
    startRunner(SERVICE, server.port)
    const row = await waitFor('a failure', async () => {
      const [found] = await jobs()
      return found?.attempts === 1 && found.state === 'waiting' ? found : undefined
    })
    nowMs = Number(row.next_ms)
    await untilNoJob()
    expect(server.mails).toHaveLength(1)
  })

  test('a rejected recipient is not retried', async () => {
    await server.stop()
    server = await startMailServer({ recipientReplies: ['550 5.1.1 no such user ada@example.org'] })
    await sendMail({ ...MAIL, invitation: INVITATION })
    startRunner(SERVICE, server.port)
    await untilNoJob()
    expect(server.mails).toEqual([])
    expect(lines).toMatchObject([{ level: 'error', message: 'a mail was rejected and will not be sent' }])
    expect(JSON.stringify(lines)).not.toMatch(/a-secret-token|ada@example/)
    expect(failed).toEqual([
      [INVITATION, 'the mail server rejected the sender or the recipient; check both addresses'],
    ])
  })
})

/** A log that records its lines, with the full text of errors. */
