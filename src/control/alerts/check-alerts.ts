import type { AlertCadence } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type AlertQuestion, planAlert } from '../../domain/alerts/alert-question.ts'
import type { RangeMs } from '../../domain/time-ranges.ts'
import type { RunRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Logger } from '../../kernel/log.ts'
import { counter } from '../../kernel/metrics.ts'
import { runInSlices } from '../../kernel/time-slices.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { loadSpecs } from '../library/insight-uses.ts'
import { savedInsightNotFound } from '../library/saved-insight.ts'
import { decodeAlert, type StoredAlert } from './alert.ts'
import type { CheckPayload } from './alert-jobs.ts'
import {
  type AskInsight,
  type Finding,
  findNumber,
  keyOf,
  SharedQuestions,
  tryFinding,
} from './find-number.ts'
import { isChecked, type SettleParts, settleCheck } from './settle-check.ts'

/** Dependencies of checks. */
export interface CheckParts extends SettleParts {
  /** Asks in the share of query slots that alerts have. */
  readonly ask: AskInsight
  readonly log: Logger
}

/** The unit that is checked. */
interface CheckedUnit {
  readonly projectId: ProjectId
  readonly cadence: AlertCadence
  readonly unit: RangeMs
  readonly timeZone: string
}

/** Alerts that people change while they are checked are checked again, this often. */
const ROUNDS_MAX = 3

const checks = counter(
  'millrace_alert_checks_total',
  'Checks of alerts, by outcome: number, no-number or failed.',
  ['outcome'],
)

/**
 * Creates the recurring job that checks all alerts of one project and cadence. Alerts with the same question share its answer.
 * An attempt after a crash goes on with those that are not checked yet.
 */
export function createCheckAlerts(parts: CheckParts): RunRecurringJob {
  return async ({ projectId, payload, fromMs, toMs, timeZone }, { signal }) => {
    if (projectId === undefined) return
    const { cadence } = payload as CheckPayload
    const checked: CheckedUnit = { projectId, cadence, unit: { fromMs, toMs }, timeZone }
    for (let round = 0; round < ROUNDS_MAX; round++) if (await checkUnit(parts, checked, signal)) return
  }
}

/** True when every alert is checked. */
async function checkUnit(parts: CheckParts, checked: CheckedUnit, signal: AbortSignal): Promise<boolean> {
  const { projectId } = checked
  const alerts = await loadDueAlerts(parts, checked)
  const shared = new SharedQuestions(
    async (request) => await parts.ask(projectId, request, { signal, isFresh: true }),
  )
  let isComplete = true
  for (const group of await groupByQuestion(parts.catalog, alerts, checked)) {
    for (const { alert, question } of group) {
      signal.throwIfAborted()
      const finding = await find(parts, { alert, question, shared })
      checks.inc({ outcome: finding.kind })
      const { unit, timeZone } = checked
      const valueUnit = question instanceof ServiceError ? 'number' : question.valueUnit
      const settled = await settleCheck(parts, { alert, unit, timeZone, finding, valueUnit })
      isComplete = settled && isComplete
    }
    shared.forget()
  }
  return isComplete
}

async function loadDueAlerts(
  { catalog, clock }: CheckParts,
  { projectId, cadence, unit }: CheckedUnit,
): Promise<readonly StoredAlert[]> {
  const rows = await catalog
    .selectFrom('alerts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('cadence', '=', cadence)
    .where('paused', '=', 0)
    .orderBy('id')
    .execute()
  return rows.map(decodeAlert).filter((alert) => !isChecked(alert, unit.toMs, clock.nowMs()))
}

/** An alert with its question, or the reason why it has none. */
interface AskingAlert {
  readonly alert: StoredAlert
  readonly question: AlertQuestion | ServiceError
}

/** The alerts with the same question stand together, so that its answer is kept for them only. A thousand are planned in time slices. */
async function groupByQuestion(
  catalog: Catalog,
  alerts: readonly StoredAlert[],
  { projectId, unit, timeZone }: CheckedUnit,
): Promise<readonly (readonly AskingAlert[])[]> {
  const followed = alerts.flatMap(({ content }) =>
    content.question.case === 'savedInsightId' ? [content.question.value] : [],
  )
  const specs = await loadSpecs(catalog, projectId, followed)
  const groups = new Map<string, AskingAlert[]>()
  await runInSlices(
    (function* () {
      for (const alert of alerts) {
        const question = plan(alert, specs, { unit, timeZone })
        const key = question instanceof ServiceError ? '' : keyOf(question.main)
        const group = groups.get(key)
        if (group) group.push({ alert, question })
        else groups.set(key, [{ alert, question }])
        yield
      }
    })(),
  )
  return [...groups.values()]
}

function plan(
  alert: StoredAlert,
  specs: ReadonlyMap<string, InsightQuerySpec>,
  { unit, timeZone }: Pick<CheckedUnit, 'unit' | 'timeZone'>,
): AlertQuestion | ServiceError {
  try {
    return planAlert(alert.content, specOf(alert, specs)).about(unit, timeZone)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function specOf(
  { content: { question } }: StoredAlert,
  specs: ReadonlyMap<string, InsightQuerySpec>,
): InsightQuerySpec {
  const spec = question.case === 'spec' ? question.value : specs.get(question.value ?? '')
  if (!spec) throw savedInsightNotFound()
  return spec
}

/** Throws when the store cannot be asked now: the job is retried. */
async function find(
  { log }: CheckParts,
  { alert, question, shared }: AskingAlert & { readonly shared: SharedQuestions },
): Promise<Finding> {
  try {
    if (question instanceof ServiceError) return await tryFinding(async () => await Promise.reject(question))
    return await findNumber(shared.ask, question)
  } catch (error) {
    if (error instanceof ServiceError || (error instanceof Error && error.name === 'AbortError')) throw error
    log.error({ err: error, alert: alert.id }, 'an alert could not be checked')
    return { kind: 'failed', error: 'An internal error occurred.' }
  }
}
