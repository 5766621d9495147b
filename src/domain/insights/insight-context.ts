import type {
  InsightQuerySpec,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { BucketWidth } from './buckets.ts'
import { type CohortLookup, NO_COHORT, parseCohortFilters, withCohorts } from './cohort-filters.ts'
import type { Condition } from './condition.ts'
import { invalid } from './invalid.ts'
import type { MergedKinds } from './merged-kinds.ts'
import { parseFilterGroups } from './parse-filters.ts'
import { parseCalendarRange, parseGranularity, type RangeMs } from './time-range.ts'
import { parseTimeZone, type TimeZone } from './time-zone.ts'

/** The insight types that a spec may name. */
export type KnownInsightType = Exclude<InsightType, InsightType.UNSPECIFIED>

/** Fields of a spec that every type has. */
export const SHARED_FIELDS = [
  'insightType',
  'filterGroups',
  'filterGroupsOperator',
  'cohorts',
  'includeCookieless',
  'excludeBots',
] as const satisfies readonly (keyof InsightQuerySpec)[]

/** A field of a spec that belongs to some types only. */
export type TypeField = Exclude<
  keyof InsightQuerySpec,
  (typeof SHARED_FIELDS)[number] | '$typeName' | '$unknown'
>

/** The specs of one insight type: the fields that they may set, and their parser, which throws `invalid_argument`. */
export interface InsightRules<Query> {
  readonly fields: readonly TypeField[]
  readonly parse: (spec: InsightQuerySpec, context: InsightContext) => Query
}

/** The parsed fields that every insight query has. */
export interface InsightContext {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly granularity: BucketWidth
  readonly zone: TimeZone
  /** Conditions on all events. */
  readonly filters: Condition
  /** The cohorts of the project. */
  readonly cohorts: CohortLookup
  /** Whether cookieless visitors count as users. */
  readonly includeCookieless: boolean
  /** Whether events of bots are left out. */
  readonly excludeBots: boolean
  /** Only events of these canonical users, as hashes, take part; without it, those of every user. */
  readonly users?: readonly bigint[]
}

/** The project of a query, with the default of its time zone. */
export interface ProjectContext {
  readonly projectId: ProjectId
  /** The project's reporting time zone, used when a request does not name one. */
  readonly projectTimeZone: string
  /** Finds the cohorts that the request names; without it, naming one is `not_found`. */
  readonly cohorts?: CohortLookup
  /** The kinds that count as others. */
  readonly mergedKinds?: MergedKinds
}

/** Parses the fields that every insight query has. Throws `invalid_argument`. */
export function parseContext(
  request: QueryRequest,
  spec: InsightQuerySpec,
  project: ProjectContext,
): InsightContext {
  const range = parseCalendarRange(request.timeRange, 'INVALID_INSIGHT_QUERY')
  const { cohorts = NO_COHORT } = project
  const groups = { field: 'spec.filterGroups', reason: 'INVALID_INSIGHT_QUERY' } as const
  const ofCohorts = { field: 'spec.cohorts', reason: 'INVALID_INSIGHT_QUERY' } as const
  return {
    projectId: project.projectId,
    range,
    granularity: parseGranularity(request.granularity, range, 'INVALID_INSIGHT_QUERY'),
    zone: parseTimeZone(request.timezone || project.projectTimeZone),
    filters: withCohorts(
      parseFilterGroups(spec.filterGroups, spec.filterGroupsOperator, groups),
      parseCohortFilters(spec.cohorts, ofCohorts, cohorts),
    ),
    cohorts,
    includeCookieless: spec.includeCookieless,
    excludeBots: spec.excludeBots,
  }
}

/** An `invalid_argument` for a spec field, given by its path below `spec`. */
export function invalidSpec(field: string, description: string): Error {
  return invalid(`spec.${field}`, description, 'INVALID_INSIGHT_QUERY')
}
