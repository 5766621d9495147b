import {
  type InsightQuerySpec,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { type FunnelQuery, parseFunnel } from './funnel.ts'
import {
  type InsightContext,
  type KnownInsightType,
  type ProjectContext,
  parseContext,
  parseInsightType,
} from './insight-context.ts'
import { invalid } from './invalid.ts'
import { parseRetention, type RetentionQuery } from './retention.ts'
import { parseSegmentation, type SegmentationQuery } from './segmentation.ts'
import type { SessionQuery, SessionTrendsQuery } from './sessions.ts'
import { parseMap, parseTopK, type RankingQuery } from './top-k.ts'
import { parseTrends, type TrendsQuery } from './trends.ts'
import { parseUserFlow, type UserFlowQuery } from './user-flow.ts'

/** The parsed spec of each type. */
export interface InsightQueries {
  readonly [InsightType.TRENDS]: TrendsQuery | SessionTrendsQuery
  readonly [InsightType.SEGMENTATION]: SegmentationQuery | SessionQuery
  readonly [InsightType.FUNNEL]: FunnelQuery
  readonly [InsightType.RETENTION]: RetentionQuery
  readonly [InsightType.USER_FLOW]: UserFlowQuery
  readonly [InsightType.TOP_K]: RankingQuery
  readonly [InsightType.MAP]: RankingQuery
}

/** A parsed query. */
export interface ParsedInsight<Type extends KnownInsightType> {
  readonly type: Type
  readonly context: InsightContext
  readonly query: InsightQueries[Type]
}

const PARSERS: {
  readonly [Type in KnownInsightType]: (
    spec: InsightQuerySpec,
    context: InsightContext,
  ) => InsightQueries[Type]
} = {
  [InsightType.TRENDS]: parseTrends,
  [InsightType.SEGMENTATION]: parseSegmentation,
  [InsightType.FUNNEL]: parseFunnel,
  [InsightType.RETENTION]: parseRetention,
  [InsightType.USER_FLOW]: parseUserFlow,
  [InsightType.TOP_K]: parseTopK,
  [InsightType.MAP]: parseMap,
}

/** Parses and validates a query of any type. Throws `invalid_argument`. */
export function parseInsight(
  request: QueryRequest,
  project: ProjectContext,
): ParsedInsight<KnownInsightType> {
  const { spec } = request
  if (!spec) throw invalid('spec', 'is required', 'INVALID_INSIGHT_QUERY')
  const type = parseInsightType(spec)
  const context = parseContext(request, spec, project)
  return { type, context, query: PARSERS[type](spec, context) }
}
