import type { ConnectRouter } from '@connectrpc/connect'
import type { UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { ReportsService } from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { AttemptLimiter } from '../../control/auth/attempt-limiter.ts'
import type { DashboardStore } from '../../control/dashboards/dashboard-store.ts'
import { readDashboard } from '../../control/dashboards/dashboard-store.ts'
import { createSendMail } from '../../control/mail/mail-queue.ts'
import { createComposeReport } from '../../control/reports/compose/compose-report.ts'
import { createDeliverReport } from '../../control/reports/deliver-report.ts'
import { Issues } from '../../control/reports/issues.ts'
import { COMPOSE_REPORT, DELIVER_REPORT } from '../../control/reports/report.ts'
import { createAskToConfirm, createTellAuthor } from '../../control/reports/report-mails.ts'
import { listReportsOf } from '../../control/reports/report-store.ts'
import { createReportsService } from '../../control/reports/reports-service.ts'
import {
  type ComposeReport,
  createSendReports,
  pauseForDashboard,
} from '../../control/reports/send-reports.ts'
import { SUBSCRIPTION_PATH, SubscriptionLinks } from '../../control/reports/subscription-links.ts'
import { createSubscriptionPage } from '../../control/reports/subscription-page.ts'
import { ANY_COHORT } from '../../domain/insights/cohort-filters.ts'
import type { JobHandlers } from '../../jobs/job-handler.ts'
import type { RecurringHandlers } from '../../jobs/recurring-jobs.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { QueryPorts } from '../../query/calls/query-call.ts'
import { answerInsight } from '../../query/insight-types.ts'
import { findOverview, findTable } from '../../query/web/web-analytics-service.ts'
import { parseSelection } from '../../query/web/web-query.ts'
import { dashboardSeconds, publicUrlOf } from '../../settings/derived-settings.ts'
import { type ChannelsParts, openProjectSender } from './channels.ts'

/** The dependencies of reports. */
export interface ReportsParts extends ChannelsParts {
  /** Looks for background jobs now. */
  readonly wakeJobs: () => void
}

/** With the ports of the queries that reports ask. */
export interface AskingParts extends ReportsParts {
  /** Called once queries can be asked. */
  readonly query: () => QueryPorts
}

const clock = systemClock

/** A user's first tests in a row are free; then each takes longer to wait for. */
const TESTS = { freeCount: 20, firstMs: 60_000, maxMs: 3_600_000 }

/** Registers the service of reports. */
export function registerReports(router: ConnectRouter, parts: AskingParts & { readonly key: Buffer }): void {
  const { catalog, sealer, query, key, wakeJobs } = parts
  router.service(
    ReportsService,
    createReportsService({
      catalog,
      clock,
      sealer,
      projects: query().projects,
      issues: new Issues(parts),
      askToConfirm: createAskToConfirm(openMails(parts)),
      requireDashboard: async (transaction, of) => await readDashboard({ catalog: transaction }, of),
      checkWeb: (content) => void parseSelection(content, ANY_PROJECT),
      compose: openCompose(parts),
      chooseSender: openProjectSender(parts),
      tests: new AttemptLimiter({ catalog, clock, key, subject: 'report-test', allowance: TESTS }),
      wakeJobs,
    }),
  )
}

/** The endpoints of links in mails of reports. */
export function createReportEndpoints(parts: ReportsParts): ReadonlyMap<string, UniversalHandlerFn> {
  const { catalog, log } = parts
  const page = createSubscriptionPage({ catalog, clock, links: openLinks(parts), log })
  return new Map([[SUBSCRIPTION_PATH, page]])
}

/** Creates the recurring jobs that compose reports. */
export function createReportHandlers(parts: AskingParts): RecurringHandlers {
  const { catalog, sealer, log, wakeJobs } = parts
  return {
    [COMPOSE_REPORT]: createSendReports({
      catalog,
      clock,
      sealer,
      issues: new Issues(parts),
      compose: openCompose(parts),
      hasDashboard: async ({ projectId, id }) =>
        (await catalog
          .selectFrom('dashboards')
          .select('id')
          .where('id', '=', id)
          .where('project_id', '=', projectId)
          .executeTakeFirst()) !== undefined,
      tellAuthor: createTellAuthor(openMails(parts)),
      wakeJobs,
      log,
    }),
  }
}

/** Creates the jobs that deliver reports. */
export function createReportDeliveryJobs(parts: ReportsParts): JobHandlers {
  const { catalog, sealer } = parts
  return {
    [DELIVER_REPORT]: createDeliverReport({
      catalog,
      clock,
      sealer,
      issues: new Issues(parts),
      links: openLinks(parts),
      chooseSender: openProjectSender(parts),
    }),
  }
}

/** Pauses the reports of a dashboard that is deleted. */
export function createPauseReports(parts: ReportsParts): NonNullable<DashboardStore['onDelete']> {
  const pausing = { tellAuthor: createTellAuthor(openMails(parts)), log: parts.log }
  return async (transaction, { id }) => {
    for (const report of await listReportsOf(transaction, id))
      await pauseForDashboard(pausing, transaction, report)
  }
}

/** Conditions on visits are checked the same for each project; the store of reports looks up their cohorts. */
const ANY_PROJECT = { projectId: 0 as never, cohorts: ANY_COHORT }

function openCompose(parts: AskingParts): ComposeReport {
  const { catalog, query, settings, log } = parts
  const web = () => ({ ...query(), catalog })
  return createComposeReport({
    catalog,
    clock,
    log,
    publicUrl: publicUrlOf(settings),
    timeoutMs: dashboardSeconds(settings) * 1000,
    runInsight: async (call) => await answerInsight(query(), call),
    queryOverview: async (call) => await findOverview(web(), { ...call, isFresh: false }),
    queryTable: async (call) => await findTable(web(), { ...call, isFresh: false }),
  })
}

function openMails(parts: ReportsParts) {
  const { catalog, sealer, settings, wakeJobs } = parts
  return {
    sendMail: createSendMail({ catalog, clock, sealer, wakeJobs }),
    links: openLinks(parts),
    publicUrl: publicUrlOf(settings),
  }
}

function openLinks({ sealer, settings }: ReportsParts): SubscriptionLinks {
  return new SubscriptionLinks({ sealer, publicUrl: publicUrlOf(settings) })
}
