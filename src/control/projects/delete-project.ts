import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import type { CatalogSchema } from '../../store/catalog/schema.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { projectNotFound } from './projects.ts'

/** The kind of job that erases the data of a project that was deleted. */
export const ERASE_PROJECT = 'erase-project'

/** Processes remember keys for some seconds: what comes in until then is erased with the rest. */
const ERASE_AFTER_MS = 10_000

/** A table whose rows belong to projects. */
type TableOfProjects = {
  readonly [Name in keyof CatalogSchema]: 'project_id' extends keyof CatalogSchema[Name] ? Name : never
}[keyof CatalogSchema]

type DeleteRows = (transaction: Catalog, id: ProjectId) => Promise<unknown>

/** What the catalog holds of a project; whoever adds a table says here how its rows go. */
const ROWS = {
  api_keys: async (transaction, id) =>
    await transaction.deleteFrom('api_keys').where('project_id', '=', id).execute(),
  campaigns: async (transaction, id) =>
    await transaction.deleteFrom('campaigns').where('project_id', '=', id).execute(),
  dashboards: async (transaction, id) =>
    await transaction.deleteFrom('dashboards').where('project_id', '=', id).execute(),
  devices: async (transaction, id) =>
    await transaction.deleteFrom('devices').where('project_id', '=', id).execute(),
  deletion_requests: async (transaction, id) =>
    await transaction.deleteFrom('deletion_requests').where('project_id', '=', id).execute(),
  jobs: async (transaction, id) =>
    await transaction.deleteFrom('jobs').where('project_id', '=', id).execute(),
} as const satisfies Record<TableOfProjects, DeleteRows>

/**
 * Deletes a project: its keys, its name and all that the catalog knows of it are gone at once, its data is erased by a job.
 * Numbers of projects are never used again. Throws `not_found` when there is no such project.
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
