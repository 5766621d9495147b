import { randomUUID } from 'node:crypto'
import type { CustomerId, ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import type { MailSender } from '../mail/choose-sender.ts'
import { MailError } from '../mail/mail-transport.ts'
import type { Report } from './report.ts'
import { addressMail, type ReportMail } from './report-mail.ts'
import { newestPeriod } from './report-period.ts'
import type { ComposeReport } from './send-reports.ts'

/** Dependencies of tests and previews. */
export interface TestReportPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly projects: Pick<ProjectReader, 'read'>
  readonly compose: ComposeReport
  /** Chooses the sender of a project's mails. */
  readonly chooseSender: (projectId: ProjectId) => Promise<MailSender>
  /** Limits the tests of one user. */
  readonly tests: Pick<AttemptLimiter, 'take'>
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
}

/** Composes the mail of the newest complete period for a page: its pictures are `data:` URLs. */
export async function previewReport(
  ports: TestReportPorts,
  of: { readonly report: Report; readonly signal: AbortSignal },
): Promise<{ readonly subject: string; readonly html: string; readonly text: string }> {
  const mail = await composeNewest(ports, of)
  const content = addressMail(mail, { kind: 'preview' })
  const html = mail.pictures.reduce(
    (page, { cid, png }) =>
      page.replaceAll(`"cid:${cid}"`, `"data:image/png;base64,${png.toString('base64')}"`),
    content.html,
  )
  return { ...content, html }
}

/** Sends the mail of the newest complete period to a user, once. */
export async function testReport(
  ports: TestReportPorts,
  of: { readonly report: Report; readonly customerId: CustomerId; readonly signal: AbortSignal },
): Promise<{ readonly address: string; readonly error: string }> {
  const { report, customerId, signal } = of
  await ports.tests.take(customerId)
  const { email } = await ports.catalog
    .selectFrom('customers')
    .select('email')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const mail = await composeNewest(ports, of)
  const { transport, from, replyTo } = await ports.chooseSender(report.projectId)
  const content = addressMail(mail, { kind: 'test' })
  try {
    await transport(
      { id: randomUUID(), from, replyTo, to: email, ...content, pictures: mail.pictures },
      signal,
    )
    return { address: email, error: '' }
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return { address: email, error: error.message }
  }
}

async function composeNewest(
  { clock, projects, compose }: TestReportPorts,
  { report, signal }: { readonly report: Report; readonly signal: AbortSignal },
): Promise<ReportMail> {
  const { reportingTimezone } = await projects.read(report.projectId)
  const timeZone = report.spec.schedule?.timezone || reportingTimezone
  const period = newestPeriod(report.spec, { nowMs: clock.nowMs(), timeZone })
  const { mail } = await compose({ report, period, timeZone, signal })
  return mail
}
