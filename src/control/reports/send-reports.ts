import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { RunRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Issues } from './issues.ts'
import { listRecipients, type RecipientParts } from './recipients.ts'
import { dashboardIdOf, type Report } from './report.ts'
import type { ReportMail } from './report-mail.ts'
import type { TellAuthor } from './report-mails.ts'
import { findReport, pauseReport } from './report-store.ts'

/** The mail of a period. */
export interface Composed {
  readonly mail: ReportMail
  /** Whether a part shows an error that may go away by itself. */
  readonly isIncomplete: boolean
}

/** Composes the mail of a report about a period. */
export type ComposeReport = (of: {
  readonly report: Report
  readonly period: RangeMs
  readonly timeZone: string
  readonly signal: AbortSignal
}) => Promise<Composed>

/** Dependencies of the recurring job. */
export interface SendReportsParts extends Pick<RecipientParts, 'sealer'> {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly issues: Issues
  readonly compose: ComposeReport
  readonly hasDashboard: (key: { readonly projectId: ProjectId; readonly id: string }) => Promise<boolean>
  readonly tellAuthor: TellAuthor
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
  readonly log: Logger
}

/** A report whose questions cannot be answered is tried again for this long; then its mail shows the errors. */
const PATIENCE_MS = 10 * 60_000

/**
 * Creates the recurring job of reports: it composes the mail of the complete period once, and stores it with one delivery for
 * each recipient in one transaction, so that neither a crash nor a second process adds another.
 */
export function createSendReports(parts: SendReportsParts): RunRecurringJob {
  return async ({ payload, fromMs, toMs, timeZone }, { signal }) => {
    const { reportId } = payload as { readonly reportId: string }
    const report = await findReport(parts.catalog, reportId)
    if (!report?.isEnabled) return
    if (!(await hasContent(parts, report))) return await pauseWithoutDashboard(parts, report)
    const period = { fromMs, toMs }
    const issue = await parts.issues.open(report, period, parts.clock.nowMs())
    if (issue.state === 'composed') return
    const { mail, isIncomplete } = await parts.compose({ report, period, timeZone, signal })
    const isEarly = parts.clock.nowMs() - issue.createdMs < PATIENCE_MS
    if (isIncomplete && isEarly) throw new Error('parts of a report could not be answered yet')
    await inTransaction(parts.catalog, async (transaction) => {
      const listed = (await listRecipients(parts, transaction, [report])).get(report.id) ?? []
      const recipients = listed.filter(({ state }) => state === 'active')
      await parts.issues.complete(transaction, issue, {
        report,
        mail,
        recipients,
        nowMs: parts.clock.nowMs(),
      })
    })
    parts.wakeJobs()
  }
}

/** Pauses a report whose dashboard is deleted, and tells its author once. */
export async function pauseForDashboard(
  { tellAuthor, log }: Pick<SendReportsParts, 'tellAuthor' | 'log'>,
  transaction: Catalog,
  report: Report,
): Promise<void> {
  if (!(await pauseReport(transaction, report, 'dashboard-deleted'))) return
  await tellAuthor(transaction, report)
  log.info({ report: report.id, project: report.projectId }, 'a report is paused: its dashboard was deleted')
}

async function pauseWithoutDashboard(parts: SendReportsParts, report: Report): Promise<void> {
  await inTransaction(
    parts.catalog,
    async (transaction) => await pauseForDashboard(parts, transaction, report),
  )
  parts.wakeJobs()
}

async function hasContent({ hasDashboard }: SendReportsParts, report: Report): Promise<boolean> {
  const id = dashboardIdOf(report.spec)
  return id === '' || (await hasDashboard({ projectId: report.projectId, id }))
}
