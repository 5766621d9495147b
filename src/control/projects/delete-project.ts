import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import type { CatalogSchema } from '../../store/catalog/schema/catalog-schema.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { projectNotFound } from './projects.ts'

/** The kind of job that erases the data of a deleted project. */
export const ERASE_PROJECT = 'erase-project'

/** Exceeds the lifetime of cached keys, so that the job erases events accepted until they expire. */
const ERASE_AFTER_MS = 10_000

/** A table whose rows belong to projects; the audit log belongs to the organisation, which reads of the deletion there. */
type TableOfProjects = {
  readonly [Name in Exclude<
    keyof CatalogSchema,
    'audit_entries'
  >]: 'project_id' extends keyof CatalogSchema[Name] ? Name : never
}[Exclude<keyof CatalogSchema, 'audit_entries'>]

type DeleteRows = (transaction: Catalog, id: ProjectId) => Promise<unknown>

/** Deletes a project's rows of each table; a table without an entry does not compile. */
const ROWS = {
  project_roles: async (transaction, id) =>
    await transaction.deleteFrom('project_roles').where('project_id', '=', id).execute(),
  invitation_roles: async (transaction, id) =>
    await transaction.deleteFrom('invitation_roles').where('project_id', '=', id).execute(),
  api_keys: async (transaction, id) =>
    await transaction.deleteFrom('api_keys').where('project_id', '=', id).execute(),
  campaigns: async (transaction, id) =>
    await transaction.deleteFrom('campaigns').where('project_id', '=', id).execute(),
  annotations: async (transaction, id) =>
    await transaction.deleteFrom('annotations').where('project_id', '=', id).execute(),
  // Before saved insights, which their tiles follow.
  dashboards: async (transaction, id) =>
    await transaction.deleteFrom('dashboards').where('project_id', '=', id).execute(),
  // Before saved insights, which they follow.
  alerts: async (transaction, id) =>
    await transaction.deleteFrom('alerts').where('project_id', '=', id).execute(),
  saved_insight_versions: async (transaction, id) =>
    await transaction.deleteFrom('saved_insight_versions').where('project_id', '=', id).execute(),
  saved_insights: async (transaction, id) =>
    await transaction.deleteFrom('saved_insights').where('project_id', '=', id).execute(),
  cohorts: async (transaction, id) =>
    await transaction.deleteFrom('cohorts').where('project_id', '=', id).execute(),
  goals: async (transaction, id) =>
    await transaction.deleteFrom('goals').where('project_id', '=', id).execute(),
  imports: async (transaction, id) =>
    await transaction.deleteFrom('imports').where('project_id', '=', id).execute(),
  devices: async (transaction, id) =>
    await transaction.deleteFrom('devices').where('project_id', '=', id).execute(),
  deletion_requests: async (transaction, id) =>
    await transaction.deleteFrom('deletion_requests').where('project_id', '=', id).execute(),
  channel_deliveries: async (transaction, id) =>
    await transaction.deleteFrom('channel_deliveries').where('project_id', '=', id).execute(),
  channels: async (transaction, id) =>
    await transaction.deleteFrom('channels').where('project_id', '=', id).execute(),
  name_definitions: async (transaction, id) =>
    await transaction.deleteFrom('name_definitions').where('project_id', '=', id).execute(),
  merged_names: async (transaction, id) =>
    await transaction.deleteFrom('merged_names').where('project_id', '=', id).execute(),
  ignored_duplicates: async (transaction, id) =>
    await transaction.deleteFrom('ignored_duplicates').where('project_id', '=', id).execute(),
  report_deliveries: async (transaction, id) =>
    await transaction.deleteFrom('report_deliveries').where('project_id', '=', id).execute(),
  report_issues: async (transaction, id) =>
    await transaction.deleteFrom('report_issues').where('project_id', '=', id).execute(),
  report_asks: async (transaction, id) =>
    await transaction.deleteFrom('report_asks').where('project_id', '=', id).execute(),
  report_recipients: async (transaction, id) =>
    await transaction.deleteFrom('report_recipients').where('project_id', '=', id).execute(),
  reports: async (transaction, id) =>
    await transaction.deleteFrom('reports').where('project_id', '=', id).execute(),
  recurring_jobs: async (transaction, id) =>
    await transaction.deleteFrom('recurring_jobs').where('project_id', '=', id).execute(),
  oauth_grants: async (transaction, id) =>
    await transaction.deleteFrom('oauth_grants').where('project_id', '=', id).execute(),
  jobs: async (transaction, id) =>
    await transaction.deleteFrom('jobs').where('project_id', '=', id).execute(),
} as const satisfies Record<TableOfProjects, DeleteRows>

/**
 * Deletes a project: its rows in the catalog immediately, its data by a job. Project ids are never reused. Throws
 * `not_found` for an unknown project.
 */
export async function deleteProject(catalog: Catalog, clock: Clock, projectId: ProjectId): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    for (const deleteRows of Object.values<DeleteRows>(ROWS)) await deleteRows(transaction, projectId)
    const deleted = await transaction.deleteFrom('projects').where('id', '=', projectId).executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw projectNotFound()
    const nowMs = clock.nowMs()
    const job = { kind: ERASE_PROJECT, projectId, payload: { round: 0 } }
    await insertJob(transaction, { ...job, nowMs, dueMs: nowMs + ERASE_AFTER_MS })
  })
}
