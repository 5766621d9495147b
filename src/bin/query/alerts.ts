import type { ConnectRouter } from '@connectrpc/connect'
import { AlertsService } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import { createAlertsService } from '../../control/alerts/alerts-service.ts'
import { createCheckAlerts } from '../../control/alerts/check-alerts.ts'
import type { AskInsight } from '../../control/alerts/find-number.ts'
import { createTellAuthor } from '../../control/alerts/tell-author.ts'
import { createNotifyChannels } from '../../control/channels/notify-channels.ts'
import { createSendMail } from '../../control/mail/mail-queue.ts'
import type { RunRecurringJob } from '../../jobs/recurring-jobs.ts'
import { systemClock } from '../../kernel/clock.ts'
import { observedGauge } from '../../kernel/metrics.ts'
import { AnswerCache } from '../../query/calls/answer-cache.ts'
import type { QueryPorts } from '../../query/calls/query-call.ts'
import { createReadCohorts } from '../../query/cohorts/cohort-reader.ts'
import { answerInsight } from '../../query/insight-types.ts'
import { QueryGate } from '../../query/sql/query-gate.ts'
import { createRunQuery } from '../../query/sql/run.ts'
import { publicUrlOf } from '../../settings/derived-settings.ts'
import { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { type ChannelsParts, openChannelsPorts } from './channels.ts'
import { queryLimits } from './query-ports.ts'

const clock = systemClock

/** Registers the service of alerts; people who preview or test one ask as they do everywhere. */
export function registerAlerts(
  router: ConnectRouter,
  parts: ChannelsParts & { readonly query: QueryPorts },
): void {
  const { catalog, query } = parts
  const ports = {
    ...openChannelsPorts(parts),
    catalog,
    ask: createAsk(query),
    readTimeZone: async (projectId: Parameters<AskInsight>[0]) =>
      (await query.projects.read(projectId)).reportingTimezone,
  }
  router.service(AlertsService, createAlertsService(ports))
}

/** Creates the recurring job that checks alerts. */
export function createAlertChecks(
  parts: ChannelsParts & {
    /** As a user who can only read. */
    readonly reader: StoreLink
    /** Look for background jobs now. */
    readonly wakeMails: () => void
    readonly wakeDeliveries: () => void
  },
): RunRecurringJob {
  const { settings, catalog, sealer, log, wakeMails, wakeDeliveries } = parts
  const publicUrl = publicUrlOf(settings)
  const { channels, deliveries } = openChannelsPorts(parts)
  const sendMail = createSendMail({ catalog, clock, sealer, wakeJobs: wakeMails })
  return createCheckAlerts({
    catalog,
    clock,
    log,
    ask: createAsk(openAlertQueries(parts)),
    notify: createNotifyChannels({ channels, deliveries, wakeJobs: wakeDeliveries }),
    tellAuthor: createTellAuthor({ sendMail, publicUrl }),
    publicUrl,
  })
}

/** Questions of alerts that run at once, beside those of people. */
const QUESTIONS_MAX = 1

/** A thread more would take it from the questions of people. */
const THREADS_MAX = 1

/** All rounds together take a quarter of a core, so that dashboards on a machine with two cores are hardly slower. */
const REST = { times: 3, msMax: 2000 } as const

/** The questions of a job come one after the other, so that few jobs stand in line. */
const WAITING_PER_PROJECT_MAX = 16
const WAIT_MS_MAX = 600_000

/** Answers are shared while they are computed, and not kept. */
const ANSWER_BYTES_MAX = 1024 * 1024

function openAlertQueries({
  settings,
  catalog,
  reader,
}: Pick<Parameters<typeof createAlertChecks>[0], 'settings' | 'catalog' | 'reader'>): QueryPorts {
  const limits = { ...queryLimits(settings), threadsMax: THREADS_MAX }
  const gate = new QueryGate({
    runningMax: QUESTIONS_MAX,
    waitingPerProjectMax: WAITING_PER_PROJECT_MAX,
    waitMsMax: WAIT_MS_MAX,
    rest: REST,
  })
  observedGauge('millrace_alert_queries_waiting', 'Queries of alerts that wait.', () => gate.counts.waiting)
  return {
    run: async (query, signal, report) =>
      await createRunQuery(reader.clickhouse, limits)(query, signal, report),
    gate,
    projects: new ProjectReader(catalog),
    readCohorts: createReadCohorts(catalog),
    answers: new AnswerCache({ bytesMax: ANSWER_BYTES_MAX }),
    clock,
    answerTtlMs: 0,
    timeoutMs: settings.queryTimeoutSeconds * 1000,
  }
}

function createAsk(ports: QueryPorts): AskInsight {
  return async (projectId, request, caller) => await answerInsight(ports, { projectId, request, ...caller })
}
