import type {
  RenderedDashboard,
  RenderedTile,
} from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/**
 * The names of the cohorts that split the results of a dashboard, by id. A cohort that filters a tile has none: its name is a
 * part of the query.
 */
export async function nameCohorts(
  catalog: Catalog,
  projectId: ProjectId,
  { tiles }: Pick<RenderedDashboard, 'tiles'>,
): Promise<Record<string, string>> {
  // PostgreSQL rejects some characters of texts that are no ids.
  const ids = [...new Set(tiles.flatMap(idsOfResult))].filter(isCanonicalUuid)
  if (ids.length === 0) return {}
  const cohorts = await catalog
    .selectFrom('cohorts')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  return Object.fromEntries(cohorts.map(({ id, name }) => [id, name]))
}

function idsOfResult({ tile, outcome }: RenderedTile): readonly string[] {
  if (outcome.case !== 'result' || tile?.content.case !== 'insight') return []
  return tile.content.value.spec?.breakdownCohortIds ?? []
}
