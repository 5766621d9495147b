import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { CohortFilterDraft } from './cohort-filters.ts'

/** Filters in proto JSON. */
export function encodeCohortFilters(filters: readonly CohortFilterDraft[]): JsonObject[] {
  return filters.map(({ cohortId, negate }) => ({ cohortId, ...(negate && { negate }) }))
}

/** The filters of a spec in proto JSON. */
export function decodeCohortFilters(value: JsonValue | undefined): readonly CohortFilterDraft[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item): CohortFilterDraft[] => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return []
    return typeof item.cohortId === 'string'
      ? [{ cohortId: item.cohortId, negate: item.negate === true }]
      : []
  })
}
