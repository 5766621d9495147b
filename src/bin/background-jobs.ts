import { CHECK_ALERTS } from '../control/alerts/alert-jobs.ts'
import { CLEAN_AUDIT_LOG, createAuditLogCleaner } from '../control/audit/clean-audit-log.ts'
import { createSignInLinkJob, SEND_SIGN_IN_LINK } from '../control/auth/sign-in-mail.ts'
import { DELIVERY_PLACES } from '../control/channels/deliver-notification.ts'
import { CLEAN_DELIVERIES, deleteOldDeliveries } from '../control/channels/deliveries.ts'
import { createMagicLinkUrl } from '../control/customers/magic-links.ts'
import { createSendMail } from '../control/mail/mail-queue.ts'
import { ERASE_PROJECT } from '../control/projects/delete-project.ts'
import { createEraseProject } from '../control/projects/erase-project.ts'
import {
  createExpireEvents,
  createExpireProject,
  EXPIRE_EVENTS,
  EXPIRE_PROJECT,
  type ExpiryParts,
} from '../control/projects/retention.ts'
import { CLEAN_REPORTS, deleteOldIssues } from '../control/reports/issues.ts'
import { CLEAN_FAILED_JOBS, createFailedJobCleaner } from '../jobs/failed-job-cleaner.ts'
import type { JobHandler, JobHandlers } from '../jobs/job-handler.ts'
import { observeJobs, observeRecurringJobs } from '../jobs/job-metrics.ts'
import { JobRunner } from '../jobs/job-runner.ts'
import { RecurringDispatcher } from '../jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers, type RecurringHandlers } from '../jobs/recurring-jobs.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import { Sealer } from '../kernel/sealer.ts'
import type { QueryPorts } from '../query/calls/query-call.ts'
import { DeletionRequests, ERASE_PERSON } from '../query/people/erasure/deletion-requests.ts'
import { createErasePerson } from '../query/people/erasure/erase-person.ts'
import type { Eraser } from '../query/people/erasure/erasers.ts'
import type { ErasureStore } from '../query/people/erasure/person-tables.ts'
import { createDeleteRows, createExecute, type Execute } from '../query/sql/execute.ts'
import { createRunQuery, type QueryLimits, type RunQuery } from '../query/sql/run.ts'
import { publicUrlOf, questionMsMax } from '../settings/derived-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { type Catalog, checkpointCatalog } from '../store/catalog/catalog.ts'
import { deleteExpired } from '../store/clickhouse/expired-events.ts'
import { listUnfinishedMutations } from '../store/clickhouse/mutations.ts'
import { eraseProjectRows } from '../store/clickhouse/project-rows.ts'
import { untilFoldsEnd } from '../store/clickhouse/running-folds.ts'
import { loadSecretKey } from '../store/secret-files.ts'
import { createAlertChecks } from './alerts.ts'
import { createDeliveryJobs } from './channels.ts'
import { createQuarantineStep, openLeftovers } from './leftovers.ts'
import { createDeviceEraser, createMailAndPushJobs, type MailAndPushParts } from './mail-and-push.ts'
import { type AskingParts, createReportDeliveryJobs, createReportHandlers } from './reports.ts'
import type { StoreLink } from './store-link.ts'

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

/** No client waits for a query of a job. */
const JOB_QUERY_SECONDS = 600
const JOB_ROWS_MAX = Number.MAX_SAFE_INTEGER
const JOB_BYTES_MAX = 256 * 1024 * 1024

function jobLimits(settings: Settings): QueryLimits {
  return {
    timeoutSeconds: JOB_QUERY_SECONDS,
    memoryBytesMax: settings.queryMemoryBytesMax,
    readRowsMax: JOB_ROWS_MAX,
    resultRowsMax: JOB_ROWS_MAX,
    resultBytesMax: JOB_BYTES_MAX,
  }
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
  const erasePerson = createErasePerson({
    store: openErasureStore(settings, link),
    deletions,
    leftovers,
    erasers: [createDeviceEraser(mailAndPush), ...erasersOf(catalog)],
    ...{ clock, log },
  })
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
    runner.wake()
    delivering.wake()
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
    [ERASE_PERSON]: erasePerson,
    [ERASE_PROJECT]: eraseProject,
    [EXPIRE_PROJECT]: createExpireProject(expiry),
    [SEND_SIGN_IN_LINK]: mailLinks,
    ...createMailAndPushJobs(mailAndPush),
    ...createRecurringJobHandlers(recurringHandlers, { catalog, wakeDispatcher: () => recurring.wake() }),
  }
  const wakeMails = (): void => runner.wake()
  const mailing = { ...mailAndPush, wakeJobs: wakeMails }
  const deliveryHandlers = { ...createDeliveryJobs(mailing), ...createReportDeliveryJobs(mailing) }
  observeJobs(catalog, { kinds: Object.keys({ ...handlers, ...deliveryHandlers }), clock })
  const runner = new JobRunner({ catalog, clock, log, handlers })
  // Beside all other jobs: hosts that hang do not hold up mails and erasures.
  const delivering = new JobRunner({
    ...{ catalog, clock, log },
    handlers: deliveryHandlers,
    tuning: DELIVERY_PLACES,
  })
  const recurring = openRecurringJobs(recurringHandlers, { catalog, log, wakeJobs: () => runner.wake() })
  const workers = [runner, delivering, recurring]
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

/** Reads and deletes rows of people. */
function openErasureStore(settings: Settings, link: StoreLink): ErasureStore {
  const limits = jobLimits(settings)
  const run: RunQuery = async (query, signal) => await createRunQuery(link.clickhouse, limits)(query, signal)
  const execute: Execute = async (statement, signal) =>
    await createExecute(link.clickhouse)(statement, signal)
  return {
    run,
    execute,
    deleteRows: async (rows, signal) => await createDeleteRows(link.clickhouse)(rows, signal),
    listUnfinished: async (text, signal) => await listUnfinishedMutations(link.clickhouse, { text }, signal),
    untilFoldsEnd: async (signal) => await untilFoldsEnd(link.clickhouse, signal),
    questionMsMax: questionMsMax(settings),
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

/** Each store with data of people adds its eraser; the log of changes is emptied after all of them. */
function erasersOf(catalog: Catalog): readonly Eraser[] {
  return [{ name: 'catalog', erase: async () => await checkpointCatalog(catalog) }]
}
