import {
  type InsightQuerySpec,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { BucketWidth } from './buckets.ts'
import type { Condition } from './condition.ts'
import { invalid } from './invalid.ts'
import { parseFilterGroups } from './parse-filters.ts'
import { parseCalendarRange, parseGranularity, type RangeMs } from './time-range.ts'
import { parseTimeZone, type TimeZone } from './time-zone.ts'

/** The insight types that a spec may name. */
export type KnownInsightType = Exclude<InsightType, InsightType.UNSPECIFIED>

/** Spec fields that belong to some types only, and whether each is set. */
const OWNED_FIELDS = {
  events: (spec) => spec.events.length > 0,
  breakdowns: (spec) => spec.breakdowns.length > 0,
  breakdownLimit: (spec) => spec.breakdownLimit !== 0,
  conversionWindow: (spec) => spec.conversionWindow !== undefined,
  includeStepTiming: (spec) => spec.includeStepTiming,
  session: (spec) => spec.session !== undefined,
  userFlow: (spec) => spec.userFlow !== undefined,
  topK: (spec) => spec.topK !== undefined,
  map: (spec) => spec.map !== undefined,
} as const satisfies Record<string, (spec: InsightQuerySpec) => boolean>

type OwnedField = keyof typeof OWNED_FIELDS

const FIELDS_OF_TYPE = {
  [InsightType.TRENDS]: ['events', 'breakdowns', 'breakdownLimit', 'session'],
  [InsightType.SEGMENTATION]: ['events', 'session'],
  [InsightType.FUNNEL]: ['events', 'breakdowns', 'breakdownLimit', 'conversionWindow', 'includeStepTiming'],
  [InsightType.RETENTION]: ['events', 'breakdowns', 'breakdownLimit'],
  [InsightType.USER_FLOW]: ['userFlow'],
  [InsightType.TOP_K]: ['topK'],
  [InsightType.MAP]: ['map'],
} as const satisfies Record<KnownInsightType, readonly OwnedField[]>

/** The fields that every query has, whatever its type. */
export interface InsightContext {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly granularity: BucketWidth
  readonly zone: TimeZone
  /** Conditions on all events. */
  readonly filters: Condition
  /** Whether cookieless visitors count as users. */
  readonly includeCookieless: boolean
}

/** Sources of the context's defaults. */
export interface ProjectContext {
  readonly projectId: ProjectId
  /** The project's reporting time zone, used when a request does not name one. */
  readonly projectTimeZone: string
}

/** Parses the fields that all insights share. Throws `invalid_argument`. */
export function parseContext(
  request: QueryRequest,
  spec: InsightQuerySpec,
  project: ProjectContext,
): InsightContext {
  const range = parseCalendarRange(request.timeRange, 'INVALID_INSIGHT_QUERY')
  return {
    projectId: project.projectId,
    range,
    granularity: parseGranularity(request.granularity, range),
    zone: parseTimeZone(request.timezone || project.projectTimeZone),
    filters: parseFilterGroups(spec.filterGroups, spec.filterGroupsOperator, {
      field: 'spec.filterGroups',
      reason: 'INVALID_INSIGHT_QUERY',
    }),
    includeCookieless: spec.includeCookieless,
  }
}

/** The type of a spec; rejects fields of other types. Throws `invalid_argument`. */
export function parseInsightType(spec: InsightQuerySpec): KnownInsightType {
  const type = spec.insightType
  if (type === InsightType.UNSPECIFIED || !Object.hasOwn(FIELDS_OF_TYPE, type)) {
    throw invalid('spec.insightType', 'is required', 'INVALID_INSIGHT_QUERY')
  }
  const own: readonly string[] = FIELDS_OF_TYPE[type]
  const foreign = Object.entries(OWNED_FIELDS).find(([field, isSet]) => !own.includes(field) && isSet(spec))
  if (foreign) throw invalidSpec(foreign[0], `does not belong to ${InsightType[type]}`)
  return type
}

/** An `invalid_argument` for a spec field, given by its path below `spec`. */
export function invalidSpec(field: string, description: string): Error {
  return invalid(`spec.${field}`, description, 'INVALID_INSIGHT_QUERY')
}
