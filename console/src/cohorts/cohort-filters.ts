import type { JsonObject, JsonValue } from '@bufbuild/protobuf'

/** A filter by cohort. */
export interface CohortFilterDraft {
  readonly cohortId: string
  /** Whether the people outside of the cohort are meant. */
  readonly negate: boolean
}

/** The filters of an address: ids with commas between, after a `!` for the people outside of a cohort. */
export function readCohortFilters(text: string | null): readonly CohortFilterDraft[] {
  const parts = (text ?? '').split(',').filter((part) => part !== '' && part !== '!')
  return parts.map((part) =>
    part.startsWith('!') ? { cohortId: part.slice(1), negate: true } : { cohortId: part, negate: false },
  )
}

/** The filters as an address has them; empty for none. */
export function writeCohortFilters(filters: readonly CohortFilterDraft[]): string {
  return filters.map(({ cohortId, negate }) => `${negate ? '!' : ''}${cohortId}`).join(',')
}

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
