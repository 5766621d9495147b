import { CHECK_ALERTS } from '../../control/alerts/alert-jobs.ts'
import { CLEAN_AUDIT_LOG, createAuditLogCleaner } from '../../control/audit/clean-audit-log.ts'
import { createSignInLinkJob, SEND_SIGN_IN_LINK } from '../../control/auth/sign-in-mail.ts'
import { DELIVERY_PLACES } from '../../control/channels/deliver-notification.ts'
import { CLEAN_DELIVERIES, deleteOldDeliveries } from '../../control/channels/deliveries.ts'
import { createMagicLinkUrl } from '../../control/customers/magic-links.ts'
import { createSendMail } from '../../control/mail/mail-queue.ts'
import { ERASE_PROJECT } from '../../control/projects/delete-project.ts'
import { createEraseProject } from '../../control/projects/erase-project.ts'
import {
  createExpireEvents,
  createExpireProject,
  EXPIRE_EVENTS,
  EXPIRE_PROJECT,
  type ExpiryParts,
} from '../../control/projects/retention.ts'
import { CLEAN_REPORTS, deleteOldIssues } from '../../control/reports/issues.ts'
import { DueJobs } from '../../jobs/due-jobs.ts'
import { CLEAN_FAILED_JOBS, createFailedJobCleaner } from '../../jobs/failed-job-cleaner.ts'
import type { JobHandler, JobHandlers } from '../../jobs/job-handler.ts'
import { observeJobs, observeRecurringJobs } from '../../jobs/job-metrics.ts'
import { JobRunner } from '../../jobs/job-runner.ts'
import { RecurringDispatcher } from '../../jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers, type RecurringHandlers } from '../../jobs/recurring-jobs.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import type { QueryPorts } from '../../query/calls/query-call.ts'
import { DeletionRequests } from '../../query/people/erasure/deletion-requests.ts'
import { ERASURE_PLACES } from '../../query/people/erasure/erase-person.ts'
import { publicUrlOf } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Catalog, checkpointCatalog } from '../../store/catalog/catalog.ts'
import { deleteExpired } from '../../store/clickhouse/expired-events.ts'
import { eraseProjectRows } from '../../store/clickhouse/project-rows.ts'
import { loadSecretKey } from '../../store/secret-files.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { createAlertChecks } from './alerts.ts'
import { createDeliveryJobs } from './channels.ts'
import { createErasureHandlers } from './erasures.ts'
import { createQuarantineStep, openLeftovers } from './leftovers.ts'
import { createMailAndPushJobs, type MailAndPushParts } from './mail-and-push.ts'
import { type AskingParts, createReportDeliveryJobs, createReportHandlers } from './reports.ts'

/** The dependencies of the jobs of the query process. */
export interface JobConnections {
  readonly catalog: Catalog
  /** May write, and waits for long; it may come later than this process. */
  readonly store: StoreLink
  /** As a user who can only read; alerts ask through it. */
  readonly reader: StoreLink
  /** The ports of insight queries, for reports; called once the jobs run. */
  readonly query: () => QueryPorts
  readonly log: Logger
}

/** The running background jobs of a process. */
export interface BackgroundJobs {
  readonly deletions: DeletionRequests
  start(): void
  /** Looks for due jobs now. */
  wake(): void
  stop(): Promise<void>
}

/** The jobs that the query process does, and the records of them. */
export function openBackgroundJobs(
  settings: Settings,
  { catalog, store: link, reader, query, log }: JobConnections,
): BackgroundJobs {
  const clock = systemClock
  const sealer = new Sealer(loadSecretKey(settings.dataDir, settings.secretKey))
  const deletions = new DeletionRequests({ catalog, clock, sealer })
  const mailAndPush = { settings, catalog, sealer, store: link, log }
  const leftovers = openLeftovers(settings.dataDir, log)
  const erasureHandlers = createErasureHandlers(mailAndPush, { deletions, leftovers })
  const eraseProject = createEraseProject({
    ...{ catalog, clock, log },
    untilDelivered: leftovers.untilDelivered,
    steps: [
      async (erasure) => await eraseProjectRows(link.clickhouse, erasure),
      createQuarantineStep(settings.dataDir, log),
      async () => await checkpointCatalog(catalog),
    ],
  })
  const mailLinks = createMailLinks(mailAndPush, () => runner.wake())
  const wakeAll = (): void => {
    for (const one of [runner, erasing, delivering]) one.wake()
  }
  const expiry = openExpiry(link, { catalog, log })
  const recurringHandlers = createRecurringHandlers({
    ...mailAndPush,
    expiry,
    reader,
    query,
    wakeJobs: wakeAll,
    wakeMails: () => runner.wake(),
    wakeDeliveries: () => delivering.wake(),
  })
  const handlers: JobHandlers = {
    [ERASE_PROJECT]: eraseProject,
    [EXPIRE_PROJECT]: createExpireProject(expiry),
    [SEND_SIGN_IN_LINK]: mailLinks,
    ...createMailAndPushJobs(mailAndPush),
    ...createRecurringJobHandlers(recurringHandlers, { catalog, wakeDispatcher: () => recurring.wake() }),
  }
  const wakeMails = (): void => runner.wake()
  const mailing = { ...mailAndPush, wakeJobs: wakeMails }
  const deliveryHandlers = { ...createDeliveryJobs(mailing), ...createReportDeliveryJobs(mailing) }
  observeJobs(catalog, {
    kinds: Object.keys({ ...handlers, ...erasureHandlers, ...deliveryHandlers }),
    clock,
  })
  const running = { catalog, clock, log, due: new DueJobs({ catalog, clock }) }
  const runner = new JobRunner({ ...running, handlers })
  const erasing = new JobRunner({ ...running, handlers: erasureHandlers, tuning: ERASURE_PLACES })
  // Beside all other jobs: hosts that hang do not hold up mails and erasures.
  const delivering = new JobRunner({
    ...running,
    handlers: deliveryHandlers,
    tuning: DELIVERY_PLACES,
  })
  const recurring = openRecurringJobs(recurringHandlers, { catalog, log, wakeJobs: () => runner.wake() })
  const workers = [runner, erasing, delivering, recurring]
  return {
    deletions,
    start: () => {
      for (const worker of workers) worker.start()
    },
    wake: wakeAll,
    stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  }
}

function openExpiry(link: StoreLink, parts: Pick<ExpiryParts, 'catalog' | 'log'>): ExpiryParts {
  const remove: ExpiryParts['deleteExpired'] = async (expired) =>
    await deleteExpired(link.clickhouse, expired)
  return { ...parts, clock: systemClock, deleteExpired: remove }
}

function createMailLinks(
  { settings, catalog, sealer, log }: Omit<MailAndPushParts, 'store'>,
  wakeJobs: () => void,
): JobHandler {
  const clock = systemClock
  return createSignInLinkJob({
    catalog,
    clock,
    sealer,
    log,
    signUp: settings.signUp,
    magicLinkUrl: createMagicLinkUrl(publicUrlOf(settings)),
    sendMail: createSendMail({ catalog, clock, sealer, wakeJobs }),
  })
}

function createRecurringHandlers(
  parts: Parameters<typeof createAlertChecks>[0] & AskingParts & { readonly expiry: ExpiryParts },
): RecurringHandlers {
  const { catalog, log } = parts
  const clock = systemClock
  return {
    [CLEAN_FAILED_JOBS.kind]: createFailedJobCleaner({ catalog, clock, log }),
    [CLEAN_DELIVERIES.kind]: async () => void (await deleteOldDeliveries(catalog, clock.nowMs())),
    [CLEAN_AUDIT_LOG.kind]: createAuditLogCleaner({
      ...{ catalog, clock, log },
      retentionDays: parts.settings.auditRetentionDays,
      entriesMax: parts.settings.auditEntriesMax,
    }),
    [EXPIRE_EVENTS.kind]: createExpireEvents(parts.expiry),
    [CLEAN_REPORTS.kind]: async () => void (await deleteOldIssues(catalog, clock.nowMs())),
    [CHECK_ALERTS]: createAlertChecks(parts),
    ...createReportHandlers(parts),
  }
}

function openRecurringJobs(
  handlers: RecurringHandlers,
  parts: { readonly catalog: Catalog; readonly log: Logger; readonly wakeJobs: () => void },
): RecurringDispatcher {
  const kinds = Object.keys(handlers)
  observeRecurringJobs(parts.catalog, { kinds, clock: systemClock })
  return new RecurringDispatcher({
    ...parts,
    clock: systemClock,
    kinds,
    standing: [CLEAN_AUDIT_LOG, CLEAN_FAILED_JOBS, CLEAN_DELIVERIES, CLEAN_REPORTS, EXPIRE_EVENTS],
  })
}
