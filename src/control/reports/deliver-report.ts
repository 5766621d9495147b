import type { ProjectId } from '../../contract/ids.ts'
import type { JobHandler, JobOutcome } from '../../jobs/job-handler.ts'
import { type BackoffBounds, delayAfter } from '../../kernel/backoff.ts'
import type { Clock } from '../../kernel/clock.ts'
import { counter } from '../../kernel/metrics.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Job } from '../../store/catalog/job-store.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { MailSender } from '../mail/choose-sender.ts'
import { MailError } from '../mail/mail-transport.ts'
import type { Issues, ReportDelivery } from './issues.ts'
import { listRecipients, type RecipientParts } from './recipients.ts'
import { addressMail } from './report-mail.ts'
import { readReport } from './report-store.ts'
import type { SubscriptionLinks } from './subscription-links.ts'

/** Dependencies of deliveries. */
export interface DeliverReportParts extends Pick<RecipientParts, 'sealer'> {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly issues: Issues
  readonly links: SubscriptionLinks
  /** Chooses the sender of a project's mails. */
  readonly chooseSender: (projectId: ProjectId) => Promise<MailSender>
}

/** Pauses of one delivery: a mail server that lists new senders as grey takes minutes. */
const RETRY: BackoffBounds = { firstMs: 30_000, maxMs: 2 * 3_600_000 }

/** A delivery is attempted for this long. */
const DELIVERY_MS_MAX = 24 * 3_600_000

const deliveries = counter(
  'millrace_report_deliveries_total',
  'Attempts to deliver mails of reports, by outcome: delivered, retry, refused or withdrawn.',
  ['outcome'],
)

const DONE: JobOutcome = { next: 'done' }

/**
 * Delivers the mail of a report to one recipient. Its id, which the Message-ID contains, is stored before the first attempt: if a
 * process dies between the answer of the mail server and the record of it, mail programs recognise the second mail as the first.
 */
export function createDeliverReport(parts: DeliverReportParts): JobHandler {
  return {
    run: async ({ payload, projectId }, { signal }) => {
      const { deliveryId } = payload as { readonly deliveryId: string }
      const delivery = await parts.issues.findDelivery(deliveryId)
      if (delivery?.state !== 'pending' || projectId === undefined) return DONE
      const reason = await findObstacle(parts, projectId, delivery)
      if (reason !== undefined) {
        deliveries.inc({ outcome: 'withdrawn' })
        await record(parts, delivery, { state: 'failed', error: reason })
        return DONE
      }
      return await attempt(parts, { delivery, projectId, payload, signal })
    },
    giveUp: async ({ payload }) => {
      const { deliveryId } = payload as { readonly deliveryId: string }
      const delivery = await parts.issues.findDelivery(deliveryId)
      if (delivery) await record(parts, delivery, { state: 'failed', error: 'an internal error occurred' })
    },
  }
}

/** Why the recipient must not get the mail any more. */
async function findObstacle(
  parts: DeliverReportParts,
  projectId: ProjectId,
  { reportId, recipientId }: ReportDelivery,
): Promise<string | undefined> {
  const report = await readReport(parts.catalog, { projectId, id: reportId })
  const listed = (await listRecipients(parts, parts.catalog, [report])).get(report.id) ?? []
  const recipient = listed.find(({ id }) => id === recipientId)
  if (!recipient) return 'the address is no longer a recipient'
  return recipient.state === 'active' ? undefined : 'the recipient does not want this report'
}

async function attempt(
  parts: DeliverReportParts,
  of: {
    readonly delivery: ReportDelivery
    readonly projectId: ProjectId
    readonly payload: Job['payload']
    readonly signal: AbortSignal
  },
): Promise<JobOutcome> {
  const { delivery, projectId, payload, signal } = of
  const attempts = delivery.attempts + 1
  try {
    await send(parts, { delivery, projectId, signal })
    deliveries.inc({ outcome: 'delivered' })
    await record(parts, delivery, { state: 'delivered', attempts, error: '' })
    return DONE
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const nowMs = parts.clock.nowMs()
    const isLast = error.isPermanent || nowMs >= delivery.createdMs + DELIVERY_MS_MAX
    deliveries.inc({ outcome: isLast ? 'refused' : 'retry' })
    const failed = { attempts, error: error.message }
    await record(parts, delivery, isLast ? { state: 'failed', ...failed } : failed)
    return isLast ? DONE : { next: 'again', payload, dueMs: nowMs + delayAfter(RETRY, attempts) }
  }
}

async function send(
  { issues, links, chooseSender }: DeliverReportParts,
  of: { readonly delivery: ReportDelivery; readonly projectId: ProjectId; readonly signal: AbortSignal },
): Promise<void> {
  const { delivery, projectId, signal } = of
  const mail = await issues.readMail(delivery.issueId)
  if (!mail) throw new MailError('the mail of this period is no longer stored', { retry: 'never' })
  const { transport, from, replyTo } = await chooseSender(projectId)
  const unsubscribeUrl = links.urlOf('unsubscribe', { id: delivery.recipientId, askedMs: 0 })
  const content = addressMail(mail, { kind: 'recipient', unsubscribeUrl })
  const { pictures } = mail
  const message = { id: delivery.id, from, replyTo, to: delivery.address, ...content, pictures }
  await transport({ ...message, unsubscribeUrl }, signal)
}

async function record(
  { issues, catalog, clock }: DeliverReportParts,
  delivery: ReportDelivery,
  fields: Parameters<Issues['record']>[2],
): Promise<void> {
  const at = fields.attempts === undefined ? {} : { attempt_ms: clock.nowMs() }
  await inTransaction(
    catalog,
    async (transaction) => await issues.record(transaction, delivery, { ...fields, ...at }),
  )
}
