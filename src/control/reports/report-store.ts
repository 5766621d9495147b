import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ReportInput } from '../../contract/gen/millrace/reports/v1/reports_service_pb.js'
import { asProjectId, isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { addRecurringJob, changeRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { deleteRecurringJob } from '../../store/catalog/recurring-store.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { ReportTable } from '../../store/catalog/schema/report-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { requireCohorts } from '../library/require-cohorts.ts'
import { type RecipientParts, replaceRecipients } from './recipients.ts'
import {
  COMPOSE_REPORT,
  dashboardIdOf,
  decodeSpec,
  encodeSpec,
  type Report,
  type ReportKey,
  recurringIdOf,
  reportNotFound,
  scheduleOf,
} from './report.ts'

/** Bounds lists of reports, which have no pages, and the mails of a project. */
const REPORTS_PER_PROJECT_MAX = 50

/** Dependencies of the stored reports. */
export interface ReportStore extends RecipientParts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Throws `not_found` for a dashboard that the project does not have. */
  readonly requireDashboard: (
    transaction: Catalog,
    key: { readonly projectId: ProjectId; readonly id: string },
  ) => Promise<unknown>
}

/** The reports of a project, by name. */
export async function listReports(catalog: Catalog, projectId: ProjectId): Promise<readonly Report[]> {
  const rows = await catalog
    .selectFrom('reports')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  return rows.map(toReport).sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1))
}

/** One report. Throws `not_found`. */
export async function readReport(catalog: Catalog, { projectId, id }: ReportKey): Promise<Report> {
  const report = isCanonicalUuid(id) ? await findReport(catalog, id) : undefined
  if (report?.projectId !== projectId) throw reportNotFound()
  return report
}

/** A report by its id alone, for jobs. */
export async function findReport(catalog: Catalog, id: string): Promise<Report | undefined> {
  const row = await catalog.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toReport(row)
}

/** Creates a report, and asks new addresses to confirm. Throws `not_found`, and at the limits of the project. */
export async function createReport(
  store: ReportStore,
  of: { readonly projectId: ProjectId; readonly createdBy: string; readonly input: ReportInput },
): Promise<Report> {
  const { projectId, createdBy, input } = of
  const nowMs = store.clock.nowMs()
  const row: ReportTable = {
    id: randomUUID(),
    project_id: projectId,
    ...fieldsOf(input),
    paused_reason: '',
    created_by: createdBy,
    created_ms: nowMs,
    updated_ms: nowMs,
  }
  return await inTransaction(store.catalog, async (transaction) => {
    await requireContent(store, transaction, { projectId, input })
    await transaction.insertInto('reports').values(row).execute()
    await requireWithinLimit(transaction, { table: 'reports', projectId, countMax: REPORTS_PER_PROJECT_MAX })
    const report = toReport(row)
    await replaceRecipients(store, transaction, { report, addresses: input.addresses })
    if (report.isEnabled) await startSchedule(store, transaction, report)
    return report
  })
}

/** Replaces a report and its recipients. Throws `not_found`. */
export async function replaceReport(store: ReportStore, key: ReportKey, input: ReportInput): Promise<Report> {
  return await inTransaction(store.catalog, async (transaction) => {
    const before = await readReport(transaction, key)
    await requireContent(store, transaction, { projectId: key.projectId, input })
    const row = await transaction
      .updateTable('reports')
      .set({ ...fieldsOf(input), paused_reason: '', updated_ms: store.clock.nowMs() })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const after = toReport(row)
    await replaceRecipients(store, transaction, { report: after, addresses: input.addresses })
    await changeSchedule(store, transaction, { before, after })
    return after
  })
}

/** Deletes a report with its recipients and deliveries. Throws `not_found`. */
export async function removeReport({ catalog }: ReportStore, key: ReportKey): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { id } = await readReport(transaction, key)
    await deleteRecurringJob(transaction, recurringIdOf(id))
    for (const table of ['report_deliveries', 'report_issues', 'report_recipients'] as const)
      await transaction.deleteFrom(table).where('report_id', '=', id).execute()
    await transaction.deleteFrom('reports').where('id', '=', id).execute()
  })
}

/** Pauses a report on behalf of the service; false when it is paused already. */
export async function pauseReport(
  transaction: Catalog,
  { id }: Pick<Report, 'id'>,
  reason: Exclude<ReportTable['paused_reason'], ''>,
): Promise<boolean> {
  await deleteRecurringJob(transaction, recurringIdOf(id))
  const { numUpdatedRows } = await transaction
    .updateTable('reports')
    .set({ enabled: 0, paused_reason: reason })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The reports that show a dashboard. */
export async function listReportsOf(catalog: Catalog, dashboardId: string): Promise<readonly Report[]> {
  const rows = await catalog
    .selectFrom('reports')
    .selectAll()
    .where('dashboard_id', '=', dashboardId)
    .orderBy('id')
    .execute()
  return rows.map(toReport)
}

async function changeSchedule(
  { clock }: ReportStore,
  transaction: Catalog,
  { before, after }: { readonly before: Report; readonly after: Report },
): Promise<void> {
  const id = recurringIdOf(after.id)
  if (!after.isEnabled) await deleteRecurringJob(transaction, id)
  else if (before.isEnabled) await changeRecurringJob(transaction, clock, jobOf(after))
  else await startSchedule({ clock }, transaction, after)
}

async function startSchedule(
  { clock }: Pick<ReportStore, 'clock'>,
  transaction: Catalog,
  report: Report,
): Promise<void> {
  await addRecurringJob(transaction, clock, {
    ...jobOf(report),
    kind: COMPOSE_REPORT,
    projectId: report.projectId,
  })
}

function jobOf({ id, spec }: Report) {
  return {
    id: recurringIdOf(id),
    payload: { reportId: id },
    schedule: scheduleOf(spec),
    timeZone: spec.schedule?.timezone ?? '',
  }
}

async function requireContent(
  { requireDashboard }: ReportStore,
  transaction: Catalog,
  { projectId, input }: { readonly projectId: ProjectId; readonly input: ReportInput },
): Promise<void> {
  const { content } = input
  if (content.case === 'dashboard')
    await requireDashboard(transaction, { projectId, id: content.value.dashboardId })
  if (content.case === 'webOverview') await requireCohorts(transaction, projectId, content.value.cohorts)
}

function fieldsOf(input: ReportInput): Pick<ReportTable, 'spec' | 'dashboard_id' | 'enabled'> {
  return { spec: encodeSpec(input), dashboard_id: dashboardIdOf(input), enabled: input.paused ? 0 : 1 }
}

function toReport(row: Selectable<ReportTable>): Report {
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    spec: decodeSpec(row.spec),
    isEnabled: row.enabled === 1,
    pausedReason: row.paused_reason,
    createdBy: row.created_by,
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  }
}
