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
