import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type AlertCheckSchema,
  type AlertSchema,
  AlertState,
  AlertCheck_Outcome as Outcome,
  PauseReason,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { ALERT_UNITS, unitOfPoint } from '../../domain/alerts/value-unit.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AlertCheckTable, AlertTable } from '../../store/catalog/schema/alert-tables.ts'
import { loadSpecs } from '../library/insight-uses.ts'
import type { StoredAlert } from './alert.ts'
import { type CheckRow, loadLastChecks } from './alert-checks.ts'
import { nextCheckMs } from './alert-jobs.ts'
import type { Finding } from './find-number.ts'

const STATES = { ok: AlertState.OK, firing: AlertState.FIRING } as const satisfies Record<
  AlertTable['state'],
  AlertState
>

const REASONS = { '': PauseReason.UNSPECIFIED, failing: PauseReason.FAILING } as const satisfies Record<
  AlertTable['pause_reason'],
  PauseReason
>

const OUTCOMES = {
  ok: Outcome.OK,
  firing: Outcome.FIRING,
  'no-number': Outcome.NO_NUMBER,
  failed: Outcome.FAILED,
} as const satisfies Record<AlertCheckTable['outcome'], Outcome>

/** Alerts of one project as the API shows them, in their order. */
export async function toMessages(
  catalog: Catalog,
  alerts: readonly StoredAlert[],
  now: { readonly nowMs: number; readonly timeZone: string },
): Promise<MessageInitShape<typeof AlertSchema>[]> {
  const checks = await loadLastChecks(
    catalog,
    alerts.map(({ id }) => id),
  )
  const specOf = await loadSpecsOf(catalog, alerts)
  return alerts.map((alert) => toMessage(alert, { last: checks.get(alert.id), spec: specOf(alert), ...now }))
}

/** The current queries of alerts of one project; `undefined` for a saved insight that was deleted. */
async function loadSpecsOf(
  catalog: Catalog,
  alerts: readonly StoredAlert[],
): Promise<(alert: StoredAlert) => InsightQuerySpec | undefined> {
  const [first] = alerts
  const followed = alerts.flatMap(({ content: { question } }) =>
    question.case === 'savedInsightId' ? [question.value] : [],
  )
  const specs = first ? await loadSpecs(catalog, first.projectId, followed) : undefined
  return ({ content: { question } }) =>
    question.case === 'spec' ? question.value : specs?.get(question.value ?? '')
}

function toMessage(
  alert: StoredAlert,
  of: {
    readonly last: CheckRow | undefined
    readonly spec: InsightQuerySpec | undefined
    readonly nowMs: number
    readonly timeZone: string
  },
): MessageInitShape<typeof AlertSchema> {
  const { last, spec, ...now } = of
  const { id, projectId, content, pauseMessage, failures, createdBy, updatedBy } = alert
  const { cadence, paused } = content
  return {
    id,
    content,
    state: STATES[alert.state],
    stateTime: timestampFromMs(alert.stateMs),
    pauseReason: REASONS[alert.pauseReason],
    pauseMessage,
    ...(alert.snoozeMs > now.nowMs ? { snoozeUntil: timestampFromMs(alert.snoozeMs) } : {}),
    ...(last ? { lastCheck: toCheckMessage(last) } : {}),
    ...(paused ? {} : { nextCheckTime: timestampFromMs(nextCheckMs({ projectId, cadence }, now)) }),
    failures,
    createTime: timestampFromMs(alert.createdMs),
    createdBy,
    updateTime: timestampFromMs(alert.updatedMs),
    updatedBy,
    ...(spec ? { unit: ALERT_UNITS[unitOfPoint(content.point, spec)] } : {}),
  }
}

/** A stored check as the API shows it. */
export function toCheckMessage(row: CheckRow): MessageInitShape<typeof AlertCheckSchema> {
  const notifyMs = Number(row.notify_ms)
  return {
    from: timestampFromMs(Number(row.from_ms)),
    to: timestampFromMs(Number(row.to_ms)),
    outcome: OUTCOMES[row.outcome],
    value: row.value,
    baseline: row.baseline,
    observed: row.observed,
    error: row.error,
    time: timestampFromMs(Number(row.checked_ms)),
    notificationId: row.notification_id,
    ...(notifyMs === 0 ? {} : { notifyTime: timestampFromMs(notifyMs) }),
  }
}

/** A check that is not stored, as the API shows it. */
export function toFindingMessage(
  { fromMs, toMs }: RangeMs,
  finding: Finding,
  isFiring: boolean,
): MessageInitShape<typeof AlertCheckSchema> {
  const found = isFiring ? 'firing' : 'ok'
  return {
    from: timestampFromMs(fromMs),
    to: timestampFromMs(toMs),
    outcome: OUTCOMES[finding.kind === 'number' ? found : finding.kind],
    ...(finding.kind === 'number' ? finding.measured : {}),
    ...(finding.kind === 'failed' ? { error: finding.error } : {}),
  }
}
