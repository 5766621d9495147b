import type { CohortFilter } from '../../contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import type { InsightQuerySpec } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import type { CohortRule } from './cohort-rule.ts'
import type { Condition } from './condition.ts'
import { invalid } from './invalid.ts'

/** Finds the rule of a cohort of the project. Throws `not_found`. */
export type CohortLookup = (id: string) => CohortRule

/** Accepts every id, where a query is checked without the cohorts of its project. */
export const ANY_COHORT: CohortLookup = () => ({ kind: 'all', of: [] })

/** Rejects every id: the lookup of a query that was not loaded with cohorts. */
export const NO_COHORT: CohortLookup = () => {
  throw cohortNotFound()
}

/** Key of a breakdown by cohort. */
export const COHORT_KEY = '$cohort'

const FILTERS_MAX = 20
const SPLIT_MAX = 10

/** The cohort does not exist, or belongs to another project. */
export function cohortNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'COHORT_NOT_FOUND',
    message: 'there is no cohort with this id',
  })
}

/** A field with cohorts, and the reason of errors about it. */
export interface CohortField {
  /** Path of the field, for example `spec.cohorts`. */
  readonly field: string
  readonly reason: ErrorReason
}

/** Parses filters by cohort that all have to hold. Throws `invalid_argument` or `not_found`. */
export function parseCohortFilters(
  filters: readonly CohortFilter[],
  { field, reason }: CohortField,
  lookup: CohortLookup,
): readonly Condition[] {
  if (filters.length > FILTERS_MAX) throw invalid(field, `must be at most ${FILTERS_MAX}`, reason)
  return filters.map(({ cohortId, negate }, index) => {
    if (cohortId === '') throw invalid(`${field}[${index}].cohortId`, 'is required', reason)
    const rule = lookup(cohortId)
    return { kind: 'cohort', rule: negate ? { kind: 'not', of: rule } : rule }
  })
}

/** The condition and filters by cohort, all of which have to hold. */
export function withCohorts(condition: Condition, cohorts: readonly Condition[]): Condition {
  return cohorts.length === 0 ? condition : { kind: 'all', of: [condition, ...cohorts] }
}

/** One part of an answer that is split by cohort. */
export interface CohortPart {
  readonly cohortId: string
  readonly condition: Condition
}

/** Parses the cohorts that split an answer; none without a split. Throws `invalid_argument` or `not_found`. */
export function parseCohortSplit(
  { breakdownCohortIds: ids, breakdowns, breakdownLimit }: InsightQuerySpec,
  lookup: CohortLookup,
): readonly CohortPart[] {
  const refuse = (field: string, description: string): Error =>
    invalid(`spec.${field}`, description, 'INVALID_INSIGHT_QUERY')
  if (ids.length === 0) return []
  if (ids.length > SPLIT_MAX) throw refuse('breakdownCohortIds', `must be at most ${SPLIT_MAX}`)
  if (new Set(ids).size < ids.length) throw refuse('breakdownCohortIds', 'must not name a cohort twice')
  if (ids.includes('')) throw refuse(`breakdownCohortIds[${ids.indexOf('')}]`, 'is required')
  if (breakdowns.length > 0)
    throw refuse('breakdowns', 'must be empty when breakdownCohortIds splits the answer')
  if (breakdownLimit !== 0)
    throw refuse('breakdownLimit', 'must be unset when breakdownCohortIds splits the answer')
  return ids.map((cohortId) => ({ cohortId, condition: { kind: 'cohort', rule: lookup(cohortId) } }))
}

/** The cohorts that a request for the users of events names. */
export function cohortIdsOfSegment({
  cohorts,
  events,
}: Pick<InsightQuerySpec, 'cohorts' | 'events'>): readonly string[] {
  return [...cohorts, ...events.flatMap((event) => event.cohorts)].map(({ cohortId }) => cohortId)
}

/** The cohorts that the query of an insight names. */
export function cohortIdsOfSpec(
  spec: Pick<InsightQuerySpec, 'cohorts' | 'events' | 'breakdownCohortIds'> | undefined,
): readonly string[] {
  return spec ? [...cohortIdsOfSegment(spec), ...spec.breakdownCohortIds] : []
}
