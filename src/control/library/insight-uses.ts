import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { decodeContent } from './saved-insight.ts'

/** A dashboard with tiles that follow a saved insight, or an alert that follows it. */
export type StoredUse =
  | { readonly dashboardId: string; readonly dashboardName: string; readonly tileCount: number }
  | { readonly alertId: string; readonly alertName: string }

interface Following {
  readonly insightId: string
  readonly use: StoredUse
}

/** The dashboards that follow insights by name, then the alerts by name, by the id of the insight. */
export async function loadUses(
  catalog: Catalog,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredUse[]>> {
  const uses = new Map<string, StoredUse[]>()
  if (ids.length === 0) return uses
  const following = [...(await loadDashboards(catalog, ids)), ...(await loadAlerts(catalog, ids))]
  for (const { insightId, use } of following) {
    const list = uses.get(insightId) ?? []
    list.push(use)
    uses.set(insightId, list)
  }
  return uses
}

async function loadDashboards(catalog: Catalog, ids: readonly string[]): Promise<readonly Following[]> {
  const rows = await catalog
    .selectFrom('saved_insight_uses')
    .innerJoin('dashboards', 'dashboards.id', 'saved_insight_uses.dashboard_id')
    .select(['insight_id', 'dashboard_id', 'display_name', 'tile_count'])
    .where('insight_id', 'in', ids)
    .orderBy('display_name')
    .orderBy('dashboard_id')
    .execute()
  return rows.map(({ insight_id, dashboard_id, display_name, tile_count }) => ({
    insightId: insight_id,
    use: { dashboardId: dashboard_id, dashboardName: display_name, tileCount: tile_count },
  }))
}

async function loadAlerts(catalog: Catalog, ids: readonly string[]): Promise<readonly Following[]> {
  const rows = await catalog
    .selectFrom('alerts')
    .select(['saved_insight_id', 'id', 'name'])
    .where('saved_insight_id', 'in', ids)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(({ saved_insight_id, id, name }) => ({
    insightId: saved_insight_id ?? '',
    use: { alertId: id, alertName: name },
  }))
}

/** Bounds the queries of a list of dashboards, which has no pages, as the bytes of their own tiles are bounded. */
const FOLLOWED_BYTES_MAX = 16 * 1024 * 1024

/** Runs after a write in the same transaction, so that exceeding the limit rolls it back. */
export async function requireFollowedWithinLimit(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const { bytes } = await transaction
    .selectFrom('saved_insight_uses')
    .innerJoin('saved_insights', 'saved_insights.id', 'saved_insight_uses.insight_id')
    .select(({ fn, eb }) =>
      fn.sum<number | string>(eb('tile_count', '*', eb.ref('content_bytes'))).as('bytes'),
    )
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(bytes ?? 0) <= FOLLOWED_BYTES_MAX) return
  throw new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `the tiles of a project follow at most ${FOLLOWED_BYTES_MAX / 1024 / 1024} MiB of saved insights; remove some first`,
  })
}

/** Records the insights that the tiles of a dashboard follow, one id per tile, in place of earlier ones. */
export async function recordUses(
  transaction: Catalog,
  { dashboardId, followed }: { readonly dashboardId: string; readonly followed: readonly string[] },
): Promise<void> {
  await transaction.deleteFrom('saved_insight_uses').where('dashboard_id', '=', dashboardId).execute()
  const counts = new Map<string, number>()
  for (const id of followed) counts.set(id, (counts.get(id) ?? 0) + 1)
  if (counts.size === 0) return
  await transaction
    .insertInto('saved_insight_uses')
    .values(
      [...counts].map(([insight_id, tile_count]) => ({ dashboard_id: dashboardId, insight_id, tile_count })),
    )
    .execute()
}

/** The current queries of the insights of a project with some ids; unknown ids are left out. */
export async function loadSpecs(
  catalog: Catalog,
  projectId: ProjectId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InsightQuerySpec>> {
  const known = [...new Set(ids)].filter(isCanonicalUuid)
  if (known.length === 0) return new Map()
  const rows = await catalog
    .selectFrom('saved_insights')
    .select(['id', 'content'])
    .where('project_id', '=', projectId)
    .where('id', 'in', known)
    .execute()
  return new Map(
    rows.flatMap(({ id, content }) => {
      const { spec } = decodeContent(content)
      return spec ? [[id, spec] as const] : []
    }),
  )
}
