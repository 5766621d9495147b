import { create, isFieldSet, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  Granularity,
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { ANY_COHORT, type CohortPart, parseCohortSplit } from './cohort-filters.ts'
import { parseComparedRange } from './compared-range.ts'
import { FUNNEL_RULES } from './funnel.ts'
import {
  type InsightContext,
  type InsightRules,
  invalidSpec,
  type KnownInsightType,
  type ProjectContext,
  parseContext,
  SHARED_FIELDS,
} from './insight-context.ts'
import { invalid } from './invalid.ts'
import { LIFECYCLE_RULES } from './lifecycle.ts'
import { withMergedKinds } from './merged-kinds.ts'
import { RETENTION_RULES } from './retention.ts'
import { STICKINESS_RULES } from './stickiness.ts'
import { MAP_RULES, TOP_K_RULES } from './top-k.ts'
import { SEGMENTATION_RULES, TRENDS_RULES } from './trends.ts'
import { USER_FLOW_RULES } from './user-flow.ts'

/**
 * The insight types as the service and the console parse them. The registry of `query/insights` is the other
 * half: it answers queries that these rules accept, with SQL that the console must not load.
 */
export const INSIGHT_RULES = {
  [InsightType.TRENDS]: TRENDS_RULES,
  [InsightType.SEGMENTATION]: SEGMENTATION_RULES,
  [InsightType.FUNNEL]: FUNNEL_RULES,
  [InsightType.RETENTION]: RETENTION_RULES,
  [InsightType.USER_FLOW]: USER_FLOW_RULES,
  [InsightType.TOP_K]: TOP_K_RULES,
  [InsightType.MAP]: MAP_RULES,
  [InsightType.LIFECYCLE]: LIFECYCLE_RULES,
  [InsightType.STICKINESS]: STICKINESS_RULES,
} as const satisfies Record<KnownInsightType, InsightRules<unknown>>

/** The parsed query of each type. */
export type InsightQueries = {
  readonly [Type in KnownInsightType]: ReturnType<(typeof INSIGHT_RULES)[Type]['parse']>
}

/** A parsed query with the context that every query has. */
export interface ParsedInsight<Type extends KnownInsightType> {
  readonly type: Type
  readonly context: InsightContext
  readonly query: InsightQueries[Type]
  /** The cohorts that split the answer; none without a split. */
  readonly split: readonly CohortPart[]
  /** The same query for the range to compare with, which may be empty: it then ends at or before its start. */
  readonly compared: InRange<InsightQueries[Type]> | undefined
}

/** A query of a range. */
export interface InRange<Query> {
  readonly context: InsightContext
  readonly query: Query
}

/** Parses and validates a query of any type. Throws `invalid_argument`. */
export function parseInsight(
  request: QueryRequest,
  project: ProjectContext,
): ParsedInsight<KnownInsightType> {
  if (!request.spec) throw invalid('spec', 'is required', 'INVALID_INSIGHT_QUERY')
  const spec = withMergedKinds(InsightQuerySpecSchema, request.spec, project.mergedKinds)
  const type = parseInsightType(spec)
  const context = parseContext(request, spec, project)
  const { parse } = INSIGHT_RULES[type]
  const split = parseCohortSplit(spec, context.cohorts)
  const other = parseComparison(request, context)
  const compared = other && { context: other, query: parse(spec, other) }
  return { type, context, query: parse(spec, context), split, compared }
}

/** The context of the range to compare with. Throws `invalid_argument`. */
function parseComparison({ compareTo }: QueryRequest, context: InsightContext): InsightContext | undefined {
  if (!compareTo) return undefined
  const { range, zone } = context
  return {
    ...context,
    range: parseComparedRange(compareTo, { range, zone, reason: 'INVALID_INSIGHT_QUERY' }),
  }
}

/** An arbitrary range that all but the narrowest granularities allow: it does not affect what a spec may contain. */
const ANY_RANGE: MessageInitShape<typeof QueryRequestSchema> = {
  timeRange: { from: timestampFromMs(0), to: timestampFromMs(24 * 3_600_000) },
  granularity: Granularity.DAY,
}

/** Validates a spec without running it. Throws `invalid_argument` with field paths below `spec`. */
export function checkInsight(spec: InsightQuerySpec): void {
  const request = create(QueryRequestSchema, { ...ANY_RANGE, spec })
  parseInsight(request, { projectId: asProjectId(0), projectTimeZone: 'UTC', cohorts: ANY_COHORT })
}

/** The type of a spec; rejects fields of other types. Throws `invalid_argument`. */
function parseInsightType(spec: InsightQuerySpec): KnownInsightType {
  const type = spec.insightType
  if (type === InsightType.UNSPECIFIED || !Object.hasOwn(INSIGHT_RULES, type)) {
    throw invalid('spec.insightType', 'is required', 'INVALID_INSIGHT_QUERY')
  }
  const allowed: readonly string[] = [...SHARED_FIELDS, ...INSIGHT_RULES[type].fields]
  const foreign = InsightQuerySpecSchema.fields.find(
    (field) => !allowed.includes(field.localName) && isFieldSet(spec, field),
  )
  if (foreign) throw invalidSpec(foreign.localName, `does not belong to ${InsightType[type]}`)
  return type
}
