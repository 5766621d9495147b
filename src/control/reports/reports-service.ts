import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { accountOf, customerIdOf, projectIdOf } from '../../access/caller.ts'
import {
  PausedReason,
  RecipientState,
  type ReportDeliverySchema,
  ReportDeliveryState,
  type ReportSchema,
  type ReportsService,
} from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { readSchedule } from '../../domain/schedule.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { ReportDeliveryTable, ReportTable } from '../../store/catalog/schema/report-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Issues, ReportDelivery } from './issues.ts'
import { type CheckWebContent, parseReport } from './parse-report.ts'
import { askAgain, listRecipients, type Recipient } from './recipients.ts'
import { type Report, scheduleOf } from './report.ts'
import {
  createReport,
  listReports,
  type ReportStore,
  readReport,
  removeReport,
  replaceReport,
} from './report-store.ts'
import { previewReport, type TestReportPorts, testReport } from './test-report.ts'

/** Dependencies of the service. */
export interface ReportsPorts extends ReportStore, TestReportPorts {
  readonly issues: Issues
  readonly checkWeb: CheckWebContent
  readonly projects: Pick<ProjectReader, 'read'>
}

/** `millrace.reports.v1.ReportsService`: dashboards and the web overview by mail. */
export function createReportsService(ports: ReportsPorts): ServiceImpl<typeof ReportsService> {
  return { ...storeMethods(ports), ...mailMethods(ports) }
}

function storeMethods(ports: ReportsPorts) {
  const { catalog } = ports
  return {
    create: async ({ report }, context) => {
      const input = parseReport(report, ports.checkWeb)
      const projectId = projectIdOf(context)
      const created = await createReport(ports, { projectId, createdBy: accountOf(context), input })
      ports.wakeJobs()
      return { report: await toMessage(ports, created) }
    },
    get: async ({ id }, context) => ({
      report: await toMessage(ports, await readReport(catalog, keyOf(context, id))),
    }),
    list: async (_, context) => ({
      reports: await toMessages(ports, await listReports(catalog, projectIdOf(context))),
    }),
    update: async ({ id, report }, context) => {
      const input = parseReport(report, ports.checkWeb)
      const replaced = await replaceReport(ports, keyOf(context, id), input)
      ports.wakeJobs()
      return { report: await toMessage(ports, replaced) }
    },
    delete: async ({ id }, context) => {
      await removeReport(ports, keyOf(context, id))
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof ReportsService>>
}

function mailMethods(ports: ReportsPorts) {
  const { catalog } = ports
  return {
    preview: async ({ id }, context) => {
      const report = await readReport(catalog, keyOf(context, id))
      return await previewReport(ports, { report, signal: context.signal })
    },
    sendTest: async ({ id }, context) => {
      const report = await readReport(catalog, keyOf(context, id))
      const customerId = customerIdOf(context)
      return await testReport(ports, { report, customerId, signal: context.signal })
    },
    resendConfirmation: async ({ id, address }, context) => {
      const key = keyOf(context, id)
      const report = await inTransaction(catalog, async (transaction) => {
        const found = await readReport(transaction, key)
        await askAgain(ports, transaction, { report: found, address })
        return found
      })
      ports.wakeJobs()
      return { report: await toMessage(ports, report) }
    },
    listDeliveries: async ({ reportId, pageSize, pageToken }, context) => {
      const report = await readReport(catalog, keyOf(context, reportId))
      const count = pageSize === 0 ? PAGE_SIZE : pageSize
      const before = pageToken === '' ? undefined : parseToken(pageToken)
      const found = await ports.issues.list({ reportId: report.id, before, count: count + 1 })
      const page = found.slice(0, count)
      const last = found.length > count ? page.at(-1) : undefined
      return {
        deliveries: page.map(toDeliveryMessage),
        nextPageToken: last ? encodePageToken([last.createdMs, last.id]) : '',
      }
    },
  } satisfies Partial<ServiceImpl<typeof ReportsService>>
}

const PAGE_SIZE = 100

function keyOf(context: HandlerContext, id: string): { readonly projectId: ProjectId; readonly id: string } {
  return { projectId: projectIdOf(context), id }
}

const REASONS = {
  '': PausedReason.UNSPECIFIED,
  'dashboard-deleted': PausedReason.DASHBOARD_DELETED,
} as const satisfies Record<ReportTable['paused_reason'], PausedReason>

const RECIPIENT_STATES = {
  active: RecipientState.ACTIVE,
  pending: RecipientState.PENDING,
  unsubscribed: RecipientState.UNSUBSCRIBED,
} as const satisfies Record<Recipient['state'], RecipientState>

const DELIVERY_STATES = {
  pending: ReportDeliveryState.PENDING,
  delivered: ReportDeliveryState.DELIVERED,
  failed: ReportDeliveryState.FAILED,
} as const satisfies Record<ReportDeliveryTable['state'], ReportDeliveryState>

type Message = MessageInitShape<typeof ReportSchema>

async function toMessage(ports: ReportsPorts, report: Report): Promise<Message> {
  const [message = {}] = await toMessages(ports, [report])
  return message
}

async function toMessages(ports: ReportsPorts, reports: readonly Report[]): Promise<Message[]> {
  const [first] = reports
  if (!first) return []
  const recipients = await listRecipients(ports, ports.catalog, reports)
  const { reportingTimezone } = await ports.projects.read(first.projectId)
  const nowMs = ports.clock.nowMs()
  return reports.map((report) => {
    const { id, spec, isEnabled, createdBy } = report
    const timeZone = spec.schedule?.timezone || reportingTimezone
    const { nextDueMs } = readSchedule(scheduleOf(spec), { nowMs, timeZone })
    return {
      id,
      name: spec.name,
      content: spec.content,
      ...(spec.schedule && { schedule: spec.schedule }),
      timeRange: spec.timeRange,
      recipients: (recipients.get(id) ?? []).map(toRecipientMessage),
      enabled: isEnabled,
      pausedReason: REASONS[report.pausedReason],
      ...(isEnabled && { nextTime: timestampFromMs(nextDueMs) }),
      createTime: timestampFromMs(report.createdMs),
      updateTime: timestampFromMs(report.updatedMs),
      createdBy,
    }
  })
}

function toRecipientMessage({ address, state, askedMs }: Recipient) {
  return {
    address,
    state: RECIPIENT_STATES[state],
    ...(askedMs === 0 ? {} : { askedTime: timestampFromMs(askedMs) }),
  }
}

function toDeliveryMessage(
  delivery: ReportDelivery & { readonly period: RangeMs },
): MessageInitShape<typeof ReportDeliverySchema> {
  const { id, address, period, state, attempts, error, createdMs, attemptMs } = delivery
  return {
    id,
    address,
    period: { from: timestampFromMs(period.fromMs), to: timestampFromMs(period.toMs) },
    state: DELIVERY_STATES[state],
    attempts,
    error,
    createTime: timestampFromMs(createdMs),
    ...(attemptMs === 0 ? {} : { attemptTime: timestampFromMs(attemptMs) }),
  }
}

function parseToken(token: string): { readonly createdMs: number; readonly id: string } {
  const [createdMs, id] = decodePageToken(token)
  if (typeof createdMs !== 'number' || !Number.isSafeInteger(createdMs)) throw invalidPageToken()
  if (typeof id !== 'string' || !isCanonicalUuid(id)) throw invalidPageToken()
  return { createdMs, id }
}
