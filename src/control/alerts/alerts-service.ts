import { randomUUID } from 'node:crypto'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { accountOf, projectIdOf } from '../../access/caller.ts'
import type { AlertContent } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { AlertsService } from '../../contract/gen/millrace/alerts/v1/alerts_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { isMet } from '../../domain/alerts/alert-condition.ts'
import { planAlert } from '../../domain/alerts/alert-question.ts'
import { lastUnit } from '../../domain/alerts/alert-units.ts'
import type { Clock } from '../../kernel/clock.ts'
import { wantsFreshAnswer } from '../../rpc/answer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type ChannelsPorts, sendOnce, toDeliveryMessage } from '../channels/channels-service.ts'
import { invalidField } from '../invalid-field.ts'
import type { AlertKey, StoredAlert } from './alert.ts'
import { listChecks } from './alert-checks.ts'
import { toCheckMessage, toFindingMessage, toMessages } from './alert-messages.ts'
import { composeAlert } from './alert-notification.ts'
import { createAlert, deleteAlert, readAlert, replaceAlert, snoozeAlert } from './alert-store.ts'
import { checkContent, loadSpec } from './check-content.ts'
import { type Ask, type AskInsight, findNumber } from './find-number.ts'
import { listAlerts } from './list-alerts.ts'
import { countFired, previewChecks } from './preview-alert.ts'

/** Dependencies of the service. */
export interface AlertsPorts extends ChannelsPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Asks as the questions of people are asked. */
  readonly ask: AskInsight
  readonly readTimeZone: (projectId: ProjectId) => Promise<string>
}

type Service = ServiceImpl<typeof AlertsService>

/** `millrace.alerts.v1.AlertsService`: alerts on the numbers of insights. */
export function createAlertsService(ports: AlertsPorts): Service {
  return { ...createReads(ports), ...createWrites(ports), ...createTrials(ports) }
}

const CHECKS_PAGE_SIZE = 100

function createReads(ports: AlertsPorts): Pick<Service, 'get' | 'list' | 'listChecks'> {
  const { catalog } = ports
  return {
    get: async (request, context) => await answer(ports, await readAlert(catalog, keyOf(request, context))),
    list: async (request, context) => {
      const projectId = projectIdOf(context)
      const { alerts, ...page } = await listAlerts(catalog, request, projectId)
      return { ...page, alerts: await toMessages(catalog, alerts, await nowOf(ports, projectId)) }
    },
    listChecks: async ({ alertId, pageSize, pageToken }, context) => {
      const { id } = await readAlert(catalog, keyOf({ id: alertId }, context))
      const page = { alertId: id, pageSize: pageSize || CHECKS_PAGE_SIZE, pageToken }
      const { rows, nextPageToken } = await listChecks(catalog, page)
      return { checks: rows.map(toCheckMessage), nextPageToken }
    },
  }
}

function createWrites(ports: AlertsPorts): Pick<Service, 'create' | 'update' | 'delete' | 'snooze'> {
  const { catalog, clock } = ports
  return {
    create: async (request, context) => {
      const change = { content: requireContent(request), account: accountOf(context) }
      return await answer(ports, await createAlert(ports, projectIdOf(context), change))
    },
    update: async (request, context) => {
      const change = { content: requireContent(request), account: accountOf(context) }
      return await answer(ports, await replaceAlert(ports, keyOf(request, context), change))
    },
    delete: async (request, context) => {
      await deleteAlert(ports, keyOf(request, context))
      return {}
    },
    snooze: async (request, context) => {
      const untilMs = request.until ? Math.floor(timestampMs(request.until)) : 0
      const nowMs = clock.nowMs()
      if (untilMs > nowMs + SNOOZE_MS_MAX) throw invalidField('until', 'must be at most 366 days from now')
      const snoozed = await snoozeAlert(catalog, keyOf(request, context), untilMs > nowMs ? untilMs : 0)
      return await answer(ports, snoozed)
    },
  }
}

const SNOOZE_MS_MAX = 366 * 24 * 3_600_000

function createTrials(ports: AlertsPorts): Pick<Service, 'test' | 'preview'> {
  const { catalog } = ports
  return {
    test: async (request, context) =>
      await testAlert(ports, await readAlert(catalog, keyOf(request, context)), context),
    preview: async (request, context) => {
      const projectId = projectIdOf(context)
      const content = requireContent(request)
      const spec = await checkContent(catalog, projectId, { content: { ...content, channelIds: [] }, ports })
      const { timeZone, nowMs } = await nowOf(ports, projectId)
      const { toMs } = lastUnit(content.cadence, { nowMs, timeZone })
      const found = await previewChecks(
        { content, spec },
        { toMs, timeZone, ask: askerOf(ports, projectId, context) },
      )
      return {
        from: timestampFromMs(found[0]?.unit.fromMs ?? toMs),
        to: timestampFromMs(toMs),
        checks: found.map(({ unit, finding, isFiring }) => toFindingMessage(unit, finding, isFiring)),
        firedCount: countFired(found),
      }
    },
  }
}

async function testAlert(ports: AlertsPorts, alert: StoredAlert, context: HandlerContext) {
  const { catalog, channels, clock, publicUrl } = ports
  const { projectId, content } = alert
  const { timeZone, nowMs } = await nowOf(ports, projectId)
  const unit = lastUnit(content.cadence, { nowMs, timeZone })
  const plan = planAlert(content, await loadSpec(catalog, projectId, content))
  const finding = await findNumber(askerOf(ports, projectId, context), plan.about(unit, timeZone))
  const measured = finding.kind === 'number' ? finding.measured : undefined
  const { valueUnit } = plan
  const error = finding.kind === 'failed' ? { error: finding.error } : {}
  const notification = composeAlert(
    { alert, unit, timeZone, measured, valueUnit, ...error },
    { id: `test-${randomUUID()}`, kind: 'test', nowMs: clock.nowMs(), notBeforeMs: undefined, publicUrl },
  )
  const all = await channels.list(projectId)
  const wanted = all.filter(({ id, isEnabled }) => isEnabled && content.channelIds.includes(id))
  const deliveries = await Promise.all(
    wanted.map(async (channel) => await sendOnce(ports, { channel, notification }, context.signal)),
  )
  const isFiring = measured !== undefined && isMet(plan.condition, measured.observed)
  return {
    check: toFindingMessage(unit, finding, isFiring),
    deliveries: deliveries.flat().map(toDeliveryMessage),
  }
}

function askerOf({ ask }: AlertsPorts, projectId: ProjectId, context: HandlerContext): Ask {
  const caller = { signal: context.signal, isFresh: wantsFreshAnswer(context.requestHeader) }
  return async (request) => await ask(projectId, request, caller)
}

async function nowOf({ clock, readTimeZone }: AlertsPorts, projectId: ProjectId) {
  return { nowMs: clock.nowMs(), timeZone: await readTimeZone(projectId) }
}

async function answer(ports: AlertsPorts, alert: StoredAlert) {
  const [message] = await toMessages(ports.catalog, [alert], await nowOf(ports, alert.projectId))
  return { alert: message ?? {} }
}

function keyOf({ id }: { readonly id: string }, context: HandlerContext): AlertKey {
  return { projectId: projectIdOf(context), id }
}

function requireContent({ content }: { readonly content?: AlertContent | undefined }): AlertContent {
  if (!content) throw invalidField('content', 'is required')
  return content
}
