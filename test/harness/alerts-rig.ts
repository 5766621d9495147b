import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import {
  type Alert,
  AlertCadence,
  type AlertContentSchema,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '../../src/contract/gen/millrace/alerts/v1/alert_pb.js'
import { AlertsService } from '../../src/contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { asCustomerId, asOrganisationId, type ProjectId } from '../../src/contract/ids.ts'
import { CHECK_ALERTS } from '../../src/control/alerts/alert-jobs.ts'
import { createAlertsService } from '../../src/control/alerts/alerts-service.ts'
import { createCheckAlerts } from '../../src/control/alerts/check-alerts.ts'
import { createTellAuthor } from '../../src/control/alerts/tell-author.ts'
import type { ChannelConfig } from '../../src/control/channels/channel.ts'
import { Channels } from '../../src/control/channels/channels.ts'
import { createDeliverNotification } from '../../src/control/channels/deliver-notification.ts'
import { DELIVER_NOTIFICATION, Deliveries, type Delivery } from '../../src/control/channels/deliveries.ts'
import { createNotifyChannels } from '../../src/control/channels/notify-channels.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { dispatchDueJobs } from '../../src/jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers } from '../../src/jobs/recurring-jobs.ts'
import { createLogger } from '../../src/kernel/log.ts'
import { Sealer } from '../../src/kernel/sealer.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'
import { claimJob, finishJob } from '../../src/store/catalog/job-store.ts'
import { insertProject } from '../../src/store/catalog/projects.ts'
import { clientOf } from './console-callers.ts'
import { LOOPBACK } from './loopback.ts'

/** The content of an alert, as tests write it. */
export type Content = Exclude<MessageInitShape<typeof AlertContentSchema>, { $typeName: string }>

/** A mail that was queued. */
export interface QueuedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

const HOUR_MS = 3_600_000

/** Alerts over a catalog: their service, their job, and questions whose answers the test gives. */
export class AlertsRig {
  readonly catalog: Catalog
  readonly mails: QueuedMail[] = []
  readonly asked: QueryRequest[] = []
  readonly #sealer = new Sealer(Buffer.alloc(32, 1))
  nowMs: number
  /** Answers the questions of alerts. */
  answer: (request: QueryRequest) => QueryResponse | Promise<QueryResponse> = () => trendsOf(0)

  constructor(catalog: Catalog, nowMs: number) {
    this.catalog = catalog
    this.nowMs = nowMs
  }

  get #clock() {
    return { nowMs: () => this.nowMs }
  }

  get channels(): Channels {
    return new Channels({ catalog: this.catalog, clock: this.#clock, sealer: this.#sealer })
  }

  get #deliveries(): Deliveries {
    return new Deliveries({ catalog: this.catalog, sealer: this.#sealer })
  }

  readonly #ask = async (_: ProjectId, request: QueryRequest): Promise<QueryResponse> => {
    this.asked.push(request)
    return await this.answer(request)
  }

  async addProject(displayName: string): Promise<ProjectId> {
    const organisationId = asOrganisationId(`org-${displayName}`)
    await this.catalog
      .insertInto('organisations')
      .values({ id: organisationId, display_name: displayName, created_ms: 1 })
      .execute()
    return await insertProject(this.catalog, this.#clock, { organisationId, displayName })
  }

  async addChannel(projectId: ProjectId, url = 'https://hooks.example.com/1'): Promise<string> {
    const config: ChannelConfig = { kind: 'slack', url }
    return (await this.channels.create(projectId, { name: 'Team', config })).id
  }

  /** The service as an account of a project calls it. */
  connect(projectId: ProjectId, account = 'ann'): Client<typeof AlertsService> {
    const methods = createAlertsService({
      catalog: this.catalog,
      clock: this.#clock,
      channels: this.channels,
      deliveries: this.#deliveries,
      outbound: LOOPBACK,
      chooseSender: async () => await Promise.reject(new Error('there is no mail in these tests')),
      publicUrl: 'https://millrace.example.com',
      ask: this.#ask,
      readTimeZone: async () => 'UTC',
    })
    const project = { projectId, organisationId: asOrganisationId('o'), role: 'member' as const }
    return clientOf(AlertsService, methods, { customerId: asCustomerId(account), project })
  }

  #createCheckAlerts() {
    return createCheckAlerts({
      catalog: this.catalog,
      clock: this.#clock,
      log: createLogger({ role: 'test', level: 'silent' }),
      ask: this.#ask,
      notify: createNotifyChannels({
        channels: this.channels,
        deliveries: this.#deliveries,
        wakeJobs: () => undefined,
      }),
      tellAuthor: createTellAuthor({
        sendMail: async (mail) => void this.mails.push(mail),
        publicUrl: 'https://millrace.example.com',
      }),
      publicUrl: 'https://millrace.example.com',
    })
  }

  /** Checks the alerts of a project for the unit that ends at an instant, some minutes after it. */
  async check(
    projectId: ProjectId,
    of: {
      readonly toMs: number
      readonly fromMs?: number
      readonly cadence?: AlertCadence
      readonly timeZone?: string
    },
  ): Promise<void> {
    const { toMs, fromMs = toMs - HOUR_MS, cadence = AlertCadence.HOURLY, timeZone = 'UTC' } = of
    const recurringId = `${CHECK_ALERTS}/${projectId}`
    await this.#createCheckAlerts()(
      { id: `${recurringId}/${toMs}`, recurringId, projectId, payload: { cadence }, fromMs, toMs, timeZone },
      { signal: new AbortController().signal },
    )
  }

  /** Runs the checks that are due now. */
  async runDue(): Promise<void> {
    const { catalog } = this
    const kinds = [CHECK_ALERTS]
    await dispatchDueJobs({ catalog, clock: this.#clock, kinds, wakeJobs: () => undefined })
    const handlers = createRecurringJobHandlers(
      { [CHECK_ALERTS]: this.#createCheckAlerts() },
      { catalog, wakeDispatcher: () => undefined },
    )
    for (;;) {
      const claim = await claimJob(catalog, { kinds, nowMs: this.nowMs, leaseMs: HOUR_MS })
      if (!claim) return
      const context = { signal: new AbortController().signal, save: async () => undefined }
      await handlers[CHECK_ALERTS]?.run(claim.job, context)
      await finishJob(catalog, claim)
    }
  }

  /** Starts to deliver notifications, several at once. */
  startDeliveries(): JobRunner {
    const { catalog } = this
    const log = createLogger({ role: 'test', level: 'silent' })
    const deliver = createDeliverNotification({
      ...{ catalog, clock: this.#clock, log, channels: this.channels, deliveries: this.#deliveries },
      outbound: LOOPBACK,
      chooseSender: async () => await Promise.reject(new Error('there is no mail in these tests')),
      tellAdmins: async () => undefined,
    })
    const handlers = { [DELIVER_NOTIFICATION]: deliver }
    const runner = new JobRunner({ catalog, clock: this.#clock, log, handlers, tuning: { runningMax: 8 } })
    runner.start()
    return runner
  }

  /** The deliveries of a channel, oldest first. */
  async deliveriesOf(channelId: string): Promise<readonly Delivery[]> {
    const found = await this.#deliveries.list({ channelId, before: undefined, count: 1000 })
    return found.toReversed()
  }
}

/** The query of the events of a kind over time. */
export function trendOf(kind: string) {
  return { insightType: InsightType.TRENDS, events: [{ event: { kind } }] }
}

/** An alert that fires above 10 sign-ups in an hour. */
export function signUps(change: Partial<Content> = {}): Content {
  return {
    name: 'Sign-ups',
    question: { case: 'spec', value: trendOf('signup') },
    point: { kind: { case: 'series', value: { series: 0 } } },
    condition: { subject: Subject.VALUE, operator: Operator.ABOVE, threshold: 10 },
    cadence: AlertCadence.HOURLY,
    ...change,
  }
}

/** An answer of trends with these values of one series. */
export function trendsOf(...values: readonly number[]): QueryResponse {
  return create(QueryResponseSchema, {
    result: {
      case: 'trends',
      value: { series: [{ points: values.map((value) => ({ value })) }] },
    },
  })
}

/** The alert of an answer. */
export function alertOf({ alert }: { readonly alert?: Alert | undefined }): Alert {
  if (!alert) throw new Error('the answer has no alert')
  return alert
}
