import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'

const DAY_MS = 24 * 3_600_000

/** A project that keeps its events for a number of days. */
export interface RetainedProject {
  readonly projectId: ProjectId
  readonly days: number
}

/** Days for which a project keeps its events; 0 for as long as the service does, and for an unknown project. */
export async function readRetentionDays(catalog: Catalog, projectId: ProjectId): Promise<number> {
  const row = await catalog
    .selectFrom('projects')
    .select('retention_days')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.retention_days ?? 0
}

/** The projects whose events are deleted after some days, or only that one. */
export async function listRetainedProjects(
  catalog: Catalog,
  only?: ProjectId | undefined,
): Promise<RetainedProject[]> {
  const rows = await catalog
    .selectFrom('projects')
    .select(['id', 'retention_days'])
    .where('retention_days', '>', 0)
    .$if(only !== undefined, (query) => query.where('id', '=', only ?? 0))
    .orderBy('id')
    .execute()
  return rows.map(({ id, retention_days }) => ({ projectId: asProjectId(id), days: retention_days }))
}

/** The start of the first day in UTC whose events are kept. */
export function keptFromMs(nowMs: number, days: number): number {
  return Math.floor(nowMs / DAY_MS - days) * DAY_MS
}
