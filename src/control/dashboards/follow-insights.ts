import { create } from '@bufbuild/protobuf'
import {
  type DashboardTile,
  type InsightTileContent,
  InsightTileContentSchema,
} from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { invalidFields } from '../invalid-field.ts'
import { loadSpecs, recordUses, requireFollowedWithinLimit } from '../library/insight-uses.ts'
import type { Dashboard } from './dashboard.ts'

/** The saved insight that a tile follows; `undefined` for other tiles. */
function followedId({ content }: Pick<DashboardTile, 'content'>): string | undefined {
  return content.case === 'insight' ? content.value.savedInsightId || undefined : undefined
}

/** The content of a tile as stored: without a query when it follows a saved insight, so that no old copy is ever shown. */
export function withoutFollowedSpec(content: DashboardTile['content']): DashboardTile['content'] {
  if (content.case !== 'insight' || content.value.savedInsightId === '') return content
  return { case: 'insight', value: replaceSpec(content.value, undefined) }
}

/** The dashboards with the current queries of the insights that their tiles follow. */
export async function withCurrentSpecs(
  catalog: Catalog,
  dashboards: readonly Dashboard[],
): Promise<Dashboard[]> {
  const ids = dashboards.flatMap(({ tiles }) => tiles.flatMap((tile) => followedId(tile) ?? []))
  const [first] = dashboards
  if (!first || ids.length === 0) return [...dashboards]
  const specs = await loadSpecs(catalog, first.projectId, ids)
  return dashboards.map((dashboard) => ({
    ...dashboard,
    tiles: dashboard.tiles.map((tile) => withCurrentSpec(tile, specs)),
  }))
}

function withCurrentSpec(tile: DashboardTile, specs: ReadonlyMap<string, InsightQuerySpec>): DashboardTile {
  const id = followedId(tile)
  if (id === undefined || tile.content.case !== 'insight') return tile
  const value = replaceSpec(tile.content.value, specs.get(id))
  return { ...tile, content: { case: 'insight', value } }
}

function replaceSpec(content: InsightTileContent, spec: InsightQuerySpec | undefined): InsightTileContent {
  const { savedInsightId, granularity } = content
  return create(InsightTileContentSchema, { savedInsightId, granularity, ...(spec && { spec }) })
}

/**
 * Records the saved insights that a written dashboard follows. Throws `invalid_argument` for those that the project does not
 * have, and `failed_precondition` at its limit.
 */
export async function recordFollowed(transaction: Catalog, dashboard: Dashboard): Promise<void> {
  const { id: dashboardId, projectId, tiles } = dashboard
  const followed = tiles.flatMap((tile, index) => {
    const id = followedId(tile)
    return id === undefined ? [] : [{ id, index }]
  })
  const ids = followed.map(({ id }) => id)
  const specs = await loadSpecs(transaction, projectId, ids)
  const violations = followed
    .filter(({ id }) => !specs.has(id))
    .map(({ index }) => ({
      field: `tiles[${index}].insight.savedInsightId`,
      description: 'is not a saved insight of this project',
    }))
  if (violations.length > 0) throw invalidFields(violations, 'INVALID_REQUEST')
  await recordUses(transaction, { dashboardId, followed: ids })
  await requireFollowedWithinLimit(transaction, projectId)
}
