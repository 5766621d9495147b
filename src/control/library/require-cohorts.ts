import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { cohortNotFound } from '../../domain/insights/cohort-filters.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

/** Throws `not_found` for a filter by a cohort that the project does not have. */
export async function requireCohorts(
  transaction: Catalog,
  projectId: ProjectId,
  filters: readonly { readonly cohortId: string }[],
): Promise<void> {
  const wanted = [...new Set(filters.map(({ cohortId }) => cohortId))]
  if (wanted.length === 0) return
  // PostgreSQL rejects some characters of texts that are no ids.
  if (!wanted.every(isCanonicalUuid)) throw cohortNotFound()
  const found = await transaction
    .selectFrom('cohorts')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', wanted)
    .execute()
  if (found.length < wanted.length) throw cohortNotFound()
}
